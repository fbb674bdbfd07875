import type { EntityManager } from 'typeorm';

/**
 * A statement for the hot paths, run on the driver itself: the entity machinery costs more there than the database.
 * Give a `name` (a prepared statement) to INSERTs only. A named SELECT planned on empty tables keeps its bad plan.
 */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

interface Driver {
  query(config: { name?: string; text: string; values: readonly unknown[] }): Promise<{
    rows: unknown[];
    rowCount: number | null;
  }>;
}

/** Runs a statement in the caller's transaction and returns its rows. The caller names their type. */
export async function execute<Row>(
  tx: EntityManager,
  statement: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const runner = tx.queryRunner;
  if (!runner) throw new Error('execute needs a transaction or a connected query runner');
  const driver = (await runner.connect()) as Driver;
  const result = await driver.query({ ...statement, values });
  return result.rows as Row[];
}

/**
 * Array parameters for `unnest`, written as PostgreSQL array literals. The driver's own encoder inspects every
 * element; these know the type, which matters at hundreds of rows and two dozen columns per statement.
 */
export const sqlArray = {
  /** Values that need no quoting: numbers, UUIDs, timestamps in ISO form. */
  plain: (values: readonly (string | number | boolean | null)[]): string => {
    let out = '{';
    for (let i = 0; i < values.length; i += 1) {
      const value = values[i];
      out += (i === 0 ? '' : ',') + (value === null || value === undefined ? 'NULL' : String(value));
    }
    return `${out}}`;
  },
  bytes: (values: readonly (Buffer | null)[]): string => {
    let out = '{';
    for (let i = 0; i < values.length; i += 1) {
      const value = values[i];
      // The literal's own escaping doubles the backslash of \x.
      out += (i === 0 ? '' : ',') + (value ? `"\\\\x${value.toString('hex')}"` : 'NULL');
    }
    return `${out}}`;
  },
  text: (values: readonly (string | null)[]): string => {
    let out = '{';
    for (let i = 0; i < values.length; i += 1) {
      const value = values[i];
      out += (i === 0 ? '' : ',') + (value === null || value === undefined ? 'NULL' : quote(value));
    }
    return `${out}}`;
  },
} as const;

const SPECIAL = /["\\]/g;
const quote = (value: string): string => `"${value.replace(SPECIAL, '\\$&')}"`;
