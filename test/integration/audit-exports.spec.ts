import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditTrail, LogAuditorService } from '../../src/features/audit/index.js';
import { witnessLog } from '../../src/cli/commands/audit/witness.command.js';
import { publicId } from '../../src/platform/kernel/index.js';
import type { ErrorBody } from '../support/answers.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { behindItsBack } from '../support/tamper.js';

interface Export {
  readonly id: string;
  readonly status: string;
  readonly progress: number;
  readonly reason: string;
  readonly requestedBy: string;
  readonly downloads: number;
  readonly result: {
    readonly entries: number;
    readonly bytes: number;
    readonly sha256: string;
    readonly treeSize: number;
    readonly trails: object;
  } | null;
  readonly gaps: readonly { subject: string; gaps: readonly { kind: string }[] }[];
}

let t: TestApp;
let client: TestClient;
let auditor: TestApi;
let pin: string;
const dir = mkdtempSync(path.join(tmpdir(), 'vigia-exports-'));

beforeAll(async () => {
  t = await startTestApp({ settings: { auditSweepPerSecond: 5_000, auditSweepPercent: 100 } });
  client = await t.client();
  const person = await t.operator({ organisationId: client.organisationId, roles: ['AUDITOR'] });
  auditor = t.api.asOperator(person);
  await submit(40);
  [pin = ''] = (await t.app.get(LogAuditorService).readStatus(client.organisationId)).verifierKeys;
});

afterAll(async () => {
  await t.close();
  rmSync(dir, { recursive: true, force: true });
});

let sent = 0;
/** Sends transactions and waits until they are evaluated and sealed; the stored ids. */
async function submit(count: number): Promise<string[]> {
  const items = Array.from({ length: count }, () => aTransaction({ transactionId: `exported-${++sent}` }));
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
    'SELECT id FROM kyt_transactions WHERE transaction_id = ANY($1)',
    [items.map(({ transactionId }) => transactionId)],
  );
  return rows.map(({ id }) => id);
}

const REASON = 'Annual examination';
const ask = async (wish: object, status = 202): Promise<Export> => {
  const { body } = await auditor
    .post('/operator/audit/exports')
    .send({ reason: REASON, ...wish })
    .expect(status);
  return (body as { data: Export }).data;
};
const look = async (id: string): Promise<Export> =>
  ((await auditor.get(`/operator/audit/exports/${id}`).expect(200)).body as { data: Export }).data;
const ended = (id: string): Promise<Export> =>
  eventually('the export has ended', async () => {
    const found = await look(id);
    return !['QUEUED', 'RUNNING'].includes(found.status) && found;
  });
const made = async (wish: object): Promise<Export> => ended((await ask(wish)).id);

async function content(id: string, headers: Record<string, string> = {}): Promise<Response> {
  const { token } = await t.operator({ organisationId: client.organisationId, roles: ['AUDITOR'] });
  return fetch(`${t.url}/operator/audit/exports/${id}/content`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
}

async function downloaded(id: string): Promise<{ file: string; bytes: Buffer }> {
  const answer = await content(id);
  expect(answer.status).toBe(200);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const file = path.join(dir, `${id}.zip`);
  writeFileSync(file, bytes);
  return { file, bytes };
}

const verifier = fileURLToPath(new URL('../../src/features/audit/verify/verify.mjs', import.meta.url));
const verified = (file: string): string =>
  spawnSync(process.execPath, [verifier, file, '--pin', pin], { encoding: 'utf8' }).stdout;

const actionsOf = async (id: string): Promise<string[]> => {
  const { rows } = await t.owner.query<{ action: string }>(
    `SELECT action FROM audit_entries WHERE subject_type = 'audit_export'
       AND replace(subject_id, '-', '') = $1 ORDER BY subject_seq`,
    [id.slice(4)],
  );
  return rows.map(({ action }) => action);
};

describe('an export of the whole log', () => {
  let whole: Export;
  beforeAll(async () => {
    whole = await made({});
  });

  it('is made in the background, holds its own request, and is verified offline', async () => {
    expect(whole).toMatchObject({ status: 'READY', progress: 100, reason: REASON, gaps: [] });
    const { file, bytes } = await downloaded(whole.id);
    expect(whole.result).toMatchObject({
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      trails: { incomplete: 0, attested: 0 },
    });
    expect(whole.result?.entries).toBe(whole.result?.treeSize);
    expect(verified(file)).toMatch(/the whole log[^]*VERIFIED\n$/);
    const names = zipNames(bytes);
    expect(names).toEqual(
      expect.arrayContaining(['summary.pdf', 'trail-status.jsonl', 'events.csv', 'verify.mjs', 'verify.py']),
    );
  });

  it('is in the log: who asked, what came of it, and each download', async () => {
    expect(await actionsOf(whole.id)).toEqual([
      'audit_export.requested',
      'audit_export.finished',
      'audit_export.downloaded',
    ]);
    const { body } = await auditor.get('/operator/audit/exports').expect(200);
    const [newest] = (body as { data: Export[] }).data;
    expect(newest).toMatchObject({ id: whole.id, reason: REASON, downloads: 1 });
    expect(newest?.requestedBy).toMatch(/^operator:/);
    const trail = await auditor
      .get(`/operator/audit/trails/audit_export/${whole.id}`)
      .expect(200)
      .then(({ body: answer }) => (answer as { data: { status: string } }).data);
    expect(trail.status).toBe('COMPLETE');
  });

  it('goes on where a download was cut off', async () => {
    const { bytes } = await downloaded(whole.id);
    const etag = `"${whole.result?.sha256 ?? ''}"`;
    const half = Math.floor(bytes.length / 2);
    const rest = await content(whole.id, { range: `bytes=${half}-`, 'if-range': etag });
    expect(rest.status).toBe(206);
    expect(rest.headers.get('content-range')).toBe(`bytes ${half}-${bytes.length - 1}/${bytes.length}`);
    expect(Buffer.from(await rest.arrayBuffer()).equals(bytes.subarray(half))).toBe(true);
    const tail = await content(whole.id, { range: 'bytes=-10' });
    expect(Buffer.from(await tail.arrayBuffer()).equals(bytes.subarray(-10))).toBe(true);
    expect((await content(whole.id, { range: 'bytes=0-', 'if-range': '"other"' })).status).toBe(200);
    const beyond = await content(whole.id, { range: `bytes=${bytes.length}-` });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`]);
    expect(await content(whole.id, { range: 'bytes=1-2,5-6' }).then(({ status }) => status)).toBe(200);
  });

  it('is made anew when the process that made it is gone, and nothing of the half file stays', async () => {
    const other = await t.client();
    const person = await t.operator({ organisationId: other.organisationId, roles: ['AUDITOR'] });
    const as = t.api.asOperator(person);
    const asked = await as.post('/operator/audit/exports').send({ reason: REASON, auditReady: false });
    const { id } = (asked.body as { data: Export }).data;
    const ready = async (attempts: number): Promise<{ fence: number }> =>
      eventually('the export is ready', async () => {
        const { rows } = await t.owner.query<{ status: string; attempts: number; fence: number }>(
          'SELECT status, attempts, fence FROM audit_exports WHERE organisation_id = $1',
          [other.organisationId],
        );
        const [row] = rows;
        return row?.status === 'READY' && row.attempts === attempts && row;
      });
    await ready(1);
    // As a kill -9 leaves it: claimed, half written, and the lease runs out.
    await t.owner.query(
      `UPDATE audit_exports SET status = 'RUNNING', lease_until = now() - interval '1 second', result = NULL
       WHERE organisation_id = $1`,
      [other.organisationId],
    );
    const { fence } = await ready(2);
    const { rows } = await t.owner.query<{ fence: number }>(
      'SELECT DISTINCT fence FROM audit_export_pieces WHERE organisation_id = $1',
      [other.organisationId],
    );
    expect(rows).toEqual([{ fence }]);
    await as.get(`/operator/audit/exports/${id}/content`).expect(200);
  });
});

describe('an export of a selection', () => {
  it('is of one subject, with proofs', async () => {
    const [id = ''] = await submit(1);
    const one = await made({ subjectType: 'transaction', subjectId: publicId('txn', id) });
    expect(one).toMatchObject({ status: 'READY', result: { entries: 2, trails: { subjects: 1 } } });
    expect(verified((await downloaded(one.id)).file)).toMatch(/selected[^]*VERIFIED\n$/);
  });

  it('is of a type and a span of time', async () => {
    const begin = new Date().toISOString();
    await submit(3);
    const some = await made({ from: begin, action: 'transaction.evaluated' });
    expect(some.result?.entries).toBe(3);
    expect(verified((await downloaded(some.id)).file)).toMatch(/VERIFIED\n$/);
    const none = await made({ from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' });
    expect(none.result?.entries).toBe(0);
    expect(verified((await downloaded(none.id)).file)).toMatch(/VERIFIED\n$/);
  });

  it('is of one customer with all transactions', async () => {
    const { rows } = await t.owner.query<{ id: string }>(
      'SELECT id FROM customers WHERE organisation_id = $1 LIMIT 1',
      [client.organisationId],
    );
    const id = publicId('cus', rows[0]!.id);
    const all = await made({ customerId: id });
    expect(all.status).toBe('READY');
    expect(all.result?.entries).toBeGreaterThan(2);
    expect(verified((await downloaded(all.id)).file)).toMatch(/VERIFIED\n$/);
  });

  it('refuses what nobody can mean, and what is not there', async () => {
    await ask({ subjectId: 'x' }, 400);
    await ask({ customerId: publicId('cus', '00000000-0000-7000-8000-000000000000') }, 404);
    await ask({ reviewId: 'rev_0' }, 404);
    await ask({ subjectType: 'transaction', subjectId: 'nobody' }, 404);
    await auditor.get('/operator/audit/exports/aex_0').expect(404);
  });
});

describe('a witness outside', () => {
  it('sees that the log goes on, and refuses one that does not', async () => {
    const { token } = await t.operator({ organisationId: client.organisationId, roles: ['AUDITOR'] });
    const options = {
      ...{ url: t.url, pin, name: 'witness' },
      ...{ tokenFile: path.join(dir, 'token'), state: path.join(dir, 'witness.json') },
    };
    writeFileSync(options.tokenFile, token);
    expect(await witnessLog(options)).toBe(0);
    await submit(1);
    expect(await witnessLog(options)).toBe(0);
    const state = JSON.parse(readFileSync(options.state, 'utf8')) as { seen: { size: number; root: string } };
    const keep = (seen: object): void => {
      writeFileSync(options.state, JSON.stringify({ ...state, seen: { ...state.seen, ...seen } }));
    };
    keep({ size: state.seen.size + 1_000 });
    expect(await witnessLog(options)).toBe(1);
    keep({ root: createHash('sha256').digest('base64') });
    expect(await witnessLog(options)).toBe(1);
    expect(readFileSync(`${options.state}.notes`, 'utf8').trimEnd().split('\n')).toHaveLength(2);
    // The witness is all that this log tells of itself, and that is no gap.
    const { organisationId } = client;
    const own = { organisationId, type: 'audit_log', id: organisationId } as const;
    expect(await t.app.get(AuditTrail).trailStatus(own)).toMatchObject({ status: 'COMPLETE', length: 2 });
  });
});

describe('a trail with a gap', () => {
  it('blocks exactly the exports that it is in, names the gap, and is found by the sweep', async () => {
    const [broken = '', other = ''] = await submit(2);
    await behindItsBack(
      t,
      'kyt_evaluations',
      `UPDATE kyt_evaluations SET risk_score = 99 WHERE transaction_ref = $1::uuid`,
      [broken],
    );
    const about = (id: string): object => ({ subjectType: 'transaction', subjectId: publicId('txn', id) });
    const { body } = await auditor
      .post('/operator/audit/exports')
      .send({ reason: REASON, ...about(broken) })
      .expect(409);
    const { error } = body as { error: ErrorBody };
    expect(error.code).toBe('AUDIT_TRAIL_INCOMPLETE');
    // The row is another one, and lists do not find it where its trail says.
    const gap = { path: `transaction:${broken}`, code: 'STATE_MISMATCH' };
    expect(error.details).toEqual([expect.objectContaining(gap), expect.objectContaining(gap)]);
    expect((await made(about(other))).status).toBe('READY');

    // An export of the whole log: the job finds the gap when the sweep has not yet; its content names the gap.
    const answer = await auditor.post('/operator/audit/exports').send({ reason: REASON });
    if (answer.status === 202) {
      const blocked = await ended((answer.body as { data: Export }).data.id);
      expect(blocked.status).toBe('BLOCKED');
      expect(blocked.gaps.map(({ subject }) => subject)).toEqual([`transaction:${broken}`]);
      expect((await content(blocked.id)).status).toBe(409);
    }
    // Asked for as evidence it is made, with the gap in it.
    const evidence = await made({ auditReady: false });
    expect(evidence).toMatchObject({ status: 'READY', result: { trails: { incomplete: 1 } } });
  });

  it('shows in the list of gaps, is an entry of the log, and goes when it is mended', async () => {
    await t.owner.query(`UPDATE audit_sweeps SET due_at = now()`);
    interface Gap {
      readonly subjectId: string;
      readonly status: string;
    }
    const gaps = async (): Promise<Gap[]> =>
      ((await auditor.get('/operator/audit/gaps').expect(200)).body as { data: Gap[] }).data;
    const [gap] = await eventually('the sweep has found it', async () => {
      const found = await gaps();
      return found.length > 0 && found;
    });
    expect(gap?.status).toBe('STATE_MISMATCH');
    await auditor.post('/operator/audit/exports').send({ reason: REASON }).expect(409);
    await behindItsBack(
      t,
      'kyt_evaluations',
      `UPDATE kyt_evaluations SET risk_score = 0 WHERE transaction_ref = $1::uuid`,
      [gap?.subjectId],
    );
    // Findings are judged again at once: nobody waits for the next round of the sweep.
    expect((await made({})).status).toBe('READY');
    await t.owner.query(`UPDATE audit_sweeps SET due_at = now(), position = -1`);
    await eventually('the sweep has closed it', async () => (await gaps()).length === 0);
    const { rows } = await t.owner.query<{ action: string }>(
      `SELECT action FROM audit_entries WHERE subject_type = 'audit_log' AND organisation_id = $1
         AND action LIKE '%gap%' ORDER BY subject_seq`,
      [client.organisationId],
    );
    expect(rows.map(({ action }) => action)).toEqual(['audit_log.gap_found', 'audit_log.gap_closed']);
  });
});

/** The names in the central directory of a ZIP file. */
function zipNames(zip: Buffer): string[] {
  const names: string[] = [];
  for (let at = 0; (at = zip.indexOf('PK\x01\x02', at, 'latin1')) >= 0; at += 4) {
    names.push(zip.toString('utf8', at + 46, at + 46 + zip.readUInt16LE(at + 28)));
  }
  return names;
}
