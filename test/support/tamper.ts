import { expect } from '@jest/globals';
import type { TestApp } from './app.js';

/**
 * Changes rows as the owner of the server could: switches the triggers of the table off, makes the change, and switches
 * them on again.
 */
export async function behindItsBack(
  t: TestApp,
  table: string,
  change: string,
  values: unknown[],
): Promise<void> {
  const owner = await t.owner.connect();
  try {
    await owner.query('BEGIN');
    await owner.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    const { rowCount } = await owner.query(change, values);
    expect(rowCount).toBeGreaterThan(0);
    const { rows } = await owner.query<{ tgname: string; always: boolean }>(
      `SELECT tgname, tgname NOT LIKE '%insert_only' AS always FROM pg_trigger
       WHERE tgrelid = $1::regclass AND NOT tgisinternal`,
      [table],
    );
    for (const { tgname, always } of rows) {
      await owner.query(`ALTER TABLE ${table} ENABLE ${always ? 'ALWAYS' : ''} TRIGGER ${tgname}`);
    }
    await owner.query('COMMIT');
  } catch (error) {
    await owner.query('ROLLBACK');
    throw error;
  } finally {
    owner.release();
  }
}
