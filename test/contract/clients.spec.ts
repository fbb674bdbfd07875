import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import {
  goDriver,
  pythonDriver,
  typescriptDriver,
  type ClientDriver,
  type Said,
  type Setup,
} from '../support/client-drivers.js';
import { FaultyWay, type Fate } from '../support/faulty-way.js';
import { needs, withOtherLanguages } from '../support/needs.js';

let t: TestApp;
let way: FaultyWay;

beforeAll(async () => {
  t = await startTestApp();
  way = await FaultyWay.to(t.url);
});

afterAll(async () => {
  await way.close();
  await t.close();
});

const asPromised = (start: (setup: Setup) => ClientDriver) => (): void => {
  let client: TestClient;
  let driver: ClientDriver;

  beforeEach(async () => {
    client = await t.client({ scopes: ['kyt:ingest', 'kyt:read', 'webhooks:manage', 'events:read'] });
    way.plan = [];
    driver = start({
      url: way.url,
      clientId: client.clientId,
      clientSecret: client.clientSecret,
      timeoutMs: 3_000,
    });
  });

  afterEach(() => {
    driver.close();
  });

  const underWay = async (
    plan: Fate[],
    step: Parameters<ClientDriver['run']>[0],
    given?: unknown,
  ): Promise<Said> => {
    way.plan = [...plan];
    const said = await driver.run(step, given);
    expect(way.plan).toEqual([]);
    return said;
  };
  const stored = async (): Promise<number> => {
    const { rows } = await t.owner.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM kyt_transactions x JOIN client_apps c ON c.id = x.client_app_id
       WHERE c.client_id = $1`,
      [client.clientId],
    );
    return rows[0]!.count;
  };

  it('submits once under refusals, resets, silence and lost answers, and waits as long as it is told', async () => {
    const body = aTransaction();
    const said = await underWay(['429', '503', 'reset', 'lost', 'half'], 'ingest', body);
    expect(said.value).toMatchObject({ transactionId: body.transactionId, accepted: true, duplicate: true });
    expect(said.attempts).toBeGreaterThanOrEqual(6);
    expect(said.pausesMs[0]).toBeGreaterThanOrEqual(1_000);
    expect(said.pausesMs[1]).toBeLessThan(1_000);
    expect(await stored()).toBe(1);
  });

  it('returns a decided transaction, also when the first answer hangs', async () => {
    const body = aTransaction();
    const { value } = await underWay(['lost'], 'ingestAndWait', body);
    expect(value).toMatchObject({ transactionId: body.transactionId, verdict: expect.any(String) });
    const again = await underWay(['hang'], 'transaction', body.transactionId);
    expect(again.value).toMatchObject({ verdict: (value as { verdict: string }).verdict });
    expect(again.attempts).toBeGreaterThanOrEqual(2);
    expect(await stored()).toBe(1);
  });

  it('submits many once when the answer is lost', async () => {
    const { value } = await underWay(['lost'], 'ingestBatch', [aTransaction(), aTransaction(), {}]);
    expect(value).toMatchObject({ summary: { failed: 1 } });
    expect(await stored()).toBe(2);
  });

  it('makes one endpoint when the answer is lost, and lists page after page', async () => {
    const url = 'http://127.0.0.1:4011/hooks';
    const made = await underWay(['lost', '503'], 'createEndpoint', { url });
    expect(made.value).toMatchObject({ secret: expect.stringMatching(/^whsec_/) });
    const listed = await underWay(['reset'], 'endpoints');
    expect(listed.value).toHaveLength(1);
    await driver.run('ingest', aTransaction());
    await driver.run('ingest', aTransaction());
    const deliveries = await driver.run('deliveries', { limit: '1' });
    const ids = (deliveries.value as { id: string }[]).map(({ id }) => id);
    expect(ids.length).toBeGreaterThanOrEqual(2);
    expect(new Set(ids).size).toBe(ids.length);
    expect(deliveries.attempts).toBeGreaterThanOrEqual(ids.length);
  });

  it('reads every event once, and goes on from where it was', async () => {
    const body = aTransaction();
    await driver.run('ingestAndWait', body);
    const first = await underWay(['503', 'reset', 'half'], 'events');
    const items = first.value as {
      event: { id: string; type: string; data: object };
      cursor: string | null;
    }[];
    const types = items.map(({ event }) => event.type);
    expect(types.filter((type) => type.startsWith('kyt.'))).toEqual([
      'kyt.transaction.queued',
      'kyt.transaction.pipeline.completed',
    ]);
    expect(new Set(items.map(({ event }) => event.id)).size).toBe(items.length);
    const cursor = items.at(-1)!.cursor;
    const { transactionId } = aTransaction();
    await driver.run('ingest', aTransaction({ transactionId }));
    // The feed is some milliseconds behind, more under load.
    const next = await eventually('the next event is in the feed', async () => {
      const read = (await driver.run('events', cursor)).value as typeof items;
      return read.length > 0 && read;
    });
    expect(next.map(({ event }) => event.id)).not.toEqual(expect.arrayContaining([items[0]!.event.id]));
    expect(next.map(({ event }) => event.data)).toContainEqual(expect.objectContaining({ transactionId }));
  });

  it('says what is wrong as an error with a code, and does not ask again', async () => {
    const invalid = await underWay([], 'ingest', aTransaction({ amount: -1 }));
    expect(invalid).toMatchObject({ error: 'VigiaApiError', code: 'VALIDATION_FAILED', attempts: 1 });
    expect(invalid.details?.map((one) => one.path)).toEqual(['amount']);
    const unknown = await underWay([], 'transaction', 'never/sent');
    expect(unknown).toMatchObject({ error: 'VigiaApiError', code: 'TRANSACTION_NOT_FOUND', attempts: 1 });
  });

  it('does not repeat what may have happened and must not happen twice', async () => {
    const said = await underWay(['lost'], 'post', '/webhook-endpoints/never/pause');
    expect(said).toMatchObject({ error: 'VigiaConnectionError', attempts: 1 });
    const refused = await underWay(['429'], 'post', '/webhook-endpoints/never/pause');
    expect(refused).toMatchObject({ error: 'VigiaApiError', attempts: 2 });
  });

  it('verifies webhooks, and refuses those of another time, secret or text', async () => {
    const { vectors } = JSON.parse(
      readFileSync(new URL('../../docs/webhooks/test-vectors.json', import.meta.url), 'utf8'),
    ) as {
      vectors: {
        secret: string;
        id: string;
        timestamp: string;
        webhookSignature: string;
        now: number;
        body: string;
        valid: { standard: boolean };
      }[];
    };
    for (const { secret, id, timestamp, webhookSignature, now, body, valid } of vectors) {
      const headers = {
        'Webhook-Id': id,
        'Webhook-Timestamp': timestamp,
        'Webhook-Signature': webhookSignature,
      };
      const said = await driver.run('verify', { headers, body, secret, now });
      expect(said.error ?? 'accepted').toBe(valid.standard ? 'accepted' : 'WebhookVerificationError');
    }
    const { secret, id, timestamp, webhookSignature, now, body } = vectors[0]!;
    const headers = {
      'Webhook-Id': id,
      'Webhook-Timestamp': timestamp,
      'Webhook-Signature': webhookSignature,
    };
    for (const wrong of [` ${secret}`, `${secret}\n`, `"${secret}"`, `v1,${secret}`, 'whsec_']) {
      const said = await driver.run('verify', { headers, body, secret: wrong, now });
      expect(said).toMatchObject({ error: 'WebhookVerificationError', code: 'SECRET_INVALID' });
      expect(said.message).toContain('not as it was shown');
      expect(said.message).not.toContain(secret);
    }
    expect(await driver.run('verify', { headers, body, secret: '', now })).toMatchObject({
      code: 'SECRET_MISSING',
    });
  });
};

describe('the client for TypeScript', asPromised(typescriptDriver));
if (withOtherLanguages) {
  needs('python3').describe('the client for Python', asPromised(pythonDriver));
  needs('go').describe('the client for Go', asPromised(goDriver));
}
