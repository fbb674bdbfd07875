import type { Permission } from './permissions.js';

/** An operator to whom work can be given. */
export interface OperatorSummary {
  readonly id: string;
  readonly kind: 'PERSON' | 'MACHINE';
  readonly name: string;
  readonly permissions: ReadonlySet<Permission>;
}

/** Finds the operators of an organisation. The module of the operators provides it to modules that hand out work. */
export abstract class OperatorLookup {
  /** Operators that are not disabled, in the order in which they were added. */
  abstract enabled(organisationId: string): Promise<OperatorSummary[]>;

  /** The names and roles of these operators by their ids, of those who are disabled too; a machine has no role. */
  abstract people(
    organisationId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly name: string; readonly roles: readonly string[] }>>;

  /** The names of these operators by their ids, of those who are disabled too. */
  abstract names(organisationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
