import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { AuditKeys } from '../../src/features/audit/log/audit-keys.js';
import {
  publishedCheckpoint,
  type PublishedCheckpoint,
} from '../../src/features/audit/log/checkpoints.service.js';
import { parseCheckpoint } from '../../src/features/audit/domain/signed/checkpoint.js';
import {
  appendLeaves,
  EMPTY_FRONTIER,
  isConsistent,
  rootFromInclusion,
  rootOf,
} from '../../src/features/audit/domain/merkle.js';
import { isSignedBy, parseVerifierKey } from '../../src/features/audit/domain/signed/signed-note.js';
import type { AuditSubject } from '../../src/features/audit/index.js';
import { UnitOfWork } from '../../src/platform/database/index.js';
import { publicId } from '../../src/platform/kernel/index.js';
import { TrailContracts } from '../../src/features/audit/trail/trail-contracts.js';
import { LogProofBuilder } from '../../src/features/audit/log/log-proof-builder.js';
import type { TestClient, TestOperator } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { WebhookReceiver } from '../support/receiver.js';
import { WebhookEndpointsService } from '../../src/features/webhooks/index.js';

interface Log {
  readonly size: number;
  readonly root: Buffer;
  readonly note: string;
  readonly signedAt: Date;
}

let app: TestApp;
let second: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  // Another process on the same database: both have a sealer, and one at a time works.
  second = await startTestApp({ like: app });
  client = await app.client();
  await submit(60);
});
afterAll(async () => {
  await second.close();
  await app.close();
});

let sent = 0;
async function submit(count: number): Promise<void> {
  const items = Array.from({ length: count }, () => aTransaction({ transactionId: `audit-log-${++sent}` }));
  await app.api.as(client).ingestBatch(items).expect(207);
}

async function logOf(organisationId: string): Promise<Log | null> {
  const { rows } = await app.owner.query<{ size: string; root: Buffer; note: string; signed_at: Date }>(
    `SELECT size, root, note, signed_at FROM audit_logs WHERE organisation_id = $1`,
    [organisationId],
  );
  const [row] = rows;
  return row ? { size: Number(row.size), root: row.root, note: row.note, signedAt: row.signed_at } : null;
}

/** The log once every entry of the organisation has its leaf and nothing more is to come. */
const sealed = (): Promise<Log> =>
  eventually('every entry has its leaf', async () => {
    const { rows } = await app.owner.query<{ entries: string; open: string }>(
      `SELECT count(*) AS entries,
              (SELECT count(*) FROM kyt_work WHERE organisation_id = $1) AS open
       FROM audit_entries WHERE organisation_id = $1`,
      [client.organisationId],
    );
    const log = await logOf(client.organisationId);
    return rows[0]?.open === '0' && log?.size === Number(rows[0].entries) && log;
  });

interface StoredLeaf {
  readonly leaf_index: string;
  readonly hash: Buffer;
  readonly canonical: Buffer;
  readonly subject_type: AuditSubject['type'];
  readonly subject_id: string;
  readonly subject_seq: number;
}

async function leaves(): Promise<StoredLeaf[]> {
  const { rows } = await app.owner.query<StoredLeaf>(
    `SELECT l.leaf_index, l.hash, e.canonical, l.subject_type, l.subject_id, l.subject_seq FROM audit_leaves l
     JOIN audit_entries e USING (organisation_id, subject_type, subject_id, subject_seq)
     WHERE l.organisation_id = $1 ORDER BY l.leaf_index`,
    [client.organisationId],
  );
  return rows;
}

const leafHash = (canonical: Buffer): Buffer =>
  createHash('sha256')
    .update(Buffer.from([0]))
    .update(canonical)
    .digest();

describe('the sealed log of an organisation', () => {
  it('has each entry once, at contiguous places, in the order of its subject', async () => {
    const log = await sealed();
    const stored = await leaves();
    expect(stored).toHaveLength(log.size);
    expect(log.size).toBeGreaterThanOrEqual(120);
    expect(stored.map((leaf) => Number(leaf.leaf_index))).toEqual(stored.map((_, i) => i));
    const last = new Map<string, number>();
    for (const leaf of stored) {
      const subject = `${leaf.subject_type}:${leaf.subject_id}`;
      expect(leaf.subject_seq).toBe((last.get(subject) ?? 0) + 1);
      last.set(subject, leaf.subject_seq);
    }
  });

  it('has the root over the stored bytes of its entries, signed with the key that auditors pin', async () => {
    // ASVS 11.4.3
    const log = await sealed();
    const hashes = (await leaves()).map((leaf) => leafHash(leaf.canonical));
    expect(rootOf(appendLeaves(EMPTY_FRONTIER, hashes)).equals(log.root)).toBe(true);
    const parsed = parseCheckpoint(log.note);
    const [vkey = ''] = app.app.get(AuditKeys).verifierKeys;
    const verifier = parseVerifierKey(vkey);
    expect(parsed?.checkpoint).toEqual({
      origin: `vigia/sandbox/t/${client.organisationId}/i/1`,
      size: log.size,
      root: log.root,
      extensions: [`time ${log.signedAt.toISOString()}`],
    });
    expect(parsed && verifier && isSignedBy(parsed.note, verifier)).toBe(true);
  });

  it('proves each entry, and that it only grew', async () => {
    const before = await sealed();
    await submit(200);
    const after = await sealed();
    expect(after.size).toBeGreaterThan(before.size);
    const proofs = app.app.get(LogProofBuilder);
    const stored = await leaves();
    for (const index of [0, 1, 7, 63, 255, 256, before.size - 1, after.size - 1]) {
      const leaf = stored[index];
      if (!leaf) throw new Error(`no leaf ${index}`);
      const path = await proofs.proveInclusion(client.organisationId, index, after.size);
      expect(rootFromInclusion(index, after.size, leafHash(leaf.canonical), path)?.equals(after.root)).toBe(
        true,
      );
      const subject = {
        organisationId: client.organisationId,
        type: leaf.subject_type,
        id: leaf.subject_id,
      };
      const found = await proofs.findLeaf(subject, leaf.subject_seq);
      expect(found).toEqual({ index, hash: leaf.hash });
    }
    const consistency = await proofs.proveConsistency(client.organisationId, before.size, after.size);
    expect(isConsistent(before, after, consistency)).toBe(true);
    const { rows } = await app.owner.query(`SELECT 1 FROM audit_nodes WHERE organisation_id = $1`, [
      client.organisationId,
    ]);
    expect(rows).toHaveLength(Math.floor(after.size / 256));
  });

  it('is signed again after a minute in which nothing happened', async () => {
    const { note } = await sealed();
    await app.owner.query(
      `UPDATE audit_logs SET signed_at = signed_at - interval '61 seconds' WHERE organisation_id = $1`,
      [client.organisationId],
    );
    const next = await eventually('a heartbeat', async () => {
      const log = await logOf(client.organisationId);
      return log && log.note !== note && log;
    });
    expect(publishedCheckpoint(next.note)).toMatchObject({
      size: publishedCheckpoint(note)?.size,
      root: publishedCheckpoint(note)?.root,
    });
  });

  it('takes in an entry that was written behind the back of the service', async () => {
    const { size } = await sealed();
    await app.owner.query(
      `INSERT INTO audit_entries (organisation_id, subject_type, subject_id, subject_seq, action, canonical)
       VALUES ($1, 'transaction', 'forged', 1, 'transaction.received', 'forged')`,
      [client.organisationId],
    );
    expect((await sealed()).size).toBe(size + 1);
  });

  it.each(['audit_leaves', 'audit_nodes', 'audit_checkpoints'])(
    'lets nobody change or empty %s',
    async (table) => {
      for (const statement of [
        `UPDATE ${table} SET organisation_id = organisation_id`,
        `DELETE FROM ${table}`,
        `TRUNCATE ${table}`,
      ]) {
        await expect(app.owner.query(statement)).rejects.toThrow('append-only');
      }
    },
  );

  it('goes out with every event once there is a checkpoint, so that each integrator is a witness', async () => {
    // ASVS 16.4.3
    const receiver = await WebhookReceiver.listen();
    await app.app.get(WebhookEndpointsService).create({
      organisationId: client.organisationId,
      clientAppId: client.id,
      url: receiver.url,
      actor: { type: 'operator', id: 'test' },
    });
    await sealed();
    const audit = await eventually('an event with a checkpoint', async () => {
      await submit(1);
      const [delivery] = await receiver.about(`audit-log-${sent}`, 1);
      return delivery?.event.audit as PublishedCheckpoint | null | undefined;
    });
    await receiver.close();
    const note = `${audit.origin}\n${audit.size}\n${audit.root}\ntime ${audit.signedAt}\n\n\u2014 vigia/sandbox ${audit.signature}\n`;
    const parsed = parseCheckpoint(note);
    expect(parsed && isSignedBy(parsed.note, app.app.get(AuditKeys).current)).toBe(true);
    const now = await sealed();
    const proof = await app.app
      .get(LogProofBuilder)
      .proveConsistency(client.organisationId, audit.size, now.size);
    expect(isConsistent({ size: audit.size, root: Buffer.from(audit.root, 'base64') }, now, proof)).toBe(
      true,
    );
  });
});

describe('what an auditor asks over HTTP', () => {
  let auditor: TestOperator;

  beforeAll(async () => {
    auditor = await app.operator({ organisationId: client.organisationId, roles: ['AUDITOR'] });
    await sealed();
  });

  const ask = async <T>(path: string): Promise<T> =>
    (await app.api.asOperator(auditor).get(path).expect(200)).body as T;

  it('lists the log from its end, page by page, without a gap', async () => {
    const { data: status } = await ask<{ data: { checkpoint: { size: number }; verifierKeys: string[] } }>(
      '/operator/audit/status',
    );
    expect(status.verifierKeys).toEqual(app.app.get(AuditKeys).verifierKeys);
    const indices: number[] = [];
    let path = '/operator/audit/events?limit=200';
    for (;;) {
      const { data, page } = await ask<{ data: { index: number }[]; page: { nextCursor: string | null } }>(
        path,
      );
      indices.push(...data.map(({ index }) => index));
      if (page.nextCursor === null) break;
      path = `/operator/audit/events?limit=200&cursor=${page.nextCursor}`;
    }
    expect(indices.length).toBeGreaterThanOrEqual(status.checkpoint.size);
    expect(indices).toEqual(indices.map((_, i) => indices.length - 1 - i));
  });

  it('finds the entries of one transaction, with their bytes, and judges its trail', async () => {
    const { rows } = await app.owner.query<{ id: string }>(
      `SELECT id FROM kyt_transactions WHERE transaction_id = 'audit-log-1'`,
    );
    const id = publicId('txn', rows[0]?.id ?? '');
    const { data } = await ask<{
      data: { action: string; subjectSeq: number; canonical: string; hash: string; actor: string }[];
    }>(`/operator/audit/events?subjectType=transaction&subjectId=${id}`);
    expect(data.map(({ action, subjectSeq }) => [subjectSeq, action])).toEqual([
      [2, 'transaction.evaluated'],
      [1, 'transaction.received'],
    ]);
    for (const { canonical, hash } of data) {
      expect(leafHash(Buffer.from(canonical, 'base64')).toString('base64')).toBe(hash);
    }
    expect(await ask(`/operator/audit/trails/transaction/${id}`)).toEqual({
      data: { status: 'COMPLETE', length: 2, gaps: [], repairs: [], pruned: 0 },
      error: null,
    });
  });

  it('judges no gap where a change commits while it reads', async () => {
    const { organisationId } = client;
    const { id } = await app.client({ organisationId, rules: false });
    const admin = await app.operator({ organisationId, roles: ['ADMIN'] });
    const revoke = (): unknown =>
      app.api
        .asOperator(admin)
        .call('delete', `/operator/client-apps/${publicId('app', id)}`)
        .expect(200);
    const contracts = app.app.get(TrailContracts);
    const expectationFor = contracts.expectationFor.bind(contracts);
    // Between the rows and the entries, the first time.
    const spy = jest.spyOn(contracts, 'expectationFor').mockImplementationOnce(async (subject) => {
      const expected = await expectationFor(subject);
      await revoke();
      return expected;
    });
    expect(await ask(`/operator/audit/trails/client_app/${publicId('app', id)}`)).toMatchObject({
      data: { status: 'COMPLETE', length: 2, gaps: [] },
    });
    expect(spy.mock.calls.length).toBe(2);
    spy.mockRestore();
  });

  it('selects by action and by time', async () => {
    const evaluated = await ask<{ data: { action: string; recordedAt: string }[] }>(
      '/operator/audit/events?action=transaction.evaluated&limit=5',
    );
    expect(new Set(evaluated.data.map(({ action }) => action))).toEqual(new Set(['transaction.evaluated']));
    const at = evaluated.data[4]?.recordedAt ?? '';
    const since = await ask<{ data: { recordedAt: string }[] }>(
      `/operator/audit/events?from=${at}&limit=200`,
    );
    expect(since.data.length).toBeGreaterThan(0);
    expect(since.data.filter(({ recordedAt }) => recordedAt < at)).toEqual([]);
    expect(await ask(`/operator/audit/events?to=2026-01-01T00:00:00Z`)).toMatchObject({ data: [] });
  });

  it('proves an entry and the growth of the log with what the answers hold', async () => {
    const { data: proof } = await ask<{
      data: { index: number; size: number; leaf: string; path: string[]; root: string };
    }>('/operator/audit/proofs?index=5');
    const hashes = (await leaves()).slice(0, proof.size).map((leaf) => leafHash(leaf.canonical));
    expect(proof.leaf).toBe(hashes[5]?.toString('base64'));
    expect(proof.root).toBe(rootOf(appendLeaves(EMPTY_FRONTIER, hashes)).toString('base64'));
    const nodes = proof.path.map((node) => Buffer.from(node, 'base64'));
    const root = rootFromInclusion(5, proof.size, Buffer.from(proof.leaf, 'base64'), nodes);
    expect(root?.toString('base64')).toBe(proof.root);

    const { data: kept } = await ask<{ data: { size: number; root: string }[] }>(
      '/operator/audit/checkpoints',
    );
    const earlier = kept.at(-1) ?? { size: -1, root: '' };
    const { data: grown } = await ask<{ data: { from: number; to: number; path: string[] } }>(
      `/operator/audit/consistency?from=${earlier.size}&to=${proof.size}`,
    );
    const path = grown.path.map((node) => Buffer.from(node, 'base64'));
    const from = { size: earlier.size, root: Buffer.from(earlier.root, 'base64') };
    expect(isConsistent(from, { size: proof.size, root: Buffer.from(proof.root, 'base64') }, path)).toBe(
      true,
    );
  });

  it.each([
    ['a leaf that is not there', '/operator/audit/proofs?index=99999999', 404],
    ['a tree that is not there', '/operator/audit/consistency?from=1&to=99999999', 404],
    ['a subject of no kind', '/operator/audit/trails/nothing/1', 404],
    [
      'a subject without a trail',
      '/operator/audit/trails/transaction/01999e8e-7c4a-7a0e-8a1b-2c3d4e5f6071',
      404,
    ],
    ['a place that is no number', '/operator/audit/proofs?index=1e3', 400],
    ['a time that is none', '/operator/audit/events?from=yesterday', 400],
  ])('%s: %s', async (_what, path, status) => {
    await app.api.asOperator(auditor).get(path).expect(status);
  });

  it('shows another organisation nothing of it', async () => {
    const stranger = await app.operator({
      organisationId: (await app.client()).organisationId,
      roles: ['AUDITOR'],
    });
    const { data } = (
      await app.api.asOperator(stranger).get('/operator/audit/events?action=transaction.evaluated')
    ).body as { data: unknown[] };
    expect(data).toEqual([]);
  });
});

describe('the database', () => {
  const uow = (): UnitOfWork => app.app.get(UnitOfWork);
  const refused = /without an audit entry/;

  it('lets no change of a regulated entity be committed without its entry', async () => {
    const { organisationId, id } = client;
    await expect(
      uow().run(organisationId, (tx) =>
        tx.query(`UPDATE client_apps SET status = 'DISABLED' WHERE id = $1`, [id]),
      ),
    ).rejects.toThrow(refused);
    await expect(
      uow().run(organisationId, (tx) =>
        tx.query(
          `INSERT INTO fx_imports (id, organisation_id, source, rate_count, content_hash, imported_by, imported_at, trail_hash)
           VALUES (gen_random_uuid(), $1, 'TEST', 1, '\\x00', 'x', now(), '\\x00')`,
          [organisationId],
        ),
      ),
    ).rejects.toThrow(refused);
    const { rows } = await app.owner.query<{ status: string }>(
      `SELECT status FROM client_apps WHERE id = $1`,
      [id],
    );
    expect(rows).toEqual([{ status: 'ENABLED' }]);
  });
});
