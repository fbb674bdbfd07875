import { createHash } from 'node:crypto';
import { statementForms, type RowOf, type Shape, type Statement } from './statements.js';

/**
 * One part of a composite statement: a query that changes one table. Its `$1…` are its own values; it may read what
 * an earlier clause returned, by that clause's name.
 */
export interface Clause {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * A condition: `column` is among the rows that `from` returned. The planner cannot turn it into a join and always looks up
 * a hash table. A join could become a nested loop over both, because a queue that was empty when it was last analysed
 * counts as one row; that is quadratic in a full one.
 */
export const isIn = (column: string, from: string, key = 'id'): string =>
  `(${column} IN (SELECT ${key} FROM ${from})) IS TRUE`;

// PostgreSQL cuts names of prepared statements here: two longer ones could be taken for each other.
const MAX_NAME_LENGTH = 63;

/** Returns the key, or its beginning and its hash if it is too long. */
const statementName = (key: string): string =>
  key.length <= MAX_NAME_LENGTH
    ? key
    : `${key.slice(0, 40)}-${createHash('sha256').update(key).digest('hex').slice(0, 22)}`;

interface CompositeParts<Parts, S extends Shape> {
  /** Clauses of the same names must have the same texts: only the presence of parts may change a text. */
  readonly clauses: (parts: Parts) => readonly Clause[];
  /** Stand-ins for the values of each part, as far as they change the clauses. */
  readonly every: Every<NoInfer<Parts>>;
  readonly result: string;
  readonly shape: S;
  /** A prepared statement (`Statement.name`): worth it where the same clauses come again and again. */
  readonly prepared: boolean;
}

type Every<Parts> = { readonly [Part in keyof Parts]: readonly Parts[Part][] };

/** The rows of a composite: `RowsOf<typeof CONCLUDE>`. */
export type RowsOf<C> = C extends (parts: never) => readonly [Statement<infer Row>, ...unknown[]]
  ? Row
  : never;

/**
 * Many writes as one statement that returns `result`: one message to the database and one commit, instead of one message
 * each. Every clause runs, or none takes effect. Gives what `UnitOfWork.write` takes: the statement and its values.
 */
export function composite<Parts, const S extends Shape>(
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
      return { title, text: join(made, result), prepareAs: prepared ? statementName(title) : undefined };
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

function join(clauses: readonly Clause[], result: string): string {
  let offset = 0;
  const parts = clauses.map(({ name, text, values }) => {
    const first = offset;
    offset += values.length;
    return `${name} AS (${text.replace(/\$(\d+)/g, (_, n: string) => `$${first + Number(n)}`)})`;
  });
  return `WITH ${parts.join(',\n')}\n${result}`;
}

/** The ids that a clause returned, as the result of a composite statement or for another clause. */
export const idsOf = (clause: string): string => `SELECT id FROM ${clause}`;

/** A clause that returns these ids, for clauses that store only rows of theirs. */
export const givenIds = (name: string, ids: readonly string[]): Clause => ({
  name,
  text: 'SELECT unnest($1::uuid[]) AS id',
  values: [ids],
});
