import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestApi } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction, CPF, cpfOf } from '../support/builders.js';
import { eventually } from '../support/eventually.js';

/** The work of PostgreSQL for one transaction, with what is put off. */
interface Cost {
  readonly commands: number;
  readonly rows: number;
  readonly walRecords: number;
  readonly walBytes: number;
}

const TRANSACTIONS = 10;
const CUSTOMERS = 1_000;
// Read by who looks for entries without a seal, every five seconds.
const IN_THE_BACKGROUND = ['audit_entries_recorded', 'audit_leaves_entry'];
const ROUNDS = 6;
// Entries are sealed, requests logged and names indexed by then.
const SETTLED_MS = 2_500;

let t: TestApp;
let api: TestApi;

beforeAll(async () => {
  t = await startTestApp({ settings: { requestLog: true } });
  api = t.api.as(await t.client());
  await t.owner.query('CREATE EXTENSION pg_walinspect');
  // Plans, loaded data and compiled code are made once, and are no cost of a transaction.
  for (let i = 0; i < TRANSACTIONS; i += 1) await send(known());
  for (let i = 0; i < TRANSACTIONS; i += 1) await send(stranger());
});

afterAll(async () => {
  await t.close();
});

const payment = (person: string): Record<string, unknown> & { transactionId: string } =>
  aTransaction({
    ...{ cpfCnpj: cpfOf(person), externalCustomerId: person },
    destination: { name: 'João Exemplo', cpfCnpj: CPF.payee, accountReference: '0001-77', country: 'BR' },
  });
const known = (): ReturnType<typeof payment> => payment('known');
let strangers = 0;
const stranger = (): ReturnType<typeof payment> => payment(`stranger-${(strangers += 1)}`);

/** Answered with the decision, so that everything until then is of this call. */
const send = async (body: ReturnType<typeof payment>): Promise<unknown> =>
  api.post('/kyt/transactions/ingest?wait=5000').send(body).expect(200);

/** The place in the write-ahead log when nothing follows any more. */
async function settledAt(): Promise<string> {
  await sleep(SETTLED_MS);
  const { rows } = await t.owner.query<{ lsn: string }>('SELECT pg_current_wal_insert_lsn()::text AS lsn');
  return rows[0]!.lsn;
}

/**
 * The commands that the server executes during a call, those before a statement that set its session included: the
 * fewest of several calls, as work in the background sends some too.
 */
async function commandsOf(call: () => Promise<unknown>): Promise<number> {
  const wire = (pg as unknown as { Connection: { prototype: { execute(...asked: unknown[]): unknown } } })
    .Connection.prototype;
  const { execute } = wire;
  const counts: number[] = [];
  for (let i = 0; i < TRANSACTIONS; i += 1) {
    let count = 0;
    wire.execute = function counted(...asked) {
      count += 1;
      return execute.apply(this, asked);
    };
    try {
      await call();
    } finally {
      wire.execute = execute;
    }
    counts.push(count);
  }
  return Math.min(...counts);
}

async function costOf(body: () => ReturnType<typeof payment>): Promise<Cost> {
  const commands = await commandsOf(() => send(body()));
  const before = await settledAt();
  for (let i = 0; i < TRANSACTIONS; i += 1) await send(body());
  const after = await settledAt();
  const { rows } = await t.owner.query<Record<'changed' | 'records' | 'bytes', number>>(
    `SELECT count(*) FILTER (WHERE name ~ '^Heap (INSERT|UPDATE|HOT_UPDATE|DELETE)')::int AS changed,
            count(*)::int AS records, sum(length - images)::int AS bytes
     FROM (SELECT max(resource_manager || ' ' || record_type) AS name, max(record_length) AS length,
             sum(block_fpi_length) AS images
           FROM pg_get_wal_block_info($1, $2)
           WHERE reldatabase = (SELECT oid FROM pg_database WHERE datname = current_database()) GROUP BY start_lsn) r`,
    [before, after],
  );
  const { changed, records, bytes } = rows[0]!;
  const each = (count: number): number => count / TRANSACTIONS;
  return { commands, rows: each(changed), walRecords: each(records), walBytes: each(bytes) };
}

/** The rows and index entries that the server has read until now, by table or index. */
async function readUntilNow(): Promise<ReadonlyMap<string, number>> {
  await sleep(SETTLED_MS);
  const { rows } = await t.owner.query<{ name: string; count: number }>(
    `SELECT indexrelname::text AS name, idx_tup_read::float8 AS count FROM pg_stat_user_indexes
     UNION ALL SELECT relname::text, seq_tup_read::float8 FROM pg_stat_user_tables`,
  );
  return new Map(rows.map(({ name, count }) => [name, count]));
}

/** Counts what each transaction reads in a table or an index, where it is more than `most`. */
async function readsOf(body: () => ReturnType<typeof payment>, most: number): Promise<[string, number][]> {
  const before = await readUntilNow();
  for (let i = 0; i < TRANSACTIONS; i += 1) await send(body());
  return [...(await readUntilNow())]
    .map(([name, count]): [string, number] => [name, (count - (before.get(name) ?? 0)) / TRANSACTIONS])
    .filter(([name, count]) => count > most && !IN_THE_BACKGROUND.includes(name));
}

describe('a transaction that comes alone', () => {
  // Each is what was counted when this was written, and a little more for the work in the background.
  it.each([
    ['a known customer', known, { commands: 9, rows: 15, walRecords: 46, walBytes: 10_700 }],
    ['a stranger', stranger, { commands: 15, rows: 30, walRecords: 95, walBytes: 17_800 }],
  ] as const)(
    'of %s costs no more than it did',
    async (_who, body, most) => {
      // A busy machine hands a transaction over instead of evaluating it where it arrives, which costs more.
      let over: string[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const cost = await costOf(body);
        over = (['commands', 'rows', 'walRecords', 'walBytes'] as const)
          .filter((name) => cost[name] > most[name])
          .map((name) => `${name}: ${cost[name]}, at most ${most[name]}`);
        if (over.length === 0) return;
      }
      expect(over).toEqual([]);
    },
    120_000,
  );

  it('reads no more rows because there are many customers', async () => {
    // Without a device and an address, whose rows a window would rightly read.
    const bare = (body: typeof stranger) => (): ReturnType<typeof payment> => ({ ...body(), metadata: {} });
    const half = (): object[] => Array.from({ length: CUSTOMERS / 2 }, bare(stranger));
    await api.ingestBatch(half()).expect(207);
    await api.ingestBatch(half()).expect(207);
    await eventually('their evaluations', async () => {
      const { rows } = await t.owner.query<{ isDone: boolean }>(
        'SELECT NOT EXISTS (SELECT FROM kyt_work) AS "isDone"',
      );
      return rows[0]!.isDone;
    });
    await t.owner.query('ANALYZE');
    for (const body of [known, stranger].map(bare)) {
      for (let i = 0; i < TRANSACTIONS; i += 1) await send(body());
      expect(await readsOf(body, CUSTOMERS / 2)).toEqual([]);
    }
  }, 120_000);
});
