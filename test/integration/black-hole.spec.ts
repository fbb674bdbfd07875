import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { BlackHole } from '../support/black-hole.js';
import { aTransaction } from '../support/builders.js';
import { freshDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

let t: TestApp;
let hole: BlackHole;
let api: TestApi;

beforeAll(async () => {
  const database = await freshDatabase();
  hole = await BlackHole.before(database.appUrl);
  t = await startTestApp({
    database,
    settings: { databaseUrl: hole.url, databaseStatementTimeoutMs: 2_000, databaseConnectTimeoutMs: 500 },
  });
  api = t.api.as(await t.client());
});

afterAll(async () => {
  await t.close();
  await hole.close();
});

const ready = async (): Promise<{ status: number; unavailable: string[] }> => {
  const response = await fetch(`${t.url}/health/ready`);
  const { unavailable } = (await response.json()) as { unavailable: string[] };
  return { status: response.status, unavailable };
};

describe('a network that drops what is sent to the database', () => {
  it('is answered with 503, never with "nothing was accepted" about what was sent, and is told', async () => {
    const before = [aTransaction(), aTransaction()];
    for (const body of before) await api.ingest(body).expect(202);
    await eventually('all is evaluated', async () => (await evaluated()) === before.length);

    hole.dropAfter('kyt-ingest');
    const lost = aTransaction();
    const first = await api.ingest(lost);
    expect({ status: first.status, code: codeOf(first.body) }).toEqual({
      status: 503,
      code: 'OUTCOME_UNKNOWN',
    });
    expect(first.headers['retry-after']).toBe('1');
    await eventually('the service says that it is not ready', async () => {
      const { status, unavailable } = await ready();
      return status === 503 && unavailable.includes('database');
    });
    expect(t.log.join('')).toContain('the database is away');
    const second = await api.ingest(aTransaction());
    expect({ status: second.status, code: codeOf(second.body) }).toEqual({ status: 503, code: 'NOT_READY' });

    hole.heal();
    await eventually('the service is ready again', async () => (await ready()).status === 200);
    // It was stored: only the answer was lost, and it is not stored twice.
    const again = await eventually('the same submission is taken', async () => {
      const answer = await api.ingest(lost);
      return answer.status === 503 ? null : answer;
    });
    expect(again.status).toBe(200);
    await api.ingest(aTransaction()).expect(202);
    // Relay, workers and reconciler were cut off like everybody, and go on like everybody.
    await eventually('all is evaluated', async () => (await evaluated()) === before.length + 2);
  });
});

async function evaluated(): Promise<number> {
  const { rows } = await t.owner.query<{ n: number }>('SELECT count(*)::int AS n FROM kyt_evaluations');
  return rows[0]?.n ?? 0;
}

const codeOf = (body: unknown): string | undefined =>
  (body as { error: { code: string } | null }).error?.code;
