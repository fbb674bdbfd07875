import type { BacktestReport } from './backtest-report.js';
import type { RuleDefinition } from '../../language/index.js';

/** The original result of a transaction, under the ruleset that was live at the time. */
export interface RecordedResult extends BacktestOutcome {
  readonly transactionRef: string;
  /** Milliseconds since the epoch. */
  readonly occurredAt: number;
}

/** The result under the ruleset that is tested. */
export interface BacktestResult extends BacktestOutcome {
  /** Rules that could not be decided for want of a fact. */
  readonly indeterminate: readonly string[];
  /** Hits of SHADOW rules. */
  readonly shadow: readonly string[];
}

export interface BacktestOutcome {
  readonly outcome: string;
  /** Null if there was no score. */
  readonly score: number | null;
  readonly hits: readonly string[];
}

/** A tally from which an interrupted run continues; `after` is the last transaction that it counts. */
export interface BacktestCheckpoint {
  readonly after: string;
  /** Snapshots of the range that were read, including transactions that the selector does not match. */
  readonly done: number;
  readonly tally: TallyState;
}

interface TallyState {
  readonly snapshots: number;
  readonly unchanged: number;
  readonly rules: Readonly<Record<string, readonly number[]>>;
  readonly flips: Readonly<Record<string, { readonly count: number; readonly examples: readonly string[] }>>;
  readonly scores: { readonly live: readonly number[]; readonly tested: readonly number[] };
  readonly days: Readonly<Record<string, readonly [number, number, number]>>;
  readonly pairs: Readonly<Record<string, number>>;
}

interface RuleCounts {
  hits: number;
  fresh: number;
  lost: number;
  shadow: number;
  indeterminate: number;
  alone: number;
  /** Number of partial tallies in which some transaction decided the rule; 0 if no transaction did. */
  decided: number;
}

/** True if an operator has to act; a challenged transaction waits for the customer instead. */
const isAlert = ({ outcome }: BacktestOutcome): boolean => outcome !== 'APPROVED' && outcome !== 'CHALLENGED';

const MAX_EXAMPLES = 20;
const PAIRS_SHOWN = 50;
const BUCKET_SIZE = 10;
const MAX_SCORE = 100;

/** Counts the evaluations that a tested ruleset would have changed. Pure; independent of the order of snapshots. */
export class BacktestTally {
  private snapshotCount = 0;
  private unchangedCount = 0;
  private readonly rules = new Map<string, RuleCounts>();
  private readonly flips = new Map<string, { count: number; examples: string[] }>();
  private readonly liveScores = new Array<number>(MAX_SCORE + 1).fill(0);
  private readonly testedScores = new Array<number>(MAX_SCORE + 1).fill(0);
  private readonly days = new Map<string, [number, number, number]>();
  private readonly pairs = new Map<string, number>();

  /** Every rule of the tested ruleset has its line, even if it never hits. */
  constructor(
    rules: readonly string[],
    private readonly dayOf: (at: number) => string,
  ) {
    for (const key of rules) this.countsOf(key);
  }

  /** Makes a tally of the rules that are not DISABLED. */
  static ofRules(
    rules: readonly Pick<RuleDefinition, 'key' | 'mode'>[],
    dayOf: (at: number) => string,
  ): BacktestTally {
    const keys = rules.filter(({ mode }) => mode !== 'DISABLED').map(({ key }) => key);
    return new BacktestTally(keys, dayOf);
  }

  add(live: RecordedResult, tested: BacktestResult): void {
    this.snapshotCount += 1;
    this.addOutcome(live, tested);
    if (live.score !== null) this.count(this.liveScores, live.score);
    if (tested.score !== null) this.count(this.testedScores, tested.score);
    const day = this.dayCountsAt(live.occurredAt);
    day[0] += 1;
    if (isAlert(live)) day[1] += 1;
    if (isAlert(tested)) day[2] += 1;
    this.addHits(live.hits, tested.hits);
    for (const key of tested.indeterminate) this.countsOf(key).indeterminate += 1;
    for (const key of tested.shadow) this.countsOf(key).shadow += 1;
  }

  /** Records that the rule was not indeterminate for some transaction. */
  addDecided(key: string): void {
    this.countsOf(key).decided += 1;
  }

  report(): BacktestReport {
    const total = Math.max(1, this.snapshotCount);
    return {
      snapshots: this.snapshotCount,
      rules: [...this.rules].map(([key, counts]) => ({
        key,
        hits: counts.hits,
        newHits: counts.fresh,
        lostHits: counts.lost,
        shadowHits: counts.shadow,
        indeterminate: counts.indeterminate,
        hitsAlone: counts.alone,
        hitRate: counts.hits / total,
        neverDecided: counts.indeterminate > 0 && counts.decided === 0,
      })),
      outcomes: {
        unchanged: this.unchangedCount,
        flips: [...this.flips]
          .map(([name, { count, examples }]) => {
            const [from = '', to = ''] = name.split('>');
            return { from, to, count, examples };
          })
          .sort((a, b) => b.count - a.count),
      },
      scoreHistogram: this.buildHistogram(),
      alertsPerDay: [...this.days]
        .map(([day, [transactions, live, tested]]) => ({ day, transactions, live, tested }))
        .sort((a, b) => (a.day < b.day ? -1 : 1)),
      overlap: this.listOverlaps(),
    };
  }

  state(): TallyState {
    return {
      snapshots: this.snapshotCount,
      unchanged: this.unchangedCount,
      rules: Object.fromEntries(
        [...this.rules].map(([key, c]) => [
          key,
          [c.hits, c.fresh, c.lost, c.shadow, c.indeterminate, c.alone, c.decided],
        ]),
      ),
      flips: Object.fromEntries(this.flips),
      scores: { live: this.liveScores, tested: this.testedScores },
      days: Object.fromEntries(this.days),
      pairs: Object.fromEntries(this.pairs),
    };
  }

  /** Adds another tally: that of an interrupted run, or of another thread. */
  addTally(state: TallyState): void {
    this.snapshotCount += state.snapshots;
    this.unchangedCount += state.unchanged;
    for (const [
      key,
      [hits = 0, fresh = 0, lost = 0, shadow = 0, indeterminate = 0, alone = 0, decided = 0],
    ] of Object.entries(state.rules)) {
      const counts = this.countsOf(key);
      counts.hits += hits;
      counts.fresh += fresh;
      counts.lost += lost;
      counts.shadow += shadow;
      counts.indeterminate += indeterminate;
      counts.alone += alone;
      counts.decided += decided;
    }
    for (const [name, { count, examples }] of Object.entries(state.flips)) {
      const flip = this.flipOf(name);
      flip.count += count;
      flip.examples.push(...examples.slice(0, MAX_EXAMPLES - flip.examples.length));
    }
    state.scores.live.forEach(
      (count, score) => (this.liveScores[score] = (this.liveScores[score] ?? 0) + count),
    );
    state.scores.tested.forEach(
      (count, score) => (this.testedScores[score] = (this.testedScores[score] ?? 0) + count),
    );
    for (const [name, [transactions, live, tested]] of Object.entries(state.days)) {
      const day = this.dayCounts(name);
      day[0] += transactions;
      day[1] += live;
      day[2] += tested;
    }
    for (const [pair, both] of Object.entries(state.pairs)) {
      this.pairs.set(pair, (this.pairs.get(pair) ?? 0) + both);
    }
  }

  private addOutcome(live: RecordedResult, { outcome: to }: BacktestResult): void {
    const from = live.outcome;
    if (from === to) {
      this.unchangedCount += 1;
      return;
    }
    const flip = this.flipOf(`${from}>${to}`);
    flip.count += 1;
    if (flip.examples.length < MAX_EXAMPLES) flip.examples.push(live.transactionRef);
  }

  private addHits(live: readonly string[], tested: readonly string[]): void {
    for (let i = 0; i < tested.length; i += 1) {
      const key = tested[i] ?? '';
      const counts = this.countsOf(key);
      counts.hits += 1;
      if (!live.includes(key)) counts.fresh += 1;
      if (tested.length === 1) counts.alone += 1;
      for (let j = i + 1; j < tested.length; j += 1) {
        const other = tested[j] ?? '';
        const pair = key < other ? `${key}|${other}` : `${other}|${key}`;
        this.pairs.set(pair, (this.pairs.get(pair) ?? 0) + 1);
      }
    }
    // A rule that the tested ruleset lacks also loses its hits.
    for (const key of live) if (!tested.includes(key)) this.countsOf(key).lost += 1;
  }

  private buildHistogram(): BacktestReport['scoreHistogram'] {
    const sum = (counts: readonly number[], from: number, to: number): number =>
      counts.slice(from, to + 1).reduce((total, count) => total + count, 0);
    return Array.from({ length: MAX_SCORE / BUCKET_SIZE }, (_, i) => {
      const from = i * BUCKET_SIZE;
      // A score of 100 belongs to the last bucket.
      const to = from + BUCKET_SIZE === MAX_SCORE ? MAX_SCORE : from + BUCKET_SIZE - 1;
      return { from, to, live: sum(this.liveScores, from, to), tested: sum(this.testedScores, from, to) };
    });
  }

  private listOverlaps(): BacktestReport['overlap'] {
    return [...this.pairs]
      .sort((a, b) => b[1] - a[1])
      .slice(0, PAIRS_SHOWN)
      .map(([pair, both]) => {
        const [a = '', b = ''] = pair.split('|');
        return {
          rules: [a, b],
          both,
          likeness: both / (this.countsOf(a).hits + this.countsOf(b).hits - both),
        };
      });
  }

  private count(counts: number[], score: number): void {
    const place = Math.min(MAX_SCORE, Math.max(0, Math.round(score)));
    counts[place] = (counts[place] ?? 0) + 1;
  }

  private countsOf(key: string): RuleCounts {
    let counts = this.rules.get(key);
    if (!counts) {
      counts = { hits: 0, fresh: 0, lost: 0, shadow: 0, indeterminate: 0, alone: 0, decided: 0 };
      this.rules.set(key, counts);
    }
    return counts;
  }

  private flipOf(name: string): { count: number; examples: string[] } {
    let flip = this.flips.get(name);
    if (!flip) this.flips.set(name, (flip = { count: 0, examples: [] }));
    return flip;
  }

  private dayCountsAt(at: number): [number, number, number] {
    return this.dayCounts(this.dayOf(at));
  }

  private dayCounts(name: string): [number, number, number] {
    let day = this.days.get(name);
    if (!day) this.days.set(name, (day = [0, 0, 0]));
    return day;
  }
}
