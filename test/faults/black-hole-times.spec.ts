import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { BlackHole } from '../support/black-hole.js';
import { aTransaction } from '../support/builders.js';
import { freshDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

const apps: TestApp[] = [];
let hole: BlackHole;
let desks: TestApi[];

beforeAll(async () => {
  const database = await freshDatabase();
  hole = await BlackHole.before(database.appUrl);
  const api = { role: 'api', databaseUrl: hole.url } as const;
  const first = await startTestApp({ database, settings: api });
  apps.push(first);
  apps.push(await startTestApp({ database, like: first, settings: api }));
  for (let i = 0; i < 2; i += 1) {
    apps.push(await startTestApp({ database, like: first, settings: { ...api, role: 'worker' } }));
  }
  const client = await first.client();
  desks = apps.slice(0, 2).map((app) => app.api.as(client));
});

afterAll(async () => {
  for (const app of apps.reverse()) await app.close();
  await hole.close();
});

const statusOf = async (app: TestApp): Promise<number> => (await fetch(`${app.url}/health/ready`)).status;
const since = (begun: number): number => Math.round(performance.now() - begun);

describe('two APIs and two workers whose database is behind a network that drops', () => {
  it('answer 503 within 12 s, are not ready within 5 s, and are back within 5 s; nothing acknowledged is lost', async () => {
    const acknowledged = new Set<string>();
    const submit = async (desk: TestApi): Promise<{ status: number; ms: number }> => {
      const body = aTransaction();
      const begun = performance.now();
      const { status } = await desk.ingest(body);
      if (status === 202) acknowledged.add(body.transactionId);
      return { status, ms: since(begun) };
    };
    for (let i = 0; i < 20; i += 1) for (const desk of desks) expect((await submit(desk)).status).toBe(202);

    const dropped = performance.now();
    hole.drop();
    const answers = Promise.all(
      Array.from({ length: 24 }, async (_, i) => {
        await new Promise((resolve) => setTimeout(resolve, 250 * i));
        return submit(desks[i % 2]!);
      }),
    );
    await Promise.all(
      apps.map((app) => eventually('it is not ready', async () => (await statusOf(app)) === 503)),
    );
    const offMs = since(dropped);
    const seen = await answers;
    expect(seen.map(({ status }) => status)).toEqual(seen.map(() => 503));
    const slowestMs = Math.max(...seen.map(({ ms }) => ms));

    const healed = performance.now();
    hole.heal();
    await Promise.all(
      apps.map((app) => eventually('it is ready', async () => (await statusOf(app)) === 200)),
    );
    for (const desk of desks) {
      await eventually('it accepts', async () => (await submit(desk)).status === 202);
    }
    const backMs = since(healed);
    const owner = apps[0]!.owner;
    await eventually('everything that was acknowledged is evaluated once', async () => {
      const { rows } = await owner.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM kyt_transactions t JOIN kyt_evaluations e ON e.transaction_ref = t.id
         WHERE t.transaction_id = ANY ($1)`,
        [[...acknowledged]],
      );
      return rows[0]?.n === acknowledged.size;
    });
    process.stdout.write(`black hole: 503 in ${slowestMs} ms, off in ${offMs} ms, back in ${backMs} ms\n`);
    expect(slowestMs).toBeLessThan(12_000);
    expect(offMs).toBeLessThan(5_000);
    expect(backMs).toBeLessThan(5_000);
  });
});
