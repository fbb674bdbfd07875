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
}

/** A fact provider's statement about a component, before any rule has looked. */
export type Finding = Omit<Component, 'points'>;
export type Findings = Readonly<Partial<Record<ComponentName, Finding>>>;

/** Looked at with all that it needed. */
export const isWhole = (state: ComponentState): boolean =>
  state === 'HIT' || state === 'NO_HIT' || state === 'HIT_DISMISSED';
