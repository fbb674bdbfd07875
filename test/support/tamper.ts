import { expect } from '@jest/globals';
import { AuditTrail, auditDraftOf, systemActor } from '../../src/features/audit/index.js';
import { UnitOfWork, type Tx } from '../../src/platform/database/index.js';
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
    const { rows } = await owner.query<{ tgname: string; mode: string }>(
      `SELECT tgname, CASE tgenabled WHEN 'A' THEN 'ENABLE ALWAYS' WHEN 'D' THEN 'DISABLE' ELSE 'ENABLE' END AS mode
       FROM pg_trigger WHERE tgrelid = $1::regclass AND NOT tgisinternal`,
      [table],
    );
    await owner.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    const { rowCount } = await owner.query(change, values);
    expect(rowCount).toBeGreaterThan(0);
    for (const { tgname, mode } of rows) {
      await owner.query(`ALTER TABLE ${table} ${mode} TRIGGER ${tgname}`);
    }
    await owner.query('COMMIT');
  } catch (error) {
    await owner.query('ROLLBACK');
    throw error;
  } finally {
    owner.release();
  }
}

/**
 * Changes rows as the service does, with an entry about nothing that anybody reads, so that the database binds what is left
 * behind. Whoever writes such entries is the service to the database.
 */
export async function asTheService(
  t: TestApp,
  organisationId: string,
  change: string,
  values: unknown[],
): Promise<void> {
  await t.app.get(UnitOfWork).run(organisationId, async (tx) => {
    await aStep(t, tx, organisationId);
    await tx.query(change, values);
  });
}

/** Writes an entry, as whoever changes rows for the service does in the same transaction. */
export async function aStep(t: TestApp, tx: Tx, organisationId: string): Promise<void> {
  const ctx = systemActor(organisationId, 'test');
  const step = auditDraftOf(ctx, 'operations', organisationId, 'ops.queue.rebuilt', new Date(), {});
  await t.app.get(AuditTrail).record(tx, [step]);
}

/** Binds the rows of a subject as they are now: for tests that move a time instead of letting it pass. */
export async function bindAnew(t: TestApp, kind: string, id: string): Promise<void> {
  const { rows } = await t.owner.query<{ organisation: string }>(
    `SELECT organisation_id AS organisation FROM audit_entries
     WHERE subject_type = 'state' AND subject_id = $1::text || ':' || $2::text LIMIT 1`,
    [kind, id],
  );
  expect(rows).toHaveLength(1);
  const [{ organisation } = { organisation: '' }] = rows;
  await asTheService(t, organisation, 'SELECT audit_bind($1, $2, $3, NULL)', [organisation, kind, id]);
}
