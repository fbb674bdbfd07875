import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publicId } from '../../src/kernel/index.js';
import { brStarter, RulesetsService } from '../../src/rules/index.js';
import type { TestOperator } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { manyTransactions } from '../support/many-transactions.js';

// The acceptance criterion: a dossier of 10,000 transactions is streamed in less than ten seconds, in bounded memory.
const COUNT = 10_000;
const MOST_MS = 10_000;
const MOST_GROWTH_MIB = 150;

let t: TestApp;
let officer: TestOperator;
let customerId: string;

beforeAll(async () => {
  t = await startTestApp();
  const client = await t.client({ rules: false });
  const { organisationId } = client;
  await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
  officer = await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId });
  await manyTransactions(t, t.api.as(client), 'busy', COUNT);
  const { rows } = await t.owner.query<{ id: string }>('SELECT id FROM customers');
  expect(rows).toHaveLength(1);
  customerId = publicId('cus', rows[0]!.id);
}, 240_000);

afterAll(async () => {
  await t.close();
});

interface Taken {
  readonly ms: number;
  readonly firstByteMs: number;
  readonly bytes: number;
  readonly growthMiB: number;
  readonly last: string;
}

/** Reads an answer without keeping it, and how much memory the process took meanwhile. */
async function taken(path: string): Promise<Taken> {
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  const begun = performance.now();
  const call = request(t.url + path, { headers: { authorization: `Bearer ${officer.token}` } }).end();
  const [response] = (await once(call, 'response')) as [import('node:http').IncomingMessage];
  expect(response.statusCode).toBe(200);
  let bytes = 0;
  let firstByteMs = 0;
  let last = '';
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (bytes === 0) firstByteMs = performance.now() - begun;
    bytes += chunk.length;
    last = (last + chunk.toString('latin1')).slice(-40);
  }
  const ms = performance.now() - begun;
  clearInterval(watch);
  return {
    ms: Math.round(ms),
    firstByteMs: Math.round(firstByteMs),
    bytes,
    growthMiB: Math.round((most - before) / 1_048_576),
    last,
  };
}

describe(`a dossier of ${COUNT} transactions`, () => {
  it.each([
    ['dossier?auditReady=true', /\]\},"error":null\}$/],
    ['dossier.pdf?auditReady=true', /%%EOF\s*$/],
    ['subject-export', /\]\},"error":null\}$/],
    ['subject-export.pdf', /%%EOF\s*$/],
  ])(
    '%s is whole, in time, and in bounded memory',
    async (name, end) => {
      const result = await taken(`/operator/customers/${customerId}/${name}`);
      process.stdout.write(
        `${name}: ${result.ms} ms (first byte ${result.firstByteMs} ms), ${(result.bytes / 1_048_576).toFixed(1)} MiB, ` +
          `memory +${result.growthMiB} MiB\n`,
      );
      expect(result.last).toMatch(end);
      expect(result.ms).toBeLessThan(MOST_MS);
      expect(result.growthMiB).toBeLessThan(MOST_GROWTH_MIB);
    },
    60_000,
  );
});
