import { componentNames, type ComponentName } from '../language/index.js';

export { componentNames, type ComponentName };

/** What became of a component. Only HIT and NO_HIT say that it was looked at with all it needed. */
export type ComponentState =
  'HIT' | 'NO_HIT' | 'PARTIAL' | 'ERROR' | 'MISSING_INPUT' | 'SKIPPED' | 'STALE_SOURCE';

export interface Component {
  readonly state: ComponentState;
  readonly source: string;
  /** The moment whose knowledge it reflects (ISO 8601). */
  readonly asOf: string;
  /** Points of the counted hits that belong to it, before caps. */
  readonly points: number;
  readonly reason?: string;
}

/** What a provider of facts says about a component, before any rule has looked. */
export type Finding = Omit<Component, 'points'>;
export type Findings = Readonly<Partial<Record<ComponentName, Finding>>>;

/** Looked at with all that it needed. */
export const isWhole = (state: ComponentState): boolean => state === 'HIT' || state === 'NO_HIT';
