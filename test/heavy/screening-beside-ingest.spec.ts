import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { systemActor } from '../../src/features/audit/index.js';
import { CustomerIdentificationService } from '../../src/features/customers/index.js';
import { newUuid } from '../../src/platform/kernel/index.js';
import {
  SearchIndexService,
  ListImporterService,
  ScreeningListsService,
  type SnapshotRow,
} from '../../src/features/screening/index.js';
import { ApiProcess } from '../support/api-process.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { TestClient } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { ingestTimes as ingestTimesOf, p99 } from '../support/ingest-times.js';
import { figure } from '../support/figure.js';

const CUSTOMERS = Number(process.env['VIGIA_CUSTOMERS'] ?? 100_000);
const ENTRIES = Number(process.env['VIGIA_ENTRIES'] ?? 50_000);
const PER_SECOND = Number(process.env['VIGIA_INGEST_PER_SECOND'] ?? 100);
const SECONDS = Number(process.env['VIGIA_SECONDS'] ?? 20);
// The event loop may stall at most so long while a list is imported and its index is built.
const LONGEST_STALL_MS = 60;
const FACTOR = 1.5;

let t: TestApp;
let client: TestClient;

beforeAll(async () => {
  t = await startTestApp({ settings: { role: 'api' } });
  client = await t.client();
}, 120_000);

afterAll(async () => {
  await t.close();
});

const SYLLABLES = 'ba ce di fo gu la me ni po ru sa te vi zo'.split(' ');
/** The number as three words; no two numbers have the same. */
function madeUp(i: number): string {
  const words: string[] = [];
  let rest = i * 7_919 + 104_729;
  for (let w = 0; w < 3; w += 1) {
    let word = '';
    for (let s = 0; s < 3; s += 1) {
      word += SYLLABLES[rest % SYLLABLES.length]!;
      rest = Math.floor(rest / SYLLABLES.length) + w * 31 + s * 17;
    }
    words.push(word);
  }
  return words.join(' ');
}

async function imported(key: string, names: readonly string[]): Promise<SnapshotRow> {
  const ctx = systemActor(client.organisationId, 'test');
  const list = await t.app
    .get(ScreeningListsService)
    .findOrCreate(ctx, { key, name: key, kind: 'SANCTIONS', format: 'HOUSE_CSV' });
  const file = ['key;name;kind', ...names.map((name, i) => `n${i};${name};PERSON`), ''].join('\n');
  // As a file is read: 64 KiB at a time.
  const chunks = file.match(/[^]{1,65536}/g) ?? [];
  const importer = t.app.get(ListImporterService);
  const { id } = await importer.startImport(ctx, list, null);
  const main = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
  return importer.runImport(ctx, list, id, { main, bytesTotal: null }, { confirmation: 'NEVER' });
}

it(
  `importing ${ENTRIES} entries and building their index does not hold up the event loop`,
  async () => {
    const names = Array.from({ length: ENTRIES }, (_, i) => madeUp(i));
    await imported('small', names.slice(0, 100));
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const began = performance.now();
    const snapshot = await imported('large', names);
    await t.app.get(SearchIndexService).refresh();
    delay.disable();
    const [p99Ms, maxMs] = [delay.percentile(99) / 1e6, delay.max / 1e6];
    figure(
      `${ENTRIES} entries imported and in the index in ${((performance.now() - began) / 1_000).toFixed(1)} s; ` +
        `event loop delayed by ${p99Ms.toFixed(0)} ms (p99), ${maxMs.toFixed(0)} ms (most)`,
    );
    expect(snapshot).toMatchObject({ status: 'PUBLISHED', entries: ENTRIES });
    expect(maxMs).toBeLessThan(LONGEST_STALL_MS);
  },
  10 * 60_000,
);

it(
  `screening ${CUSTOMERS} customers again in the background leaves ingest as it was`,
  async () => {
    const { organisationId } = client;
    const customers = t.app.get(CustomerIdentificationService);
    for (let from = 0; from < CUSTOMERS; from += 1_000) {
      await customers.identify(
        Array.from({ length: Math.min(1_000, CUSTOMERS - from) }, (_, i) => ({
          organisationId,
          clientAppId: client.id,
          externalCustomerId: `customer-${from + i}`,
          taxId: null,
          name: madeUp(1_000_000 + from + i),
          birthDate: null,
          by: 'OPERATOR' as const,
          requestId: null,
          correlationId: newUuid(),
          traceparent: null,
        })),
      );
    }
    const service = await ApiProcess.start(t, { ROLE: 'all' });
    try {
      const ingestTimes = (): Promise<number[]> =>
        ingestTimesOf({ url: service.url, client, perSecond: PER_SECOND, seconds: SECONDS });
      await ingestTimes(); // warm
      const alone = p99(await ingestTimes());
      const began = performance.now();
      // One customer in a thousand is on it, so that hits and their cases are written as well.
      const listed = Array.from({ length: Math.ceil(CUSTOMERS / 1_000) }, (_, i) =>
        madeUp(1_000_000 + i * 1_000),
      );
      const { id } = await imported('again', listed);
      const round = async (): Promise<{ status: string; done: number; hits: number }> => {
        const { rows } = await t.owner.query<{ status: string; done: number; hits: number }>(
          'SELECT status, done, hits FROM screening_rounds WHERE snapshot_id = $1',
          [id],
        );
        return rows[0]!;
      };
      const beside: number[] = [];
      do beside.push(...(await ingestTimes()));
      while ((await round()).status !== 'FINISHED' && performance.now() - began < 8 * 60_000);
      const finished = await eventually('the round is finished', async () => {
        const now = await round();
        return now.status === 'FINISHED' ? now : null;
      });
      const ratio = p99(beside) / alone;
      figure(
        `${finished.done} customers screened again in less than ${((performance.now() - began) / 1_000).toFixed(0)} s, ` +
          `${finished.hits} hits; ingest p99 at ${PER_SECOND}/s: ${alone.toFixed(1)} ms alone, ` +
          `${p99(beside).toFixed(1)} ms beside (factor ${ratio.toFixed(2)})`,
      );
      expect(finished.done).toBeGreaterThanOrEqual(CUSTOMERS);
      expect(finished.hits).toBeGreaterThanOrEqual(listed.length);
      expect(ratio).toBeLessThan(FACTOR);
    } finally {
      await service.stop();
    }
  },
  15 * 60_000,
);
