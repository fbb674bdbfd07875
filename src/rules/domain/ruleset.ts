import type { ComponentName } from './facts.js';

/** A condition over one fact. Closed on purpose: a ruleset is data, not code. */
export type Condition =
  | { readonly fact: 'amount'; readonly currency: string; readonly atLeast: string }
  | { readonly fact: 'countries'; readonly anyOf: readonly string[] }
  /** This transaction included. */
  | { readonly fact: 'customerCount24h'; readonly atLeast: number };

export interface LegalBasis {
  readonly norm: string;
  readonly item: string;
  readonly siscoafCode: number | null;
}

export interface Rule {
  readonly id: string;
  readonly version: number;
  readonly family: string;
  /** The component that a hit belongs to and whose evidence the rule reads. */
  readonly component: ComponentName;
  readonly when: Condition;
  readonly points: number;
  readonly minOutcome: 'REVIEW' | null;
  readonly recommend: 'NONE' | 'STEP_UP' | 'HOLD' | 'DECLINE';
  /** PARTIAL: the composition is partial when the rule cannot be decided; RECORD: it is only noted. */
  readonly onIndeterminate: 'PARTIAL' | 'RECORD';
  readonly message: { readonly 'pt-BR': string; readonly en: string };
  readonly legalBasis: readonly LegalBasis[];
}

export interface Scoring {
  readonly reviewAt: number;
  readonly familyCaps: Readonly<Record<string, number>>;
  /** The lowest score of each band; LOW begins at 0. */
  readonly bands: { readonly MEDIUM: number; readonly HIGH: number; readonly CRITICAL: number };
}

export interface RulesetContent {
  readonly key: string;
  readonly version: number;
  readonly rules: readonly Rule[];
  readonly scoring: Scoring;
  /** Components that a transaction type needs for a complete composition; `*` is for every type not named. */
  readonly requiredComponents: Readonly<Record<string, readonly ComponentName[]>>;
}

/** A published ruleset, pinned by its content hash. */
export interface PublishedRuleset {
  readonly id: string;
  readonly contentHash: string;
  readonly content: RulesetContent;
}
