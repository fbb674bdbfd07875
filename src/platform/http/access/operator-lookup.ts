import type { Permission } from './permissions.js';

/** An operator to whom work can be assigned. */
export interface OperatorSummary {
  readonly id: string;
  readonly kind: 'PERSON' | 'MACHINE';
  readonly name: string;
  readonly permissions: ReadonlySet<Permission>;
}

/** Finds the operators of an organisation. The module `operators` implements it for modules that assign work. */
export abstract class OperatorLookup {
  /** Returns the operators that are not disabled, in the order in which they were added. */
  abstract listEnabled(organisationId: string): Promise<OperatorSummary[]>;

  /** Returns names and roles by operator id, including disabled operators; a machine has no role. */
  abstract listOperators(
    organisationId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly name: string; readonly roles: readonly string[] }>>;

  /** Returns names by operator id, including disabled operators. */
  abstract readNames(organisationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
