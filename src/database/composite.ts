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

// For the same name and as many clauses the text is the same; only the values differ.
const texts = new Map<string, string>();

/**
 * Joins clauses into one statement that returns `result`. Every clause runs, or none takes effect. With `prepared`
 * the statement is planned once: only for statements whose plan cannot depend on how full the tables are.
 */
export function composite(
  name: string,
  clauses: readonly Clause[],
  result: string,
  { prepared }: { readonly prepared: boolean },
): Composite {
  const key = `${name}-${clauses.length}`;
  let text = texts.get(key);
  if (text === undefined) {
    text = join(clauses, result);
    texts.set(key, text);
  }
  return { ...(prepared ? { name: key } : {}), text, values: clauses.flatMap((clause) => clause.values) };
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
