import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dossierLabels } from '../../src/features/dossiers/data/dossier-labels.js';
import { publicId } from '../../src/platform/kernel/index.js';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import type { TestOperator } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { manyTransactions } from '../support/many-transactions.js';
import { figure } from '../support/figure.js';
import { readPdf } from '../support/pdf.js';

// A dossier of 10,000 transactions is streamed, in bounded memory, and takes no longer for each than a small one. Ten
// seconds on a quiet machine; machines differ by a factor of three.
const COUNT = 10_000;
const FEWER = 2_500;
const MAX_MS = 30_000;
// Share of the time that each transaction of the small one takes.
const MAX_GROWTH = 1.3;
// The whole process, with what the engine has not collected yet.
const MAX_GROWTH_MIB = 150;
// Limits of the memory that is really held, and of its growth with four times as many transactions.
const MAX_HELD_MIB = 40;
const MAX_MORE_MIB = 8;

let t: TestApp;
let officer: TestOperator;
const customers = new Map<number, string>();

beforeAll(async () => {
  t = await startTestApp();
  const client = await t.client({ rules: false });
  const { organisationId } = client;
  await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
  officer = await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId });
  for (const count of [FEWER, COUNT]) {
    const origin = { name: 'Maria Exemplo', country: 'BR' };
    await manyTransactions(t, t.api.as(client), `busy-${count}`, count, { origin });
    const { rows } = await t.owner.query<{ id: string }>(
      'SELECT id FROM customers ORDER BY identified_at DESC LIMIT 1',
    );
    customers.set(count, publicId('cus', rows[0]!.id));
  }
}, 300_000);

afterAll(async () => {
  await t.close();
});

const asked = async (count: number, name: string): Promise<IncomingMessage> => {
  const path = `/operator/customers/${customers.get(count)}/${name}`;
  const call = request(t.url + path, { headers: { authorization: `Bearer ${officer.token}` } }).end();
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  return response;
};

interface Taken {
  readonly ms: number;
  readonly firstByteMs: number;
  readonly bytes: number;
  readonly growthMiB: number;
  readonly last: string;
}

/** Reads an answer without keeping it, and how much memory the process took meanwhile. */
async function taken(count: number, name: string): Promise<Taken> {
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  const begun = performance.now();
  const response = await asked(count, name);
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

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Returns the memory still held after a collection, in MiB. */
const held = (): number => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1_048_576;
};

/** The most that is held at any time while an answer is made and read. */
async function mostHeld(count: number, name: string): Promise<number> {
  const before = held();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, held());
  }, 500);
  for await (const chunk of (await asked(count, name)) as AsyncIterable<Buffer>) expect(chunk).toBeDefined();
  clearInterval(watch);
  return most - before;
}

const forms = [
  ['dossier?auditReady=true', /\]\},"error":null\}$/],
  ['dossier.pdf?auditReady=true', /%%EOF\s*$/],
  ['subject-export', /\]\},"error":null\}$/],
  ['subject-export.pdf', /%%EOF\s*$/],
] as const;

describe(`a dossier of ${COUNT} transactions`, () => {
  it.each(forms)(
    '%s is whole, and in time',
    async (name, end) => {
      const small = await taken(FEWER, name);
      const result = await taken(COUNT, name);
      const growth = result.ms / COUNT / (small.ms / FEWER);
      figure(
        `${name}: ${result.ms} ms (first byte ${result.firstByteMs} ms), ${(result.bytes / 1_048_576).toFixed(1)} MiB, ` +
          `memory +${result.growthMiB} MiB, ${growth.toFixed(2)} of the time for each of ${FEWER}`,
      );
      expect(result.last).toMatch(end);
      expect(result.ms).toBeLessThan(MAX_MS);
      expect(growth).toBeLessThan(MAX_GROWTH);
      expect(result.growthMiB).toBeLessThan(MAX_GROWTH_MIB);
    },
    60_000,
  );

  it.each(forms.map(([name]) => [name]))(
    `%s holds no more in memory than one of ${FEWER}`,
    async (name) => {
      const [few, many] = [await mostHeld(FEWER, name), await mostHeld(COUNT, name)];
      figure(`${name}: held +${few.toFixed(1)} MiB of ${FEWER}, +${many.toFixed(1)} MiB of ${COUNT}`);
      expect(many).toBeLessThan(MAX_HELD_MIB);
      expect(many - few).toBeLessThan(MAX_MORE_MIB);
    },
    120_000,
  );

  it('each of its printed pages says which it is of how many, when it was made, and what the trail says', async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of (await asked(COUNT, 'dossier.pdf')) as AsyncIterable<Buffer>) {
      chunks.push(chunk);
    }
    const { pages, total } = readPdf(Buffer.concat(chunks));
    const words = dossierLabels['pt-BR'];
    expect(pages.length).toBeGreaterThan(250);
    expect(total).toBe(pages.length);
    expect(pages.map(([, number]) => number)).toEqual(
      pages.map((_, i) => `${words.page} ${i + 1} ${words.of} `),
    );
    const [foot = ''] = pages[0]!;
    expect(foot).toContain(words.generatedAt);
    expect(foot).toContain(`${words.trail}: ${words.COMPLETE}`);
    expect(pages.filter(([own]) => own !== foot)).toEqual([]);
    // Every transaction stands on some page.
    expect(pages.flat().filter((line) => / \| txn_[0-9a-f]{32}$/.test(line))).toHaveLength(COUNT);
    expect(pages.at(-1)).toContain(words.end);
  }, 60_000);
});
