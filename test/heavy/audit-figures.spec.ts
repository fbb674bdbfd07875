import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  AuditTrail,
  CHAIN_START,
  composeEntry,
  LogAuditorService,
  type AuditDraft,
  type ComposedEntry,
} from '../../src/features/audit/index.js';
import { appendLeaves, EMPTY_FRONTIER, rootOf } from '../../src/features/audit/domain/merkle.js';
import { UnitOfWork } from '../../src/platform/database/index.js';
import { newUuid } from '../../src/platform/kernel/index.js';
import { ApiProcess } from '../support/api-process.js';
import type { TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { figure } from '../support/figure.js';

/** Entries of the large package: 1,000,000 for the figures of record. */
const SIZE = Number(process.env['AUDIT_SIZE'] ?? 20_000);
/** Transactions a second while the time to the checkpoint is taken: 1,000 for the figures of record. */
const RATE = Number(process.env['AUDIT_RATE'] ?? 100);
const SECONDS = Number(process.env['AUDIT_SECONDS'] ?? 10);
/** Transactions of one round of the comparison with and without the insert. */
const ROUND = Number(process.env['AUDIT_ROUND'] ?? 1_000);
const IS_OF_RECORD = SIZE >= 1_000_000;
const MEGABYTE = 1_048_576;

const dir = mkdtempSync(path.join(tmpdir(), 'vigia-figures-'));
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

/** The most memory that a process has ever had, in megabytes. */
const peakOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;

const allSealed = (t: TestApp, organisationId: string, timeoutMs = 600_000): Promise<boolean> =>
  eventually(
    'everything is sealed',
    async () => {
      const { rows } = await t.owner.query<{ waiting: boolean }>(
        `SELECT EXISTS (SELECT FROM kyt_work WHERE organisation_id = $1)
             OR EXISTS (SELECT FROM audit_pending WHERE organisation_id = $1) AS waiting`,
        [organisationId],
      );
      return rows[0]?.waiting === false;
    },
    timeoutMs,
  );

describe(`a package of ${SIZE} entries`, () => {
  let t: TestApp;
  let worker: ApiProcess;
  let client: TestClient;
  let file: string;

  beforeAll(async () => {
    t = await startTestApp({ settings: { role: 'api' } });
    worker = await ApiProcess.start(t, { ROLE: 'all' });
    client = await t.client();
    const { organisationId } = client;
    for (let left = SIZE; left > 0; left -= 5_000) await write(organisationId, Math.min(5_000, left));
    await allSealed(t, organisationId);
    // Memory that sealing a million entries took must not count for the export: the export gets a new process.
    await worker.stop();
    worker = await ApiProcess.start(t, { ROLE: 'all' });
  }, 3_600_000);

  afterAll(async () => {
    await worker.stop();
    await t.close();
  });

  /** Trails of two entries, of the size of those of transactions. */
  async function write(organisationId: string, count: number): Promise<void> {
    const entries: ComposedEntry[] = [];
    const digest = 'c74f20a3'.repeat(8);
    while (entries.length < count) {
      const subject = { organisationId, type: 'dossier', id: newUuid() } as const;
      const draft: AuditDraft = {
        subject,
        action: 'dossier.exported',
        actor: { type: 'system', id: 'heavy' },
        requestId: `req_${newUuid()}`,
        correlationId: newUuid(),
        occurredAt: new Date(),
        content: {
          about: 'metrics',
          format: 'json',
          receipt: digest,
          fingerprint: digest,
          outcome: 'APPROVED',
        },
      };
      const first = composeEntry(draft, CHAIN_START);
      entries.push(first, composeEntry(draft, { seq: 2, previousHash: first.hash }));
    }
    await t.app
      .get(UnitOfWork)
      .run(organisationId, (tx) => t.app.get(AuditTrail).append(tx, entries.slice(0, count)));
  }

  it('is made in the background by a process of less than 300 MB, and shows how far it is', async () => {
    const { organisationId } = client;
    let token = '';
    let issuedAt = Number.NEGATIVE_INFINITY;
    const call = async (method: string, rest: string, body?: object): Promise<Response> => {
      // A token lives for some minutes, which are fewer than a million entries take.
      if (performance.now() - issuedAt > 60_000) {
        ({ token } = await t.operator({ organisationId, roles: ['AUDITOR'] }));
        issuedAt = performance.now();
      }
      const answer = await fetch(`${worker.url}/operator/audit/exports${rest}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
      return answer;
    };
    const before = peakOf(worker.pid);
    const begun = performance.now();
    const asked = (await (await call('POST', '', { reason: 'the whole log' })).json()) as {
      data: { id: string };
    };
    const seen = new Set<number>();
    const made = await eventually(
      'the export is made',
      async () => {
        const { data } = (await (await call('GET', `/${asked.data.id}`)).json()) as {
          data: { status: string; progress: number; result: { entries: number; bytes: number } };
        };
        seen.add(data.progress);
        return data.status === 'READY' && data;
      },
      3_600_000,
    );
    const seconds = (performance.now() - begun) / 1_000;
    file = path.join(dir, 'whole.zip');
    const answer = await call('GET', `/${asked.data.id}/content`);
    await pipeline(Readable.fromWeb(answer.body as never), createWriteStream(file));
    const peak = peakOf(worker.pid);
    figure(
      `export: ${made.result.entries} entries, ${(made.result.bytes / MEGABYTE).toFixed(1)} MB in ${seconds.toFixed(1)} s; ` +
        `the whole process at most ${peak.toFixed(0)} MB (${before.toFixed(0)} before); ${seen.size} values of progress`,
    );
    expect(made.result.entries).toBeGreaterThan(SIZE);
    // The whole process, of which the service itself has about 200 MB before the export begins.
    expect(peak).toBeLessThan(300);
    if (IS_OF_RECORD) expect(seen.size).toBeGreaterThan(10);
  }, 3_600_000);

  it.each([
    ['verify.mjs', process.execPath],
    ['verify.py', 'python3'],
  ])(
    'is verified by %s in bounded memory',
    async (name, command) => {
      const [pin = ''] = (await t.app.get(LogAuditorService).readStatus(client.organisationId)).verifierKeys;
      const script = fileURLToPath(new URL(`../../src/features/audit/verify/${name}`, import.meta.url));
      const begun = performance.now();
      const child = spawn(command, [script, file, '--pin', pin], { stdio: ['ignore', 'pipe', 'inherit'] });
      let said = '';
      child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
      let peak = 0;
      const closed = once(child, 'close');
      while (child.exitCode === null) {
        try {
          peak = Math.max(peak, peakOf(child.pid ?? 0));
        } catch {
          break; // it has ended between two looks
        }
        await pause(20);
      }
      await closed;
      const seconds = (performance.now() - begun) / 1_000;
      figure(`${name}: ${seconds.toFixed(1)} s, at most ${peak.toFixed(0)} MB`);
      expect(said).toMatch(/VERIFIED\n$/);
      if (IS_OF_RECORD) expect(seconds).toBeLessThan(30);
      expect(peak).toBeLessThan(500);
    },
    600_000,
  );
});

describe('two processes that seal, each killed in the middle', () => {
  let t: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    t = await startTestApp({ settings: { role: 'api' } });
    client = await t.client();
  }, 120_000);
  afterAll(async () => {
    await t.close();
  });

  it('leaves no entry out and takes none twice', async () => {
    let running = [await ApiProcess.start(t, { ROLE: 'all' }), await ApiProcess.start(t, { ROLE: 'all' })];
    for (let round = 0; round < 4; round += 1) {
      for (let i = 0; i < 4; i += 1) {
        await t.api
          .as(client)
          .ingestBatch(Array.from({ length: 100 }, () => aTransaction()))
          .expect(207);
      }
      await running[round % 2]?.kill();
      const next = await ApiProcess.start(t, { ROLE: 'all' });
      running = running.map((process, i) => (i === round % 2 ? next : process));
    }
    await allSealed(t, client.organisationId, 120_000);
    const { rows } = await t.owner.query<{ leaf_index: string; hash: Buffer; sealed: Buffer }>(
      `SELECT l.leaf_index, e.hash, l.hash AS sealed FROM audit_entries e
       LEFT JOIN audit_leaves l USING (organisation_id, subject_type, subject_id, subject_seq)
       WHERE e.organisation_id = $1 ORDER BY l.leaf_index`,
      [client.organisationId],
    );
    expect(rows.map((row) => Number(row.leaf_index))).toEqual(rows.map((_, i) => i));
    expect(rows.every(({ hash, sealed }) => hash.equals(sealed))).toBe(true);
    const log = await t.owner.query<{ size: string; root: Buffer }>(
      'SELECT size, root FROM audit_logs WHERE organisation_id = $1',
      [client.organisationId],
    );
    const frontier = appendLeaves(
      EMPTY_FRONTIER,
      rows.map(({ hash }) => hash),
    );
    expect([log.rows[0]?.size, log.rows[0]?.root]).toEqual([String(rows.length), rootOf(frontier)]);
    for (const process of running) await process.stop();
  }, 300_000);
});

describe('what sealing costs and how long it takes', () => {
  let t: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    t = await startTestApp({ settings: { databasePoolSize: 16 } });
    client = await t.client();
  }, 120_000);
  afterAll(async () => {
    await t.close();
  });

  it(`signs what was committed soon, at ${RATE} transactions a second`, async () => {
    const { organisationId } = client;
    // Each signed size with its time, which stands in the checkpoint.
    const signed: { size: number; at: number }[] = [];
    const watch = { over: false };
    const watching = (async () => {
      while (!watch.over) {
        const { rows } = await t.owner.query<{ size: string; signed_at: Date }>(
          'SELECT size, signed_at FROM audit_logs WHERE organisation_id = $1',
          [organisationId],
        );
        const [row] = rows;
        if (row && Number(row.size) !== signed.at(-1)?.size) {
          // Committed and to be seen by others now, which is later than what the checkpoint says.
          signed.push({ size: Number(row.size), at: Date.now() });
        }
        await pause(10);
      }
    })();
    const calls: Promise<unknown>[] = [];
    const begun = performance.now();
    for (let tick = 0; tick < SECONDS * 10; tick += 1) {
      const items = Array.from({ length: Math.ceil(RATE / 10) }, () => aTransaction());
      calls.push(Promise.resolve(t.api.as(client).ingestBatch(items).expect(207)));
      await pause(Math.max(0, begun + (tick + 1) * 100 - performance.now()));
    }
    await Promise.all(calls);
    await allSealed(t, organisationId);
    await pause(300);
    watch.over = true;
    await watching;
    const { rows } = await t.owner.query<{ leaf_index: string; recorded_at: Date }>(
      `SELECT l.leaf_index, e.recorded_at FROM audit_leaves l
       JOIN audit_entries e USING (organisation_id, subject_type, subject_id, subject_seq)
       WHERE l.organisation_id = $1 ORDER BY l.leaf_index`,
      [organisationId],
    );
    const waits = rows
      .map(({ leaf_index: index, recorded_at: at }) => {
        const first = signed.find(({ size }) => size > Number(index));
        return (first?.at ?? Infinity) - at.getTime();
      })
      .sort((a, b) => a - b);
    const at = (share: number): number => waits[Math.floor(share * (waits.length - 1))] ?? Infinity;
    figure(`commit to signed checkpoint: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms of ${waits.length} entries`);
    if (RATE >= 1_000) {
      expect(at(0.5)).toBeLessThanOrEqual(300);
      expect(at(0.99)).toBeLessThanOrEqual(2_000);
    }
    expect(waits.every(Number.isFinite)).toBe(true);
  }, 600_000);

  /** Whether the database refuses customers, cases and the rest of what is regulated without an entry. */
  async function demandEntries(on: boolean): Promise<void> {
    const { rows } = await t.owner.query<{ name: string; table: string }>(
      `SELECT tgname AS name, tgrelid::regclass::text AS table FROM pg_trigger WHERE tgname ~ '_(announced|audited)$'`,
    );
    for (const { name, table } of rows) {
      await t.owner.query(`ALTER TABLE ${table} ${on ? 'ENABLE' : 'DISABLE'} TRIGGER ${name}`);
    }
  }

  it('costs less than a quarter of the ingest', async () => {
    await t.owner.query(
      `CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
    );
    const rates: Record<'with' | 'without', number[]> = { with: [], without: [] };
    for (let round = 0; round < 6; round += 1) {
      const how = round % 2 === 0 ? 'with' : 'without';
      if (how === 'without') {
        await t.owner.query(
          `CREATE TRIGGER a_nothing BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION nothing()`,
        );
        await demandEntries(false);
      }
      const begun = performance.now();
      const each = 250;
      const batches = Array.from({ length: Math.ceil(ROUND / each) }, () =>
        Array.from({ length: each }, () => aTransaction()),
      );
      await Promise.all(batches.map((items) => t.api.as(client).ingestBatch(items).expect(207)));
      await allSealed(t, client.organisationId);
      rates[how].push((batches.length * each * 1_000) / (performance.now() - begun));
      if (how === 'without') {
        await t.owner.query('DROP TRIGGER a_nothing ON audit_entries');
        await demandEntries(true);
      }
    }
    const best = (of: readonly number[]): number => Math.max(...of);
    const share = best(rates.with) / best(rates.without);
    figure(
      `ingested, evaluated and sealed: ${best(rates.with).toFixed(0)}/s; without the audit insert ` +
        `${best(rates.without).toFixed(0)}/s; ${share.toFixed(2)} of it`,
    );
    if (ROUND >= 5_000) expect(share).toBeGreaterThanOrEqual(0.75);
    expect(share).toBeGreaterThan(0);
  }, 600_000);
});
