import { createHash } from 'node:crypto';
import type { Statement } from './sql.js';

/**
 * One part of a composite statement: a query that changes one table. Its `$1…` are its own values; it may read what
 * an earlier clause returned, by that clause's name.
 */
export interface Clause {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Many writes as one statement: one message to the database and one commit, instead of one message each. */
export interface Composite extends Statement {
  readonly values: readonly unknown[];
}

/**
 * A condition that holds where `column` is among what `from` returned. The planner cannot turn it into a join: it always
 * looks up a hash table. A join it would sometimes make a nested loop over both, because a queue that was empty when it
 * was last analysed counts as one row; that is quadratic in a full one.
 */
export const among = (column: string, from: string, key = 'id'): string =>
  `(${column} IN (SELECT ${key} FROM ${from})) IS TRUE`;

// For the same name and the same clauses the text is the same; only the values differ.
const known = new Map<string, { readonly text: string; readonly name: string }>();

// What PostgreSQL keeps of the name of a prepared statement: two longer ones could be taken for each other.
const MAX_NAME_LENGTH = 63;

/** The key as far as it fits, and its hash where it does not. */
const statementName = (key: string): string =>
  key.length <= MAX_NAME_LENGTH
    ? key
    : `${key.slice(0, 40)}-${createHash('sha256').update(key).digest('hex').slice(0, 22)}`;

/**
 * Joins clauses into one statement that returns `result`. Every clause runs, or none takes effect. With `prepared` it is
 * a prepared statement (`Statement.name`): worth it where the same clauses come again and again.
 */
export function composite(
  name: string,
  clauses: readonly Clause[],
  result: string,
  { prepared }: { readonly prepared: boolean },
): Composite {
  const key = [name, ...clauses.map((clause) => clause.name)].join('-');
  let statement = known.get(key);
  if (statement === undefined) {
    statement = { text: join(clauses, result), name: statementName(key) };
    known.set(key, statement);
  }
  const { text, name: prepareAs } = statement;
  return {
    text,
    values: clauses.flatMap((clause) => clause.values),
    ...(prepared ? { name: prepareAs } : {}),
  };
}

function join(clauses: readonly Clause[], result: string): string {
  let offset = 0;
  const parts = clauses.map(({ name, text, values }) => {
    const first = offset;
    offset += values.length;
    return `${name} AS (${text.replace(/\$(\d+)/g, (_, n: string) => `$${first + Number(n)}`)})`;
  });
  return `WITH ${parts.join(',\n')}\n${result}`;
}
