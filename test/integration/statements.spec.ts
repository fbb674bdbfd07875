import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { copyOut, execute, literal, UnitOfWork, type CopiedRows } from '../../src/database/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { TestClient } from '../support/api.js';

let t: TestApp;
let mine: TestClient;
let theirs: TestClient;

beforeAll(async () => {
  t = await startTestApp({ settings: { role: 'api' } });
  mine = await t.client();
  theirs = await t.client();
});
afterAll(() => t.close());

const copy = (organisationId: string, select: string): Promise<CopiedRows> =>
  t.app.get(UnitOfWork).read(organisationId, (db) => copyOut(db, select));

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
      `SELECT n::text, CASE WHEN n % 2 = 0 THEN ${literal("it's \\ ão")} END FROM generate_series(1, 3) AS n`,
    );
    expect(rowsOf(few)).toEqual([
      ['1', null],
      ['2', "it's \\ ão"],
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
  const asked = { name: 'asked-again', text: 'SELECT $1::int AS n' };

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
});
