import { createHash } from 'node:crypto';
import { shiftParameters } from './sql.js';
import { statementForms, type RowOf, type RowShape, type Statement } from './statements.js';

/**
 * One part of a composite statement: a common table expression (WITH) that changes one table. Its `$1…` are its own
 * `values`. It can read the rows that an earlier clause returned, by the name of that clause.
 */
export interface Clause {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * A condition: `column` is among the rows that `from` returned. Because of `IS TRUE` the planner cannot turn it into a
 * join, and always uses a hash table. A join could become a nested loop, because the planner expects one row in a
 * queue that was empty at the last ANALYZE; with a full queue that loop takes quadratic time.
 */
export const isIn = (column: string, from: string, key = 'id'): string =>
  `(${column} IN (SELECT ${key} FROM ${from})) IS TRUE`;

// PostgreSQL truncates longer names of prepared statements, so that two of them could become equal.
const MAX_NAME_LENGTH = 63;

/** Returns the key, or its beginning and its hash if it is too long. */
const statementName = (key: string): string =>
  key.length <= MAX_NAME_LENGTH
    ? key
    : `${key.slice(0, 40)}-${createHash('sha256').update(key).digest('hex').slice(0, 22)}`;

interface CompositeParts<Parts, S extends RowShape> {
  /** Must return the same texts for the same names of clauses: only the presence of a part may change a text. */
  readonly clauses: (parts: Parts) => readonly Clause[];
  /** Example values of each part: one for each value that changes the clauses. All combinations are registered. */
  readonly every: Every<NoInfer<Parts>>;
  readonly result: string;
  readonly shape: S;
  /** True for a prepared statement (`Statement.name`): worth it if the same clauses are used often. */
  readonly prepared: boolean;
}

type Every<Parts> = { readonly [Part in keyof Parts]: readonly Parts[Part][] };

/** The rows of a composite: `RowsOf<typeof CONCLUDE>`. */
export type RowsOf<C> = C extends (parts: never) => readonly [Statement<infer Row>, ...unknown[]]
  ? Row
  : never;

/**
 * Combines many writes into one statement that returns `result`: one round trip and one commit. All clauses take
 * effect, or none does. The function returns the arguments for `UnitOfWork.write`: the statement and its values.
 */
export function composite<Parts, const S extends RowShape>(
  name: string,
  { clauses, every, result, shape, prepared }: CompositeParts<Parts, S>,
): (parts: Parts) => [statement: Statement<RowOf<S>>, values: readonly unknown[]] {
  const titleOf = (made: readonly Clause[]): string => [name, ...made.map((clause) => clause.name)].join('-');
  const formOf = statementForms(name, shape, () =>
    combinations(every).map((parts) => {
      const made = clauses(parts);
      const title = titleOf(made);
      const repeated = made.find((clause, i) => made.findIndex((one) => one.name === clause.name) !== i);
      if (repeated) throw new Error(`Two clauses of ${name} are called ${repeated.name}.`);
      return {
        title,
        text: joinClauses(made, result),
        prepareAs: prepared ? statementName(title) : undefined,
      };
    }),
  );
  return (parts) => {
    const made = clauses(parts);
    return [formOf(titleOf(made)), made.flatMap((clause) => clause.values)];
  };
}

const combinations = <Parts>(every: Every<Parts>): Parts[] =>
  Object.entries<readonly unknown[]>(every).reduce<object[]>(
    (choices, [part, values]) => choices.flatMap((one) => values.map((value) => ({ [part]: value, ...one }))),
    [{}],
  ) as Parts[];

function joinClauses(clauses: readonly Clause[], result: string): string {
  let offset = 0;
  const parts = clauses.map(({ name, text, values }) => {
    const first = offset;
    offset += values.length;
    return `${name} AS (${shiftParameters(text, first)})`;
  });
  return `WITH ${parts.join(',\n')}\n${result}`;
}

/**
 * Returns a query for the ids that a clause returned: the result of a composite statement, or part of another clause.
 */
export const selectIds = (clause: string): string => `SELECT id FROM ${clause}`;

/** A clause that returns `ids`, for clauses that write only rows with one of them (`isIn`). */
export const idsClause = (name: string, ids: readonly string[]): Clause => ({
  name,
  text: 'SELECT unnest($1::uuid[]) AS id',
  values: [ids],
});
