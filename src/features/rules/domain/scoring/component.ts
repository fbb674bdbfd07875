import { componentNames, type ComponentName } from '../../language/index.js';

export { componentNames, type ComponentName };

/**
 * The outcome of a component. Only HIT, NO_HIT and HIT_DISMISSED say that it was looked at with all it needed.
 * HIT_DISMISSED: what was found is nothing, as people have decided.
 */
export type ComponentState =
  'HIT' | 'NO_HIT' | 'HIT_DISMISSED' | 'PARTIAL' | 'ERROR' | 'MISSING_INPUT' | 'SKIPPED' | 'STALE_SOURCE';

export interface Component {
  readonly state: ComponentState;
  readonly source: string;
  /** The moment whose knowledge it reflects (ISO 8601). */
  readonly asOf: string;
  /** Points of the counted hits that belong to it, before caps. */
  readonly points: number;
  readonly reason?: string;
  /** The hits that were dismissed, by public id. */
  readonly hits?: readonly string[];
  /** Speaks against a result that nobody may defend alone: FROZEN, SINGLE_CONTROL. */
  readonly marks?: readonly Mark[];
  /** The terms that lists were asked on. */
  readonly terms?: ListTermsUsed;
}

/**
 * FROZEN: the transaction is of or to somebody whose designation is confirmed. SINGLE_CONTROL: something that it follows
 * from one person alone has decided.
 */
export const marks = ['FROZEN', 'SINGLE_CONTROL'] as const;
export type Mark = (typeof marks)[number];

/** Thresholds from which a name counts as evidence and from which it forces a decision, by list; and what was not whole. */
export interface ListTermsUsed {
  readonly thresholds: Readonly<Record<string, readonly [evidence: number, mandatory: number]>>;
  /** Lists that were taken out of use. */
  readonly off?: readonly string[];
  readonly stale?: readonly string[];
}

/** A fact provider's statement about a component, before any rule has looked. */
export type Finding = Omit<Component, 'points'>;
export type Findings = Readonly<Partial<Record<ComponentName, Finding>>>;

/** Looked at with all that it needed. */
export const isWhole = (state: ComponentState): boolean =>
  state === 'HIT' || state === 'NO_HIT' || state === 'HIT_DISMISSED';
