export interface RuleTally {
  readonly key: string;
  readonly hits: number;
  readonly newHits: number;
  readonly lostHits: number;
  readonly shadowHits: number;
  readonly indeterminate: number;
  readonly hitsAlone: number;
  readonly hitRate: number;
  readonly neverDecided: boolean;
}

export interface OutcomeFlip {
  readonly from: string;
  readonly to: string;
  readonly count: number;
  readonly examples: readonly string[];
}

export interface OutcomeChanges {
  readonly unchanged: number;
  readonly flips: readonly OutcomeFlip[];
}

export interface HistogramBar {
  readonly from: number;
  readonly to: number;
  readonly live: number;
  readonly tested: number;
}

export interface AlertDay {
  readonly day: string;
  readonly transactions: number;
  readonly live: number;
  readonly tested: number;
}

export interface RuleOverlap {
  readonly rules: readonly [string, string];
  readonly both: number;
  readonly likeness: number;
}

export interface BacktestReport {
  readonly snapshots: number;
  readonly rules: readonly RuleTally[];
  readonly outcomes: OutcomeChanges;
  readonly scoreHistogram: readonly HistogramBar[];
  readonly alertsPerDay: readonly AlertDay[];
  readonly overlap: readonly RuleOverlap[];
}
