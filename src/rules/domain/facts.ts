import { componentNames, type ComponentName } from '../language/index.js';

export { componentNames, type ComponentName };

/** What became of a component. Only HIT and NO_HIT say that it was looked at with all it needed. */
export type ComponentState =
  'HIT' | 'NO_HIT' | 'PARTIAL' | 'ERROR' | 'MISSING_INPUT' | 'SKIPPED' | 'STALE_SOURCE';

export interface Component {
  readonly state: ComponentState;
  readonly source: string;
  /** The moment whose knowledge it reflects. */
  readonly asOf: string;
  readonly points: number;
  readonly reason?: string;
}

/** A value that a rule may look at, or why there is none. A missing value is never a zero. */
export type Fact<T> =
  | { readonly known: true; readonly value: T; readonly saturated?: boolean }
  | { readonly known: false; readonly reason: string };

export const known = <T>(value: T, saturated = false): Fact<T> => ({
  known: true,
  value,
  ...(saturated ? { saturated } : {}),
});
export const unknown = (reason: string): Fact<never> => ({ known: false, reason });

/** Everything that a ruleset may look at, about one transaction. */
export interface Facts {
  readonly type: string;
  readonly amount: Fact<string>;
  readonly currency: string;
  /** ISO 3166-1 alpha-2 codes of the participants that name one. */
  readonly countries: Fact<readonly string[]>;
  /** Earlier transactions of the same customer in the 24 hours up to this one, this one not counted. */
  readonly customerCount24h: Fact<number>;
}

/** What fact providers found out about their component, before any rule has looked. */
export interface Evidence {
  readonly facts: Facts;
  readonly components: Readonly<Partial<Record<ComponentName, Omit<Component, 'points'>>>>;
  /** Facts that contradict each other, by code. */
  readonly contradictions: readonly string[];
}
