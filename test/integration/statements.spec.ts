import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  copyOut,
  execute,
  prepared,
  statement,
  system,
  UnitOfWork,
  type CopiedRows,
  type Statement,
} from '../../src/platform/database/index.js';
import { ClientAppEntity } from '../../src/features/auth/store/entities.js';
import { TransactionWorkRepository } from '../../src/features/kyt/store/work/transaction-work.repository.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { TestClient } from '../support/api.js';
import { aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { statementsOf } from '../support/statement-count.js';
import { later } from '../support/needs.js';

let t: TestApp;
let mine: TestClient;
let theirs: TestClient;

beforeAll(async () => {
  t = await startTestApp({ settings: { role: 'api' } });
  mine = await t.client();
  theirs = await t.client();
});
afterAll(() => t.close());

let given = 0;
const unnamed = (text: string): Statement<unknown> => statement(`test.${(given += 1)}`, text);

const copy = (organisationId: string, select: string, ...values: (string | number)[]): Promise<CopiedRows> =>
  t.app.get(UnitOfWork).read(organisationId, (db) => copyOut(db, unnamed(select), values));

/** Rows as arrays of texts, read by the description of the format. */
function rowsOf({ bytes, count }: CopiedRows): (string | null)[][] {
  const from = Buffer.from(bytes);
  const rows: (string | null)[][] = [];
  let at = 0;
  const number = (width: 2 | 4): number => {
    at += width;
    return from.readIntBE(at - width, width);
  };
  while (at < from.length) {
    rows.push(
      Array.from({ length: number(2) }, () => {
        const length = number(4);
        if (length < 0) return null;
        at += length;
        return from.toString('utf8', at - length, at);
      }),
    );
  }
  expect(rows).toHaveLength(count);
  return rows;
}

describe('rows copied out of the database', () => {
  it('are those of the statement, nulls and all, however many', async () => {
    const few = await copy(
      mine.organisationId,
      `SELECT n::text, CASE WHEN n % 2 = 0 THEN $2 END FROM generate_series(1, $1) AS n`,
      3,
      "it's \\ $1 ão",
    );
    expect(rowsOf(few)).toEqual([
      ['1', null],
      ['2', "it's \\ $1 ão"],
      ['3', null],
    ]);
    // More than is set aside at first.
    const many = await copy(
      mine.organisationId,
      `SELECT n::text, repeat('x', 1000) FROM generate_series(1, 5000) AS n`,
    );
    expect(rowsOf(many).map(([n]) => n)).toEqual(Array.from({ length: 5_000 }, (_, i) => String(i + 1)));
    expect(rowsOf({ ...many, bytes: many.bytes.subarray(many.last), count: 1 })).toEqual([
      ['5000', 'x'.repeat(1_000)],
    ]);
  });

  it('may be none', async () => {
    expect(await copy(mine.organisationId, 'SELECT 1 WHERE false')).toMatchObject({ count: 0, last: 0 });
  });

  it("are never another organisation's, on a connection that served it a moment ago", async () => {
    const select = 'SELECT organisation_id::text FROM client_apps';
    for (const client of [mine, theirs, mine, theirs]) {
      expect(rowsOf(await copy(client.organisationId, select))).toEqual([[client.organisationId]]);
    }
  });

  it('fail as any statement does, and the connection serves the next', async () => {
    await expect(copy(mine.organisationId, 'SELECT 1 / n FROM generate_series(0, 1) AS n')).rejects.toThrow(
      'division by zero',
    );
    expect(rowsOf(await copy(mine.organisationId, `SELECT 'on'`))).toEqual([['on']]);
  });
});

describe('the plan of a prepared statement', () => {
  const asked = prepared('test.asked-again', 'SELECT $1::int AS n', { n: 'integer' });

  it('is made once, and anew when it has served a while: the tables may have grown', async () => {
    const plannedAt = await t.app.get(UnitOfWork).read(mine.organisationId, async (db) => {
      const times: string[] = [];
      for (let n = 0; n < 100; n += 1) {
        expect(await execute(db, asked, [n])).toEqual([{ n }]);
        const rows: { at: string }[] = await db.query(
          `SELECT prepare_time::text AS at FROM pg_prepared_statements WHERE name = '${asked.name}'`,
        );
        times.push(...rows.map(({ at }) => at));
      }
      return times;
    });
    const uses = [...new Set(plannedAt)].map((at) => plannedAt.filter((one) => one === at).length);
    expect(uses).toEqual([8, 64, 28]);
  });

  it('is for any values, however often it serves, and a statement without a name has one for its values', async () => {
    const mode = unnamed(
      `SELECT current_setting('plan_cache_mode') || ' ' || current_setting('enable_seqscan') AS mode`,
    );
    const alone = unnamed(`${mode.text} WHERE $1`);
    const plans = unnamed(
      `SELECT custom_plans::int AS custom, generic_plans > 0 AS generic FROM pg_prepared_statements
       WHERE name = '${asked.name}'`,
    );
    await t.app.get(UnitOfWork).read(mine.organisationId, async (db) => {
      for (let n = 0; n < 4; n += 1) {
        await execute(db, asked, [n]);
        expect(await execute(db, mode, [])).toEqual([{ mode: 'force_generic_plan off' }]);
        expect(await execute(db, plans, [])).toEqual([{ custom: 0, generic: true }]);
        expect(await execute(db, alone, [true])).toEqual([{ mode: 'auto on' }]);
      }
    });
  });

  it('goes by an index although the table is small, because it will not stay so', async () => {
    const named = prepared('test.an-app', 'SELECT name FROM client_apps WHERE id = $1::uuid');
    const explain = unnamed(`EXPLAIN EXECUTE "${named.name}" ('${mine.id}')`);
    await t.app.get(UnitOfWork).read(mine.organisationId, async (db) => {
      await execute(db, named, [mine.id]);
      expect(JSON.stringify(await execute(db, explain, []))).toMatch(/Index Scan using client_apps/);
    });
  });

  it('is so again after a transaction was taken back, or has failed', async () => {
    const uow = t.app.get(UnitOfWork);
    const failing = unnamed('SELECT 1 / 0');
    const mode = unnamed(`SELECT current_setting('plan_cache_mode') AS mode`);
    const endings = [
      () => Promise.reject(new Error('taken back')),
      (tx: Parameters<typeof execute>[0]) => execute(tx, failing, []),
    ];
    for (const end of endings) {
      // On the one connection of this scope that is free: the pool hands out the one that came back last.
      await expect(
        uow.run(mine.organisationId, async (tx) => {
          await execute(tx, asked, [1]);
          await end(tx);
        }),
      ).rejects.toThrow(/taken back|division by zero/);
      await uow.read(mine.organisationId, async (db) => {
        await execute(db, asked, [2]);
        const rows = await execute(db, mode, []);
        expect(rows).toEqual([{ mode: 'force_generic_plan' }]);
      });
    }
  });
});

describe('reads in a batch', () => {
  const inBatch = <T>(work: () => Promise<T>): Promise<T> =>
    t.app.get(UnitOfWork).batchReads(mine.organisationId, work);
  const rows = (one: Statement<unknown>, ...values: unknown[]): Promise<unknown[]> =>
    t.app.get(UnitOfWork).rows(mine.organisationId, one, values);
  const echo = unnamed('SELECT $1::int AS n');
  const failing = unnamed('SELECT 1 / $1::int AS n');
  const named = prepared('test.batched', 'SELECT $1::int AS n, $1::int + 1 AS n');

  it('give what each gives alone, in order and in its types, as one statement', async () => {
    const typed = unnamed(
      `SELECT n, $1 || n AS text, CASE WHEN n % 2 = 0 THEN decode('00ff5c', 'hex') END AS bytes, n * 2^53::numeric AS many,
         (2^53 + n)::bigint AS long, n > 1 AS flag, to_timestamp(n) AS at, jsonb_build_object('two', n) AS json,
         ARRAY[n, NULL] AS list, '{a,"b c"}'::text[] AS texts, gen.*
       FROM generate_series(1, $2::int) AS gen (n) ORDER BY n DESC -- all of them`,
    );
    const none = unnamed('SELECT 1 AS n WHERE false');
    const find = (): Promise<unknown> =>
      t.app
        .get(UnitOfWork)
        .read(mine.organisationId, (db) =>
          db.findBy(ClientAppEntity, { organisationId: mine.organisationId }),
        );
    const all = (): Promise<unknown[]> =>
      Promise.all([rows(typed, "it's \\ $1", 3), rows(none), find(), rows(named, 7), rows(typed, '', 1)]);
    const alone = await all();
    expect(alone).toMatchObject([{ length: 3 }, [], [{ id: mine.id }], [{ n: 8 }], [{ n: 1, bytes: null }]]);
    expect(await inBatch(all)).toEqual(alone);
    expect(await statementsOf(t, () => inBatch(all))).toHaveLength(1);
  });

  it('wait for those that the same answers lead to, and for no others', async () => {
    const twoSteps = async (n: number): Promise<unknown> => {
      await rows(echo, n);
      await Promise.resolve();
      return rows(echo, n + 1);
    };
    const both = (): Promise<unknown> => inBatch(() => Promise.all([twoSteps(1), twoSteps(5)]));
    expect(await both()).toEqual([[{ n: 2 }], [{ n: 6 }]]);
    expect(await statementsOf(t, both)).toHaveLength(2);
    // A result has room for the columns of so many.
    const many = Array.from({ length: 30 }, (_, n) => n);
    const each = (): Promise<unknown> => inBatch(() => Promise.all(many.map((n) => rows(echo, n))));
    expect(await each()).toEqual(many.map((n) => [{ n }]));
    expect(await statementsOf(t, each)).toHaveLength(2);
  });

  it('fail together, and the next are read', async () => {
    await inBatch(async () => {
      const [first, second] = await Promise.allSettled([rows(echo, 1), rows(failing, 0)]);
      for (const one of [first, second]) {
        expect(one).toMatchObject({ status: 'rejected', reason: { message: 'division by zero' } });
      }
      expect(await rows(echo, 2)).toEqual([{ n: 2 }]);
      expect(await Promise.all([rows(echo, 3), rows(failing, 1)])).toEqual([[{ n: 3 }], [{ n: 1 }]]);
    });
  });

  it('are of the organisation of the batch; what is read of another one stays apart', async () => {
    const apps = unnamed('SELECT organisation_id::text AS id FROM client_apps');
    const uow = t.app.get(UnitOfWork);
    const of = (client: TestClient) => (): Promise<unknown> => uow.rows(client.organisationId, apps, []);
    const all = (): Promise<unknown> =>
      inBatch(() => Promise.all([mine, theirs, mine].map((one) => of(one)())));
    expect(await all()).toEqual([mine, theirs, mine].map(({ organisationId }) => [{ id: organisationId }]));
    expect(await statementsOf(t, all)).toHaveLength(2);
  });
});

describe('What is read of a table that fills and empties all the time', () => {
  /** A counter of the database's own statistics, when every connection of the application has handed its own in. */
  const counted = async (app: TestApp, what: string, table: string): Promise<number> => {
    // All at once and not in an instant, so that each takes another connection.
    await Promise.all(
      Array.from({ length: app.settings.databasePoolSize }, () =>
        app.app
          .get(UnitOfWork)
          .read(system('kyt.claim'), (db) => db.query('SELECT pg_stat_force_next_flush(), pg_sleep(0.2)')),
      ),
    );
    const { rows } = await app.owner.query<{ count: number }>(
      `SELECT ${what}::int AS count FROM pg_stat_user_tables WHERE relname = $1`,
      [table],
    );
    return rows[0]!.count;
  };

  later(
    'is each transaction once when a worker takes a batch, not the whole batch for each of them',
    async () => {
      const size = 250;
      // So many that an index of all transactions is worth a look.
      for (let n = 0; n < 10; n += 1) {
        await t.api
          .as(mine)
          .ingestBatch(Array.from({ length: 500 }, () => aTransaction()))
          .expect(207);
      }
      // As the database's statistics nearly always have it: they were made while nothing waited.
      await t.owner.query(`BEGIN; CREATE TEMPORARY TABLE waiting ON COMMIT DROP AS SELECT * FROM kyt_work;
      DELETE FROM kyt_work; ANALYZE kyt_work, kyt_transactions; INSERT INTO kyt_work SELECT * FROM waiting; COMMIT`);
      const { rows } = await t.owner.query<{ id: string }>(
        'SELECT transaction_ref AS id FROM kyt_work ORDER BY 1 LIMIT $1',
        [size],
      );
      const ids = rows.map(({ id }) => id);
      const before = await counted(t, 'idx_tup_fetch', 'kyt_transactions');
      expect(await t.app.get(TransactionWorkRepository).claim(ids, 'somebody', 8_000)).toHaveLength(size);
      const read = (await counted(t, 'idx_tup_fetch', 'kyt_transactions')) - before;
      expect(read).toBeGreaterThanOrEqual(size);
      expect(read).toBeLessThan(4 * size);
    },
  );

  later('is what waits for its seal, not the rows that are dead since the last vacuum', async () => {
    const whole = await startTestApp();
    try {
      const client = await whole.client();
      await whole.owner.query('ALTER TABLE audit_pending SET (autovacuum_enabled = off)');
      await whole.owner.query(
        "BEGIN; INSERT INTO audit_pending (organisation_id, subject_types, subject_ids, subject_seqs, hashes) SELECT gen_random_uuid(), ARRAY[repeat('x', 200)], ARRAY['x'], ARRAY[1], ARRAY['\\x00'::bytea] FROM generate_series(1, 20000); DELETE FROM audit_pending WHERE subject_ids = ARRAY['x']; COMMIT",
      );
      const before = await counted(whole, 'seq_scan', 'audit_pending');
      const seals = async (): Promise<number> =>
        (
          await whole.owner.query<{ size: number }>(
            'SELECT coalesce(sum(size), 0)::int AS size FROM audit_logs WHERE organisation_id = $1',
            [client.organisationId],
          )
        ).rows[0]!.size;
      for (let n = 0; n < 5; n += 1) {
        const sealed = await seals();
        await whole.api.as(client).ingest(aTransaction()).expect(202);
        await eventually('its entries are sealed', async () => (await seals()) >= sealed + 2);
      }
      // Each seal began with such a look at the whole table once, and so did each look whether anything waits.
      expect((await counted(whole, 'seq_scan', 'audit_pending')) - before).toBeLessThan(4);
    } finally {
      await whole.close();
    }
  });
});
