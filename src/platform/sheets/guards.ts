/**
 * A database trigger that refuses a change of rows in a transaction of the service that applied no approved request for it.
 * `migrate` creates it, so that a new act is no migration. The trigger applies to the role of the service. The owner of the
 * tables, who migrates and restores, could drop a trigger anyway; the check of all trails detects changes made outside the
 * service.
 */
export type Guard =
  | ({ readonly kind: 'CHANGED'; readonly id: 'id' | 'merged_into,id' } & GuardedRows)
  | ({
      readonly kind: 'EXACT';
      readonly orCommandLine: boolean;
      readonly request: Readonly<Record<string, string>>;
    } & GuardedRows)
  | { readonly kind: 'INSERTS'; readonly table: string; readonly name: string; readonly when: string };

interface GuardedRows {
  readonly table: string;
  /** Suffix of the trigger's name: the property that needs the approval. */
  readonly name: string;
  readonly on: 'INSERT' | 'UPDATE' | 'INSERT OR UPDATE';
  /** The condition on `NEW`, and on `OLD` of an update, under which an approval is needed. */
  readonly when: string;
  /** Columns, each with the name of its value in the request. */
  readonly values: Readonly<Record<string, string>>;
}

interface ChangedRows extends Partial<Pick<GuardedRows, 'name' | 'on' | 'values'>> {
  readonly when: string;
  /** The columns that hold the id of the approval's subject: the first one with a value. */
  readonly id?: 'id' | 'merged_into,id';
}

/** Guards columns: those that change must have the values of the request. */
export const guardChange = (table: string, rows: ChangedRows): Guard => ({
  ...{ kind: 'CHANGED', table, name: 'approved', on: 'UPDATE', id: 'id', values: {} },
  ...rows,
});

interface ExactRows extends Partial<Pick<GuardedRows, 'name' | 'on' | 'values'>> {
  readonly when: string;
  /** The command line needs no second person; its audit entry records the change. */
  readonly orCommandLine?: true;
  /** Columns, each with the column of the request that has its value. */
  readonly request?: Readonly<Record<string, string>>;
}

/** Guards rows that store a requested change before it takes effect: all values are compared, changed or not. */
export const guardRows = (table: string, rows: ExactRows): Guard => ({
  ...{ kind: 'EXACT', table, name: 'approved', on: 'UPDATE', orCommandLine: false, values: {}, request: {} },
  ...rows,
});

/** Refuses the insert of a row whose state only an approved request may set. */
export const guardInserts = (table: string, name: string, when: string): Guard => ({
  ...{ kind: 'INSERTS', table, name, when },
});
