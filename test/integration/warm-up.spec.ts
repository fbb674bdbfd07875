import { afterEach, beforeAll, afterAll, describe, expect, it, jest } from '@jest/globals';
import { FactCollector } from '../../src/features/kyt/facts/fact-collector.js';
import { WarmUpService } from '../../src/features/kyt/index.js';
import { SearchIndexService } from '../../src/features/screening/index.js';
import { Readiness } from '../../src/platform/http/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { expectEvaluatedOnce } from '../support/evaluated-once.js';
import { eventually } from '../support/eventually.js';
import { later } from '../support/needs.js';

const LONG_MS = 60_000;
// A process writes it about the requests of the test itself.
const REQUESTS = 'request_log';

let t: TestApp;

beforeAll(async () => {
  t = await startTestApp({ settings: { role: 'api', warmUpMs: 2_000 } });
  await t.client();
});

afterEach(() => {
  jest.restoreAllMocks();
});

afterAll(async () => {
  await t.close();
});

const warmUp = ({ app }: TestApp): void => {
  app.get(Readiness).await('warm-up', app.get(WarmUpService).start());
};

const unready = async (app: TestApp): Promise<string[]> => {
  const answer = await fetch(`${app.url}/health/ready`);
  const body = (await answer.json()) as { unavailable?: string[] };
  expect(answer.status).toBe((body.unavailable ?? []).length > 0 ? 503 : 200);
  return body.unavailable ?? [];
};

const isWarm = async (app = t): Promise<boolean> => (await unready(app)).length === 0;

/** The number of rows of every table. */
async function rowCounts(): Promise<Record<string, number>> {
  const { rows: tables } = await t.owner.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables.filter((table) => table.name !== REQUESTS)) {
    const { rows } = await t.owner.query<{ n: number }>(`SELECT count(*)::int AS n FROM "${name}"`);
    counts[name] = rows[0]?.n ?? 0;
  }
  return counts;
}

describe('a process that warms up', () => {
  it('is not ready until it has, and leaves nothing behind', async () => {
    const before = await rowCounts();
    warmUp(t);
    expect(await unready(t)).toEqual(['warm-up']);
    await eventually('it is ready', () => isWarm());
    expect(await rowCounts()).toEqual(before);
    // Rows were written, and rolled back: of both commits.
    const written = `SELECT relname, n_tup_ins > 0 AS is FROM pg_stat_user_tables
                     WHERE relname IN ('kyt_transactions', 'kyt_evaluations') ORDER BY relname`;
    await eventually('the statistics have it', async () => {
      const { rows } = await t.owner.query(written);
      expect(rows).toEqual([
        { relname: 'kyt_evaluations', is: true },
        { relname: 'kyt_transactions', is: true },
      ]);
      return true;
    });
  });

  it('ends it for the first submission, which is stored and evaluated like any other', async () => {
    const next = await startTestApp({ like: t, settings: { role: 'all', warmUpMs: LONG_MS } });
    try {
      const client = await next.client();
      warmUp(next);
      expect(await isWarm(next)).toBe(false);
      const body = aTransaction();
      await next.api.as(client).ingest(body).expect(202);
      await eventually('it is ready', () => isWarm(next));
      await eventually('it is evaluated', () =>
        expectEvaluatedOnce(next, [body.transactionId]).then(
          () => true,
          () => false,
        ),
      );
    } finally {
      await next.close();
    }
  });

  later.each([true, false])('ends it when it is told to stop (with lists: %s)', async (hasLists) => {
    const next = await startTestApp({ like: t, settings: { role: 'api', warmUpMs: LONG_MS } });
    if (!hasLists) {
      const never = new Promise<void>(() => undefined);
      jest.spyOn(next.app.get(SearchIndexService), 'waitUntilLoaded').mockReturnValue(never);
    }
    warmUp(next);
    const begin = performance.now();
    await next.close();
    expect(performance.now() - begin).toBeLessThan(LONG_MS / 2);
    expect(next.log.join('')).not.toContain('starts cold');
  });

  later('does not wait for lists that are not loaded', async () => {
    const next = await startTestApp({ like: t, settings: { role: 'api', warmUpMs: 200 } });
    try {
      jest
        .spyOn(next.app.get(SearchIndexService), 'waitUntilLoaded')
        .mockReturnValue(new Promise(() => undefined));
      warmUp(next);
      expect(await isWarm(next)).toBe(false);
      await eventually('it is ready', () => isWarm(next));
      expect(next.log.join('')).toContain('the process starts cold: the lists are not loaded');
    } finally {
      await next.close();
    }
  });

  later('has nothing to do in a role that neither accepts nor evaluates', async () => {
    const next = await startTestApp({ like: t, settings: { role: 'deliverer', warmUpMs: LONG_MS } });
    try {
      warmUp(next);
      await eventually('it is ready', () => isWarm(next));
    } finally {
      await next.close();
    }
  });

  later('starts cold, and says so, if it fails', async () => {
    const next = await startTestApp({ like: t, settings: { role: 'api', warmUpMs: LONG_MS } });
    try {
      jest
        .spyOn(next.app.get(FactCollector), 'collectForDryRun')
        .mockRejectedValue(new RangeError('planted'));
      warmUp(next);
      await eventually('it is ready', () => isWarm(next));
      expect(next.log.join('')).toContain('the process starts cold: RangeError');
    } finally {
      await next.close();
    }
  });

  later('has nothing to warm up with before there is an application', async () => {
    const empty = await startTestApp({ settings: { role: 'api', warmUpMs: LONG_MS } });
    try {
      warmUp(empty);
      await eventually('it is ready', () => isWarm(empty));
    } finally {
      await empty.close();
    }
  });
});
