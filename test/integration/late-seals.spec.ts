import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditTrail, CHAIN_START, composeEntry } from '../../src/audit/index.js';
import { LateSeals } from '../../src/audit/watch/late-seals.service.js';
import type { TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { behindItsBack } from '../support/tamper.js';
import { eventually } from '../support/eventually.js';

let t: TestApp;
let client: TestClient;

beforeAll(async () => {
  t = await startTestApp();
  client = await t.client();
});
afterAll(() => t.close());

const trigger = (state: 'DISABLE' | 'ENABLE ALWAYS'): Promise<unknown> =>
  t.owner.query(`ALTER TABLE audit_entries ${state} TRIGGER audit_entries_await_seal`);

async function judged(count: number): Promise<string[]> {
  const items = Array.from({ length: count }, () => aTransaction());
  await t.api.as(client).ingestBatch(items).expect(207);
  return eventually('their evaluations', async () => {
    const { rows } = await t.owner.query<{ id: string }>(
      `SELECT t.id FROM kyt_transactions t JOIN kyt_evaluations e ON e.transaction_ref = t.id
       WHERE t.transaction_id = ANY($1)`,
      [items.map(({ transactionId }) => transactionId)],
    );
    return rows.length === count ? rows.map(({ id }) => id) : undefined;
  });
}

const unsealed = async (): Promise<number> => {
  const { rows } = await t.owner.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM audit_entries e LEFT JOIN audit_leaves l
       USING (organisation_id, subject_type, subject_id, subject_seq) WHERE l.hash IS NULL AND e.subject_type IN ('transaction', 'delivery') AND e.organisation_id = $1`,
    [client.organisationId],
  );
  return rows[0]!.count;
};

const statusOf = async (id: string): Promise<string> => {
  const subject = { organisationId: client.organisationId, type: 'transaction' as const, id };
  return (await t.app.get(AuditTrail).trailStatus(subject)).status;
};

describe('Entries that somebody keeps from being sealed', () => {
  it('are sealed late within seconds, reported, and found when they are erased afterwards', async () => {
    await trigger('DISABLE');
    const [erased = '', kept = ''] = await judged(20);
    await eventually('everything is sealed', async () => (await unsealed()) === 0, 15_000);
    const { rows } = await t.owner.query<{ entries: number; said: number }>(
      `SELECT (SELECT count(*)::int FROM audit_late_seals WHERE organisation_id = $1) AS entries,
              (SELECT sum((convert_from(canonical, 'UTF8')::json -> 'content' ->> 'entries')::int)::int FROM audit_entries
               WHERE organisation_id = $1 AND action = 'audit_log.sealed_late') AS said`,
      [client.organisationId],
    );
    expect(rows[0]!.entries).toBeGreaterThanOrEqual(40);
    expect(rows[0]!.said).toBe(rows[0]!.entries);
    expect(await statusOf(kept)).toBe('COMPLETE');
    for (const [table, column] of [
      ['events', 'resource_id'],
      ['kyt_evaluations', 'transaction_ref'],
      ['kyt_transactions', 'id'],
      ['audit_entries', 'subject_id'],
    ] as const) {
      await t.owner.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
      await t.owner.query(`DELETE FROM ${table} WHERE ${column} = $1`, [erased]);
    }
    expect(await statusOf(erased)).toBe('MISSING_EVENTS');
    await trigger('ENABLE ALWAYS');
  });

  it('prove nothing of their time when they waited for more than a minute', async () => {
    const { organisationId } = client;
    const id = randomUUID();
    const entry = composeEntry(
      {
        subject: { organisationId, type: 'delivery', id },
        action: 'delivery.retried',
        actor: { type: 'system', id: 'nobody' },
        requestId: null,
        correlationId: null,
        occurredAt: new Date(),
        content: {},
      },
      CHAIN_START,
    );
    await behindItsBack(
      t,
      'audit_entries',
      `INSERT INTO audit_entries (organisation_id, subject_type, subject_id, subject_seq, action, canonical, recorded_at)
       VALUES ($1, 'delivery', $2, 1, 'delivery.retried', $3, now() - interval '1 hour')`,
      [organisationId, id, entry.canonical],
    );
    await t.app.get(LateSeals).sweep(organisationId);
    await eventually('everything is sealed', async () => (await unsealed()) === 0, 15_000);
    expect(
      (await t.app.get(AuditTrail).trailStatus({ organisationId, type: 'delivery', id })).gaps,
    ).toContainEqual({
      kind: 'SEALED_LATE',
      seq: 1,
      detail: expect.stringMatching(/^nothing awaited its seal for 36\d\d seconds$/),
    });
  });
});
