import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { scopes } from '../../src/platform/http/index.js';
import { UnitOfWork } from '../../src/platform/database/index.js';
import { BlindIndex, IndexKeys } from '../../src/platform/privacy/index.js';
import {
  indexedColumns,
  indexedOfTransactions,
} from '../../src/platform/privacy/store/index-scan.statements.js';
import { describeFacts, featureSchema, unpackFacts } from '../../src/features/rules/index.js';
import { ApiProcess, processEnv } from '../support/api-process.js';
import type { TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction, cpfOf } from '../support/builders.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { fromSource } from '../support/engine-flags.js';
import { eventually } from '../support/eventually.js';

const key = (): Buffer => randomBytes(32);
const ORDINARY = { role: 'all', evaluateOnArrival: true } as const;

/** `vigia keys rotate-index` as a process of its own. */
function rotation(t: TestApp, next: Buffer): ChildProcess {
  return spawn(process.execPath, [...fromSource('cli/main.ts'), 'keys', 'rotate-index'], {
    env: { ...processEnv(t), DATA_DIR: t.settings.dataDir, INDEX_KEY_NEXT: next.toString('base64') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function rotated(t: TestApp, next: Buffer): Promise<{ code: number | null; text: string }> {
  const child = rotation(t, next);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (text += String(chunk)));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, text };
}

describe('what holds blind indexes', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await startTestApp({ settings: { role: 'api' } });
  });
  afterAll(() => t.close());

  it('is every column of bytes that is not something else, so that a rotation misses none', async () => {
    const { rows } = await t.owner.query<{ name: string }>(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND udt_name = 'bytea' ORDER BY 1`,
    );
    const indexed = new Set([
      ...Object.entries(indexedColumns).flatMap(([table, columns]) =>
        columns.map((column) => `${table}.${column}`),
      ),
      ...indexedOfTransactions.map((column) => `kyt_transactions.${column}`),
    ]);
    const other = rows.map(({ name }) => name).filter((name) => !indexed.delete(name));
    expect([...indexed]).toEqual([]);
    // Hashes, seals and bytes: none of them is looked up by a value of somebody.
    expect(
      other.filter((name) => !/hash|seal|digest|root|totp_seed|fingerprint|frontier/.test(name)),
    ).toEqual([
      'app_logos.png',
      'audit_entries.canonical',
      'audit_export_pieces.bytes',
      'audit_repairs.restored',
      'customers.legal_hold_reason',
      'known_indexes.beginnings',
      'kyt_custom_field_values.velocity_entry',
      'kyt_evaluations.facts',
      'kyt_evaluations.receipt',
      'kyt_transactions.velocity_entry',
      'operator_login_throttles.key',
      'operator_passkeys.credential_id',
      'operator_passkeys.public_key',
      'reviews.justification',
      'screening_hits.justification',
      'screening_snapshots.sha256',
      'subject_keys.wrapped_key',
    ]);
  });

  it('stands in the database sealed, and is not to be had without INDEX_KEY', async () => {
    const { secret } = t.app.get(IndexKeys).newest;
    expect(secret.equals(t.settings.indexKey)).toBe(false);
    const { rows } = await t.owner.query<{ sealed: Buffer }>('SELECT sealed FROM index_keys');
    expect(rows).toHaveLength(1);
    expect(rows[0]!.sealed.includes(secret)).toBe(false);
    await expect(startTestApp({ like: t, settings: { indexKey: key() } })).rejects.toThrow(
      /INDEX_KEY is not the one that the indexes of this database are sealed under/,
    );
    const other = await startTestApp({ like: t });
    expect(other.app.get(IndexKeys).newest.secret.equals(secret)).toBe(true);
    await other.close();
  });

  it('keeps the key of an installation that had INDEX_KEY itself for one, and does not make another in its place', async () => {
    const database = await freshDatabase();
    const first = await startTestApp({ database });
    await first.api
      .as(await first.client())
      .ingest(aTransaction())
      .expect(202);
    await first.owner.query('UPDATE index_keys SET sealed = NULL, sealed_by = NULL');
    const second = await startTestApp({ database, like: first });
    expect(second.app.get(IndexKeys).newest.secret.equals(first.settings.indexKey)).toBe(true);
    await second.close();
    await first.owner.query('DELETE FROM index_keys');
    await expect(startTestApp({ database, like: first })).rejects.toThrow(/has lost the keys of its indexes/);
    await first.close();
  });
});

/** The same customers, devices, addresses and payees, as chance has it, for every database. */
interface Drawn {
  readonly customer: number;
  readonly device: number;
  readonly ip: number;
  readonly payee: number;
  readonly withDocument: boolean;
}

const STEPS = 40;
const ROTATED_AT = 24;
const START = Date.now() - 3 * 86_400_000;

function drawn(): Drawn[] {
  let state = 4_711;
  const draw = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  return Array.from({ length: STEPS }, (_, at) => ({
    // From the rotation on there are new ones beside those that were there.
    ...{ customer: draw(at < ROTATED_AT ? 4 : 6), device: draw(at < ROTATED_AT ? 3 : 5) },
    ...{ ip: draw(at < ROTATED_AT ? 3 : 5), payee: draw(at < ROTATED_AT ? 3 : 5), withDocument: draw(4) > 0 },
  }));
}

const bodyOf = (
  { customer, device, ip, payee, withDocument }: Drawn,
  at: number,
): Record<string, unknown> => {
  const cpfCnpj = withDocument ? cpfOf(`customer ${customer}`) : null;
  return aTransaction({
    ...{ transactionId: `step-${at}`, externalCustomerId: `customer-${customer}`, cpfCnpj },
    ...{ amount: 100 + at, occurredAt: new Date(START + at * 1_800_000).toISOString() },
    origin: {
      name: `Pessoa Numero ${['Um', 'Dois', 'Tres', 'Quatro', 'Cinco', 'Seis'][customer] ?? ''}`,
      country: 'BR',
    },
    destination: { name: 'Loja', accountReference: `payee-${payee}`, country: 'BR' },
    metadata: { direction: 'OUT', deviceId: `device-${device}`, ipAddress: `203.0.113.${ip}` },
  });
};

/** Reads of each transaction the facts, and what was decided. */
async function judged(t: TestApp): Promise<unknown[]> {
  const { rows } = await t.owner.query<{ id: string; facts: Buffer; outcome: string; score: number | null }>(
    `SELECT t.transaction_id AS id, e.facts, e.outcome, e.risk_score AS score
     FROM kyt_evaluations e JOIN kyt_transactions t ON t.id = e.transaction_ref
     WHERE e.evaluation_version = 1 ORDER BY t.seq`,
  );
  return rows.map(({ facts, ...row }) => ({
    ...row,
    facts: { ...describeFacts(unpackFacts(facts), featureSchema), receivedAt: null },
  }));
}

const counts = async (t: TestApp): Promise<unknown> => {
  const { rows } = await t.owner.query(
    `SELECT (SELECT count(*) FROM customers)::int AS customers, (SELECT count(*) FROM subject_keys)::int AS people,
       (SELECT count(*) FROM name_words)::int AS words`,
  );
  return rows[0];
};

async function send(t: TestApp, client: TestClient, from: number, to: number): Promise<void> {
  const api = t.api.as(client);
  for (const [at, step] of drawn().entries()) {
    if (at < from || at >= to) continue;
    const { transactionId } = bodyOf(step, at) as { transactionId: string };
    await api.ingest(bodyOf(step, at)).expect(202);
    await api.settled(transactionId);
  }
  await eventually('the names are written', async () => {
    const { rows } = await t.owner.query<{ n: number }>('SELECT count(*)::int AS n FROM name_changes');
    return rows[0]!.n === 0;
  });
}

describe('a rotation of INDEX_KEY', () => {
  const next = key();
  const last = key();
  let database: TestDatabase;
  let first: TestApp;
  let client: TestClient;
  let control: { app: TestApp; client: TestClient };

  beforeAll(async () => {
    database = await freshDatabase();
    first = await startTestApp({ database, settings: ORDINARY });
    client = await first.client({ scopes });
    await send(first, client, 0, ROTATED_AT);
    const app = await startTestApp({ settings: ORDINARY });
    control = { app, client: await app.client({ scopes }) };
    await send(app, control.client, 0, STEPS);
  });
  afterAll(async () => {
    await control.app.close();
  });

  it('waits until the service stands still, and changes nothing before', async () => {
    const { code, text } = await rotated(first, next);
    expect(text).toContain('1 other process is connected: stop the whole service');
    expect(code).toBe(1);
    const { rows } = await first.owner.query('SELECT count(*)::int AS n FROM index_keys');
    expect(rows).toEqual([{ n: 1 }]);
  });

  it('goes on where it was killed, and is there as a whole or not at all', async () => {
    // Old enough to be looked at while the service runs; three pages of them.
    await first.owner.query(
      `INSERT INTO kyt_transactions (id, organisation_id, client_app_id, transaction_id, source, type, channel, amount,
         currency, direction, direction_source, occurred_at, received_at, fingerprint, customer_key, sealed_body, cash,
         request_id, correlation_id, trail_hash)
       SELECT (lpad(to_hex(n), 8, '0') || substr(id::text, 9))::uuid, organisation_id, client_app_id, 'old-' || n, source, type,
         channel, amount, currency, direction, direction_source, '2024-01-01', received_at, fingerprint,
         substr(sha256(int4send(n)), 1, 16), '\\x00', cash, request_id, correlation_id, trail_hash
       FROM (SELECT * FROM kyt_transactions LIMIT 1) t, generate_series(1, 45000) n`,
    );
    await first.app.close();
    const state = async (): Promise<unknown> => {
      const { rows } = await first.owner.query(
        `SELECT (SELECT count(*)::int FROM index_keys) AS keys, count(DISTINCT reached)::int AS pages,
           count(reached)::int AS parts FROM known_indexes`,
      );
      return rows[0];
    };
    const looking = rotation(first, next);
    await eventually('a page is written', async () => {
      const { rows } = await first.owner.query<{ n: number }>('SELECT count(*)::int AS n FROM known_indexes');
      return rows[0]!.n >= 1;
    });
    looking.kill('SIGKILL');
    await once(looking, 'close');
    expect(await state()).toMatchObject({ keys: 1 });
    // In the commit itself: whoever holds a row of what it reads keeps it there.
    const holder = await first.owner.connect();
    await holder.query('BEGIN; LOCK TABLE idempotency_keys IN ACCESS EXCLUSIVE MODE');
    const child = rotation(first, next);
    await eventually('the change has begun', async () => {
      const { rows } = await first.owner.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM pg_locks WHERE relation = 'index_keys'::regclass AND mode = 'AccessExclusiveLock' AND granted`,
      );
      return rows[0]!.n === 1;
    });
    child.kill('SIGKILL');
    await once(child, 'close');
    await holder.query('ROLLBACK');
    holder.release();
    await eventually('the server has noticed', async () => {
      const { rows } = await first.owner.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'vigia %'`,
      );
      return rows[0]!.n === 0;
    });
    expect(await state()).toMatchObject({ keys: 1, pages: 3, parts: 3 });

    const { code, text } = await rotated(first, next);
    expect(text).toContain('done: index key 2 is the newest');
    expect(code).toBe(0);
    expect(await state()).toMatchObject({ keys: 2, pages: 3, parts: 3 });
  });

  it('leaves every window, count and name as they would have been without it, for old and new', async () => {
    const second = await startTestApp({ database, like: first, settings: { ...ORDINARY, indexKey: next } });
    try {
      await send(second, client, ROTATED_AT, STEPS);
      expect(await judged(second)).toEqual(await judged(control.app));
      expect(await counts(second)).toEqual(await counts(control.app));
      const { organisationId } = client;
      const officer = await second.operator({ roles: ['COMPLIANCE_OFFICER', 'AUDITOR'], organisationId });
      const api = second.api.asOperator(officer);
      for (const one of [0, 5]) {
        const { body } = await api
          .get('/operator/search')
          .query({ q: cpfOf(`customer ${one}`) })
          .expect(200);
        expect((body as { data: { customers: unknown[] } }).data.customers).toHaveLength(1);
      }
      const index = second.app.get(BlindIndex);
      expect(second.app.get(IndexKeys).keys.map(({ number }) => number)).toEqual([1, 2]);
      // Nobody was there before who is not there under the same index now.
      const known = index.computeIndex(organisationId, 'document', cpfOf('customer 0'));
      const { rows } = await second.owner.query(
        'SELECT count(*)::int AS n FROM customers WHERE document_index = $1',
        [known],
      );
      expect(rows).toEqual([{ n: 1 }]);
      const trail = await second.owner.query<{ id: string }>(
        `SELECT id FROM kyt_transactions WHERE transaction_id = 'step-0'`,
      );
      const { body } = await api.get(`/operator/audit/trails/transaction/${trail.rows[0]!.id}`).expect(200);
      expect((body as { data: { status: string } }).data.status).toBe('COMPLETE');
      const log = await second.owner.query(
        `SELECT convert_from(canonical, 'UTF8')::json -> 'content' ->> 'number' AS number FROM audit_entries
       WHERE action = 'ops.index_key.rotated'`,
      );
      expect(log.rows).toEqual([{ number: '2' }]);
    } finally {
      await second.app.close();
      await second.owner.end();
    }
  });

  it('lets a process that was cut off meanwhile write nothing any more', async () => {
    const like = await startTestApp({ database, like: first, settings: { indexKey: next, role: 'api' } });
    await like.app.close();
    const cutOff = await ApiProcess.start(like);
    const send = (transactionId: string): Promise<Response> =>
      fetch(`${cutOff.url}/kyt/transactions/ingest`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-client-id': client.clientId,
          'x-client-secret': client.clientSecret,
        },
        body: JSON.stringify(
          aTransaction({ transactionId, externalCustomerId: `stranger-${transactionId}` }),
        ),
      });
    expect((await send('before')).status).toBe(202);
    process.kill(cutOff.pid, 'SIGSTOP');
    await like.owner.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE 'vigia %'`,
    );
    const { code, text } = await rotated(like, last);
    expect(text).toContain('done: index key 3 is the newest');
    expect(code).toBe(0);
    process.kill(cutOff.pid, 'SIGCONT');
    await eventually('it answers again', async () => {
      const answer = await send('after').catch(() => null);
      return answer?.status === 503;
    });
    expect((await send('after')).status).toBe(503);
    const { rows } = await like.owner.query(
      `SELECT transaction_id FROM kyt_transactions WHERE transaction_id IN ('before', 'after')`,
    );
    expect(rows).toEqual([{ transaction_id: 'before' }]);
    await cutOff.stop();
    await like.owner.end();
    await first.owner.end();

    const third = await startTestApp({ database, like: first, settings: { indexKey: last } });
    expect(third.app.get(IndexKeys).keys).toHaveLength(3);
    await third.app.get(UnitOfWork).read(client.organisationId, async () => undefined);
    await third.close();
  });
});
