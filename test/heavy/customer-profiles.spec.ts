import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiProcess } from '../support/api-process.js';
import type { TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { figure } from '../support/figure.js';

/** As many as are asked for; a million in ten minutes is the promise, so the rate is what is judged. */
const ROWS = Number(process.env['PROFILE_ROWS'] ?? 1_000_000);
const IN_ONE = 5_000;
/** Requests at a time: while one waits for the database, another is judged and sealed. */
const SENDERS = 3;
const ROUND = SENDERS * IN_ONE;
const ROWS_PER_SECOND = 1_000_000 / 600;
const MAX_GROWTH_MIB = 200;

let t: TestApp;
let client: TestClient;
let api: ApiProcess;

beforeAll(async () => {
  t = await startTestApp({ settings: { role: 'api' } });
  client = await t.client({ scopes: ['customers:write'] });
  api = await ApiProcess.start(t);
}, 120_000);

afterAll(async () => {
  await api.stop();
  await t.close();
});

const body = (from: number): string =>
  Array.from({ length: Math.min(IN_ONE, ROWS - from) }, (_, i) =>
    JSON.stringify({
      externalCustomerId: `heavy-${from + i}`,
      ...{
        name: `Pessoa Exemplo ${from + i}`,
        birthDate: '1980-05-17',
        monthlyIncome: 1_000 + ((from + i) % 9_000),
      },
      ...{ occupation: 'Example', pep: false, riskLevel: 'LOW', asOf: '2025-12-31' },
    }),
  ).join('\n');

interface Outcome {
  readonly rows: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly problems: readonly unknown[];
}

const putRound = (from: number): Promise<Outcome[]> =>
  Promise.all(
    Array.from({ length: SENDERS }, (_, i) => from + i * IN_ONE)
      .filter((at) => at < ROWS)
      .map(put),
  );

const put = async (from: number): Promise<Outcome> => {
  const answer = await fetch(`${api.url}/customers/profiles`, {
    method: 'PUT',
    headers: {
      'content-type': 'application/x-ndjson',
      'x-client-id': client.clientId,
      'x-client-secret': client.clientSecret,
    },
    body: body(from),
  });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { data: Outcome }).data;
};

const residentMib = (): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${api.pid}/status`, 'utf8'))?.[1]) / 1_024;

describe('Profiles in bulk', () => {
  it('a million in ten minutes, in flat memory, and through a kill -9', async () => {
    const begun = performance.now();
    let memory = 0;
    let down = 0;
    const killAt = Math.floor(ROWS / ROUND / 2) * ROUND;
    let outcome = { changed: 0, unchanged: 0, problems: 0 };
    for (let from = 0; from < ROWS; from += ROUND) {
      if (from === killAt) {
        const cut = putRound(from).catch(() => null);
        await new Promise((resolve) => setTimeout(resolve, 400));
        await api.kill();
        expect(await cut).toBeNull();
        const restarting = performance.now();
        api = await ApiProcess.start(t);
        down = performance.now() - restarting;
        memory = 0;
      }
      for (const { changed, unchanged, problems } of await putRound(from)) {
        outcome = {
          changed: outcome.changed + changed,
          unchanged: outcome.unchanged + unchanged,
          problems: outcome.problems + problems.length,
        };
      }
      // The first requests warm caches up that are bounded.
      if (memory === 0 && from >= killAt + ROUND) memory = residentMib();
    }
    const seconds = (performance.now() - begun - down) / 1_000;
    const growth = residentMib() - memory;
    figure(
      `profiles: ${ROWS} rows in ${seconds.toFixed(1)} s, ${(ROWS / seconds).toFixed(0)} rows/s; ` +
        `memory grew by ${growth.toFixed(0)} MiB; ${outcome.unchanged} rows were written before the kill`,
    );
    expect(outcome.changed + outcome.unchanged).toBe(ROWS);
    expect(outcome.problems).toBe(0);
    const { rows } = await t.owner.query<{ all: number; twice: number; entries: number }>(
      `SELECT count(*)::int AS all, count(*) FILTER (WHERE profile_version <> 2)::int AS twice,
              (SELECT count(*)::int FROM audit_entries a WHERE a.action = 'customer.profile_changed') AS entries
       FROM customers WHERE organisation_id = $1`,
      [client.organisationId],
    );
    expect(rows).toEqual([{ all: ROWS, twice: 0, entries: ROWS }]);
    expect(growth).toBeLessThan(MAX_GROWTH_MIB);
    expect(ROWS / seconds).toBeGreaterThan(ROWS_PER_SECOND);
  }, 1_800_000);
});
