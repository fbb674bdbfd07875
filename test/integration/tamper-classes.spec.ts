import { randomBytes } from 'node:crypto';
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditTrail, DirectExportsService, LogAuditorService } from '../../src/features/audit/index.js';
import { CheckpointSigner } from '../../src/features/audit/log/checkpoint-signer.js';
import { originOf, signCheckpoint } from '../../src/features/audit/domain/signed/checkpoint.js';
import { composeEntry } from '../../src/features/audit/domain/entry.js';
import { appendLeaves, EMPTY_FRONTIER, rootOf } from '../../src/features/audit/domain/merkle.js';
import { createSigner } from '../../src/features/audit/domain/signed/signed-note.js';
import { RollbackGuard } from '../../src/features/audit/jobs/rollback-guard.js';
import { sqlArray } from '../../src/platform/database/index.js';
import type { TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { behindItsBack } from '../support/tamper.js';

const { main } = (await import(
  new URL('../../src/features/audit/verify/verify.mjs', import.meta.url).href
)) as {
  main: (args: readonly string[], print: (line: string) => void) => Promise<number>;
};

let t: TestApp;
const dir = mkdtempSync(path.join(tmpdir(), 'vigia-tamper-'));

beforeAll(async () => {
  t = await startTestApp();
});
afterAll(async () => {
  await t.close();
  rmSync(dir, { recursive: true, force: true });
});

/** An organisation with three judged transactions, whose newest checkpoint somebody outside has kept. */
interface Log {
  readonly client: TestClient;
  readonly organisationId: string;
  readonly ids: readonly string[];
  readonly anchor: string;
}

async function aLog(): Promise<Log> {
  const client = await t.client();
  const { organisationId } = client;
  const ids = await add(client, 3);
  await t.app.get(RollbackGuard).anchor();
  const { checkpoint } = await t.app.get(LogAuditorService).readStatus(organisationId);
  const anchor = path.join(dir, `${organisationId}.txt`);
  writeFileSync(anchor, checkpoint?.note ?? '');
  return { client, organisationId, ids, anchor };
}

async function add(client: TestClient, count: number): Promise<string[]> {
  const items = Array.from({ length: count }, () => aTransaction());
  await t.api.as(client).ingestBatch(items).expect(207);
  await eventually('everything is sealed', async () => {
    const { rows } = await t.owner.query<{ waiting: boolean }>(
      `SELECT EXISTS (SELECT FROM kyt_work WHERE organisation_id = $1)
           OR EXISTS (SELECT FROM audit_pending WHERE organisation_id = $1) AS waiting`,
      [client.organisationId],
    );
    return rows[0]?.waiting === false;
  });
  const { rows } = await t.owner.query<{ id: string }>(
    'SELECT id FROM kyt_transactions WHERE transaction_id = ANY($1) ORDER BY id',
    [items.map(({ transactionId }) => transactionId)],
  );
  return rows.map(({ id }) => id);
}

const statusOf = async ({ organisationId }: Log, id: string): Promise<string> =>
  (await t.app.get(AuditTrail).trailStatus({ organisationId, type: 'transaction', id })).status;

/** Returns the verifier's verdict on a package that is made now, with the checkpoint that was kept before. */
async function offline(log: Log): Promise<string> {
  const file = path.join(dir, `${randomBytes(6).toString('hex')}.zip`);
  const request = { organisationId: log.organisationId, filter: {}, requestedBy: 'test', reason: 'a test' };
  await t.app.get(DirectExportsService).writePackage(request, createWriteStream(file));
  const [pin = ''] = (await t.app.get(LogAuditorService).readStatus(log.organisationId)).verifierKeys;
  const lines: string[] = [];
  await main([file, '--pin', pin, '--anchor', log.anchor], (line) => lines.push(line));
  return lines.at(-1)?.split(':')[0] ?? '';
}

/** As `offline`, where the entry about the package itself may get the log stopped before it is written. */
const packaged = (log: Log): Promise<string> =>
  offline(log).catch((error: unknown) => {
    expect(error).toMatchObject({ code: 'AUDIT_TRAIL_INCOMPLETE' });
    return 'TAMPERED';
  });

const entry = 'WHERE subject_id = $1 AND subject_seq = 2';
const forged = `convert_to(replace(convert_from(canonical, 'UTF8'), '"outcome":"APPROVED"', '"outcome":"REVIEW"'), 'UTF8')`;

/** Everything of an entry that the database holds says something else, and all hashes of the tree fit again. */
async function rewrite(
  { organisationId, ids }: Log,
  note: (size: number, root: Buffer) => string,
): Promise<void> {
  const [id] = ids;
  await behindItsBack(t, 'audit_entries', `UPDATE audit_entries SET canonical = ${forged} ${entry}`, [id]);
  await behindItsBack(
    t,
    'kyt_evaluations',
    `UPDATE kyt_evaluations SET outcome = 'REVIEW', recommended_action = 'HOLD', trail_hash = (SELECT hash FROM audit_entries
       WHERE subject_id = $1::text AND subject_seq = 2)
     WHERE transaction_ref = $1::uuid`,
    [id],
  );
  await behindItsBack(
    t,
    'audit_leaves',
    `UPDATE audit_leaves l SET hash = e.hash FROM audit_entries e
     WHERE e.organisation_id = l.organisation_id AND e.subject_type = l.subject_type AND e.subject_id = l.subject_id
       AND e.subject_seq = l.subject_seq AND l.organisation_id = $1`,
    [organisationId],
  );
  await resign(organisationId, note);
}

async function resign(organisationId: string, note: (size: number, root: Buffer) => string): Promise<void> {
  const { rows } = await t.owner.query<{ hash: Buffer }>(
    'SELECT hash FROM audit_leaves WHERE organisation_id = $1 ORDER BY leaf_index',
    [organisationId],
  );
  const frontier = appendLeaves(
    EMPTY_FRONTIER,
    rows.map(({ hash }) => hash),
  );
  const root = rootOf(frontier);
  await behindItsBack(
    t,
    'audit_logs',
    'UPDATE audit_logs SET size = $2, frontier = $3::bytea[], root = $4, note = $5 WHERE organisation_id = $1',
    [organisationId, frontier.size, sqlArray.bytes(frontier.roots), root, note(frontier.size, root)],
  );
}

const withKey =
  (organisationId: string) =>
  (size: number, root: Buffer): string =>
    t.app.get(CheckpointSigner).sign({ organisationId, incarnation: 1, size, root, signedAt: new Date() });

/** The guard runs every minute; here it does not wait. */
const guarded = (): Promise<void> => t.app.get(RollbackGuard).check();

describe('who owns the server and does not want to be found', () => {
  it('T1 changes the bytes of an entry: found by the service and offline', async () => {
    const log = await aLog();
    const [id = '', other = ''] = log.ids;
    await behindItsBack(t, 'audit_entries', `UPDATE audit_entries SET canonical = ${forged} ${entry}`, [id]);
    expect(await statusOf(log, id)).toBe('TAMPERED');
    expect(await statusOf(log, other)).toBe('COMPLETE');
    expect(await offline(log)).toBe('TAMPERED');
  });

  it('T2 changes the bytes and the hash that was sealed: found by the service and offline', async () => {
    const log = await aLog();
    const [id = ''] = log.ids;
    await behindItsBack(t, 'audit_entries', `UPDATE audit_entries SET canonical = ${forged} ${entry}`, [id]);
    await behindItsBack(
      t,
      'audit_leaves',
      `UPDATE audit_leaves SET hash = (SELECT hash FROM audit_entries ${entry}) ${entry}`,
      [id],
    );
    expect(await statusOf(log, id)).toBe('TAMPERED');
    expect(await packaged(log)).toBe('TAMPERED');
  });

  it('T3 deletes an entry in the middle: found by the service and offline', async () => {
    const log = await aLog();
    const [id = ''] = log.ids;
    await behindItsBack(t, 'audit_entries', `DELETE FROM audit_entries ${entry}`, [id]);
    expect(await statusOf(log, id)).toBe('MISSING_EVENTS');
    expect(await offline(log)).toBe('INCOMPLETE');
  });

  it('T4 swaps two entries of the log: found by the service and offline', async () => {
    const log = await aLog();
    const [id = '', other = ''] = log.ids;
    // The check on the column stands in the way of a swap in two steps; its owner takes that away too.
    await t.owner.query('ALTER TABLE audit_leaves DROP CONSTRAINT audit_leaves_leaf_index_check');
    await behindItsBack(
      t,
      'audit_leaves',
      `UPDATE audit_leaves SET leaf_index = -leaf_index - 1 WHERE subject_id = ANY($1) AND subject_seq = 2`,
      [[id, other]],
    );
    const { rows } = await t.owner.query<{ subject_id: string; index: number }>(
      `SELECT subject_id, (-leaf_index - 1)::int AS index FROM audit_leaves WHERE subject_id = ANY($1) AND subject_seq = 2`,
      [[id, other]],
    );
    const at = (subject: string): number => rows.find((row) => row.subject_id === subject)?.index ?? -1;
    for (const [subject, index] of [
      [id, at(other)],
      [other, at(id)],
    ] as const) {
      await behindItsBack(t, 'audit_leaves', `UPDATE audit_leaves SET leaf_index = $2 ${entry}`, [
        subject,
        index,
      ]);
    }
    // The service may have stopped the log by then, as it is not what was signed of it.
    expect(['TAMPERED', 'LOG_ROLLED_BACK']).toContain(await statusOf(log, id));
    const refused = (error: unknown): string => (error as { code: string }).code;
    expect(['TAMPERED', 'AUDIT_TRAIL_INCOMPLETE']).toContain(await offline(log).catch(refused));
  });

  it('T5 rewrites an entry and all hashes above it: found by the service and offline', async () => {
    const log = await aLog();
    const { checkpoint } = await t.app.get(LogAuditorService).readStatus(log.organisationId);
    await rewrite(log, () => checkpoint?.note ?? '');
    expect(await statusOf(log, log.ids[0] ?? '')).toBe('TAMPERED');
    expect(await packaged(log)).toBe('TAMPERED');
  });

  it('T6 also signs the result with another key: found by the service and offline', async () => {
    const log = await aLog();
    const { serviceName, environment } = t.settings;
    const thief = createSigner(`${serviceName.toLowerCase()}/${environment}`, randomBytes(32));
    const origin = originOf(serviceName, environment, log.organisationId, 1);
    const extensions = [`time ${new Date().toISOString()}`];
    await rewrite(log, (size, root) => signCheckpoint({ origin, size, root, extensions }, [thief]));
    expect(await statusOf(log, log.ids[0] ?? '')).toBe('TAMPERED');
    expect(await packaged(log)).toBe('TAMPERED');
    // Nor does the service give it a good signature when the next entry comes.
    const [next = ''] = await addUnsealed(log.client);
    await eventually('the log is stopped', async () => (await statusOf(log, next)) === 'LOG_ROLLED_BACK');
  });

  it('T7 cuts off the last entries: found by the service, though no anchor is as new', async () => {
    const log = await aLog();
    const [id = ''] = await add(log.client, 1);
    await behindItsBack(t, 'audit_entries', `DELETE FROM audit_entries ${entry}`, [id]);
    await behindItsBack(t, 'audit_leaves', `DELETE FROM audit_leaves ${entry}`, [id]);
    expect(['MISSING_EVENTS', 'TAMPERED']).toContain(await statusOf(log, id));
    expect(await offline(log)).toBe('INCOMPLETE');
  });

  it('T8 cuts off entries and their checkpoints: found by the service through its anchor, and offline', async () => {
    const log = await aLog();
    const { organisationId } = log;
    const [last = ''] = log.ids.slice(-1);
    const { rows } = await t.owner.query<{ index: string }>(
      'SELECT min(leaf_index) AS index FROM audit_leaves WHERE subject_id = $1',
      [last],
    );
    await behindItsBack(
      t,
      'audit_entries',
      `DELETE FROM audit_entries e USING audit_leaves l WHERE l.organisation_id = $1 AND l.leaf_index >= $2
         AND e.organisation_id = l.organisation_id AND e.subject_type = l.subject_type AND e.subject_id = l.subject_id
         AND e.subject_seq = l.subject_seq`,
      [organisationId, rows[0]?.index],
    );
    await behindItsBack(
      t,
      'audit_leaves',
      'DELETE FROM audit_leaves WHERE organisation_id = $1 AND leaf_index >= $2',
      [organisationId, rows[0]?.index],
    );
    await resign(organisationId, withKey(organisationId));
    expect(await packaged(log)).toBe('TAMPERED');
    await guarded();
    expect(await statusOf(log, log.ids[0] ?? '')).toBe('LOG_ROLLED_BACK');
  });

  it('T9 rewrites everything with the stolen key: found by the service through its anchor, and offline', async () => {
    const log = await aLog();
    const [id = ''] = log.ids;
    await rewrite(log, withKey(log.organisationId));
    // Nothing inside the database can tell any more.
    expect(await packaged(log)).toBe('TAMPERED');
    await guarded();
    expect(await statusOf(log, id)).toBe('LOG_ROLLED_BACK');
  });

  it('T10 adds an entry that nothing was done for: found by the service', async () => {
    const log = await aLog();
    const [id = ''] = log.ids;
    const { rows } = await t.owner.query<{ hash: Buffer }>(`SELECT hash FROM audit_entries ${entry}`, [id]);
    const subject = { organisationId: log.organisationId, type: 'transaction', id } as const;
    const made = composeEntry(
      {
        ...{ subject, action: 'transaction.decided', actor: { type: 'operator', id: 'nobody' } },
        ...{ requestId: null, correlationId: null, occurredAt: new Date(), content: { outcome: 'APPROVED' } },
      },
      { seq: 3, previousHash: rows[0]?.hash ?? null },
    );
    await t.owner.query(
      `INSERT INTO audit_entries (organisation_id, subject_type, subject_id, subject_seq, action, canonical, previous_hash, recorded_at)
       VALUES ($1, 'transaction', $2, 3, 'transaction.decided', $3, $4, $5)`,
      [log.organisationId, id, made.canonical, made.position.previousHash, made.recordedAt],
    );
    expect(await statusOf(log, id)).toBe('STATE_MISMATCH');
    // And one that was put into the sealed part has no place in the tree.
    const [other = ''] = log.ids.slice(1);
    await behindItsBack(t, 'audit_leaves', `UPDATE audit_leaves SET hash = sha256('forged') ${entry}`, [
      other,
    ]);
    expect(await statusOf(log, other)).toBe('TAMPERED');
  });
});

describe('who changes nothing', () => {
  it('raises no alarm', async () => {
    const log = await aLog();
    for (const id of log.ids) expect(await statusOf(log, id)).toBe('COMPLETE');
    expect(await offline(log)).toBe('VERIFIED');
    await guarded();
    for (const id of log.ids) expect(await statusOf(log, id)).toBe('COMPLETE');
  });
});

async function addUnsealed(client: TestClient): Promise<string[]> {
  const body = aTransaction();
  await t.api.as(client).ingest(body).expect(202);
  await t.api.as(client).settled(body.transactionId);
  const { rows } = await t.owner.query<{ id: string }>(
    'SELECT id FROM kyt_transactions WHERE transaction_id = $1',
    [body.transactionId],
  );
  return rows.map(({ id }) => id);
}
