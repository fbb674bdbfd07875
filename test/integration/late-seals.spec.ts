import { randomUUID } from 'node:crypto';
import { createWriteStream, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  AuditTrail,
  CHAIN_START,
  composeEntry,
  DirectExportsService,
  OPERATIONS,
} from '../../src/features/audit/index.js';
import { LateSealDetector } from '../../src/features/audit/watch/late-seal-detector.js';
import type { TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { promised } from '../support/needs.js';
import { behindItsBack } from '../support/tamper.js';
import { eventually } from '../support/eventually.js';
import { isHeavy } from '../support/timing.js';
import { node, unpacked, verdictOf } from '../support/package-verifiers.js';

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

/** Gives the word of both verifiers on a package of the whole log, and the entries that it names as missing. */
async function exported(): Promise<{ verdict: string; said: string; missing: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vigia-late-'));
  try {
    const file = path.join(folder, 'log.zip');
    const { organisationId } = client;
    const request = { organisationId, filter: {}, requestedBy: 'system:test', reason: 'What is left of it.' };
    const { manifest } = await t.app.get(DirectExportsService).writePackage(request, createWriteStream(file));
    const args = [file, '--allow-unpinned'];
    const { lines } = await node(...args);
    return {
      verdict: await verdictOf(...args),
      said: lines.at(-1) ?? '',
      missing:
        manifest.missing === undefined
          ? ''
          : readFileSync(path.join(unpacked(file), 'missing.jsonl'), 'utf8'),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A transaction that was erased from every table before anything of it was sealed: the database counts what it deletes. */
const countedErasures = async (): Promise<string[]> => {
  const subject = { organisationId: OPERATIONS, type: 'catalogue', id: OPERATIONS } as const;
  const { gaps } = await t.app.get(AuditTrail).trailStatus(subject);
  return gaps.map(({ detail }) => detail).filter((detail) => detail.startsWith('only inserts'));
};

describe('Entries that somebody keeps from being sealed', () => {
  promised(
    'are sealed late within seconds, reported, and found when they are erased afterwards',
    async () => {
      await trigger('DISABLE');
      const [erased = '', kept = ''] = await judged(20);
      // A whole minute under load, where the machine is there for it.
      for (const end = performance.now() + 60_000; isHeavy && performance.now() < end;) await judged(200);
      await eventually('everything is sealed', async () => (await unsealed()) === 0, 60_000);
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
      const { verdict, said, missing } = await exported();
      expect([verdict, said]).toEqual(['INCOMPLETE', expect.stringContaining('is missing')]);
      expect(missing).toContain(`{"subject":"transaction:${erased}","seq":1,"why":"ERASED"}`);
      await eventually('the database has counted them', async () => {
        const lines = await countedErasures();
        return ['events', 'kyt_evaluations', 'kyt_transactions'].every((table) =>
          lines.some((line) => line.endsWith(`rows were changed or deleted: ${table}`)),
        );
      });
      await trigger('ENABLE ALWAYS');
    },
  );

  it('prove nothing of their time when they waited for more than a minute', async () => {
    const { organisationId } = client;
    const id = randomUUID();
    const hourAgo = new Date(Date.now() - 3_600_000);
    const entry = composeEntry(
      {
        subject: { organisationId, type: 'delivery', id },
        action: 'delivery.retried',
        actor: { type: 'system', id: 'nobody' },
        requestId: null,
        correlationId: null,
        occurredAt: hourAgo,
        content: {},
      },
      CHAIN_START,
    );
    await behindItsBack(
      t,
      'audit_entries',
      `INSERT INTO audit_entries (organisation_id, subject_type, subject_id, subject_seq, action, canonical, recorded_at)
       VALUES ($1, 'delivery', $2, 1, 'delivery.retried', $3, $4)`,
      [organisationId, id, entry.canonical, hourAgo],
    );
    const { missing } = await exported();
    expect(missing).toContain(`{"subject":"delivery:${id}","seq":1,"why":"UNSEALED"}`);
    // A sweep looks at one page of the log.
    await eventually('everything is sealed', async () => {
      await t.app.get(LateSealDetector).sweep(organisationId);
      return (await unsealed()) === 0;
    });
    expect(
      (await t.app.get(AuditTrail).trailStatus({ organisationId, type: 'delivery', id })).gaps,
    ).toContainEqual({
      kind: 'SEALED_LATE',
      seq: 1,
      detail: expect.stringMatching(/^nothing awaited its seal for 36\d\d seconds$/),
    });
  });
});
