import { componentNames, type ComponentName } from '../../language/index.js';

export { componentNames, type ComponentName };

/**
 * The outcome of a component. Only HIT, NO_HIT and HIT_DISMISSED mean that it had all its inputs. HIT_DISMISSED: people
 * have dismissed every hit.
 */
export type ComponentState =
  'HIT' | 'NO_HIT' | 'HIT_DISMISSED' | 'PARTIAL' | 'ERROR' | 'MISSING_INPUT' | 'SKIPPED' | 'STALE_SOURCE';

export interface ScoreComponent {
  readonly state: ComponentState;
  readonly source: string;
  /** The time of the data that the component is based on (ISO 8601). */
  readonly asOf: string;
  /** Points of its counted hits, before caps. */
  readonly points: number;
  readonly reason?: string;
  /** Public ids of the dismissed hits. */
  readonly hits?: readonly string[];
  /** Marks make a result not defensible regardless of its rules: FROZEN, SINGLE_CONTROL. */
  readonly marks?: readonly IntegrityFlag[];
  /** The thresholds and lists in force when names were compared with lists. */
  readonly terms?: ListTermsUsed;
}

/**
 * FROZEN: the designation of a party is confirmed, so its assets are frozen. SINGLE_CONTROL: the result depends on
 * something that one person alone decided.
 */
export const marks = ['FROZEN', 'SINGLE_CONTROL'] as const;
export type IntegrityFlag = (typeof marks)[number];

/**
 * Minimum scores of each list, for a hit and for a hit that an operator must decide; and the lists that are off or
 * stale.
 */
export interface ListTermsUsed {
  readonly thresholds: Readonly<Record<string, readonly [evidence: number, mandatory: number]>>;
  /** Lists that were taken out of use. */
  readonly off?: readonly string[];
  readonly stale?: readonly string[];
}

/** A fact provider's statement about a component, before rules are evaluated. */
export type ComponentFinding = Omit<ScoreComponent, 'points'>;
export type ComponentFindings = Readonly<Partial<Record<ComponentName, ComponentFinding>>>;

/** True if the component had all its inputs. */
export const isComplete = (state: ComponentState): boolean =>
  state === 'HIT' || state === 'NO_HIT' || state === 'HIT_DISMISSED';
