import { componentNames, type ComponentName } from '../../language/index.js';

export { componentNames, type ComponentName };

/**
 * The outcome of a component. Only HIT, NO_HIT and HIT_DISMISSED mean that it had all its inputs. HIT_DISMISSED: people
 * have dismissed every hit.
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
  /** Marks speak against a result whatever its rules say: FROZEN, SINGLE_CONTROL. */
  readonly marks?: readonly IntegrityFlag[];
  /** The terms on which lists were asked. */
  readonly terms?: ListTermsUsed;
}

/**
 * FROZEN: the designation of a party is confirmed. SINGLE_CONTROL: the result follows from something that one person
 * alone has decided.
 */
export const marks = ['FROZEN', 'SINGLE_CONTROL'] as const;
export type IntegrityFlag = (typeof marks)[number];

/** Thresholds of each list from which a name is evidence or forces a decision; and lists that were off or stale. */
export interface ListTermsUsed {
  readonly thresholds: Readonly<Record<string, readonly [evidence: number, mandatory: number]>>;
  /** Lists that were taken out of use. */
  readonly off?: readonly string[];
  readonly stale?: readonly string[];
}

/** A fact provider's statement about a component, before any rule has looked. */
export type Finding = Omit<Component, 'points'>;
export type Findings = Readonly<Partial<Record<ComponentName, Finding>>>;

/** True if the component had all its inputs. */
export const isComplete = (state: ComponentState): boolean =>
  state === 'HIT' || state === 'NO_HIT' || state === 'HIT_DISMISSED';
