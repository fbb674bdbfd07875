import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { WebhookReceiver } from '../support/receiver.js';

const running: TestApp[] = [];
let api: TestApp;

beforeAll(async () => {
  api = await startTestApp({ settings: { role: 'api', screeningIndex: false } });
});

afterAll(async () => {
  for (const app of running.reverse()) await app.close();
  await api.close();
});

const start = async (role: 'evaluator' | 'deliverer' | 'background'): Promise<void> => {
  running.push(await startTestApp({ like: api, settings: { role } }));
};

describe('processes of one role each', () => {
  it('do their own work and leave the rest to the others', async () => {
    const client = await api.client({
      scopes: ['kyt:ingest', 'kyt:read', 'webhooks:manage', 'events:read'],
    });
    const receiver = await WebhookReceiver.listen();
    const own = api.api.as(client);
    await own.post('/webhook-endpoints').send({ url: receiver.url }).expect(201);
    const { transactionId } = aTransaction();
    await own.ingest(aTransaction({ transactionId })).expect(202);
    const status = async (): Promise<unknown> =>
      ((await own.transaction(transactionId).expect(200)).body as { data: { status: string } }).data.status;

    await start('background');
    await start('deliverer');
    await eventually('the first event is delivered', () => receiver.deliveries.length >= 1);
    expect(await status()).toBe('QUEUED');

    await start('evaluator');
    await eventually('it is evaluated', async () => (await status()) === 'COMPLETED');
    await eventually('the second event is delivered', () => receiver.deliveries.length >= 2);
    await receiver.close();
  });
});
