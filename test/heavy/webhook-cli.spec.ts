import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { WebhookEndpointsService } from '../../src/features/webhooks/index.js';
import { publicId } from '../../src/platform/kernel/index.js';
import { processEnv } from '../support/api-process.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { fromSource } from '../support/engine-flags.js';
import { eventually } from '../support/eventually.js';
import { oneEach, publishEvents } from '../support/published.js';
import { WebhookReceiver } from '../support/receiver.js';

let t: TestApp;

beforeAll(async () => {
  t = await startTestApp();
}, 60_000);

afterAll(async () => {
  await t.close();
});

// The others: test/contract/webhook-management.spec.ts.
it('vigia webhooks changes an endpoint, tries it, recovers it and counts', async () => {
  const client = await t.client({ rules: false });
  const receiver = await WebhookReceiver.listen();
  const webhooks = async (command: string, ...given: string[]): Promise<string> => {
    const all = [
      ...fromSource('cli/main.ts'),
      'webhooks',
      command,
      id,
      '--client',
      client.clientId,
      ...given,
    ];
    return (await promisify(execFile)(process.execPath, all, { env: processEnv(t) })).stdout;
  };
  const since = new Date(Date.now() - 60_000).toISOString();
  await publishEvents(t, client, oneEach(3));
  const { endpoint } = await t.app.get(WebhookEndpointsService).create({
    organisationId: client.organisationId,
    clientAppId: client.id,
    url: receiver.url,
    actor: { type: 'operator', id: 'test' },
  });
  const id = publicId('whe', endpoint.id);
  try {
    expect(await webhooks('recover', '--since', since, '--dry-run')).toMatch(/^recovery whr_\w+ of whe_/);
    expect(await webhooks('recover', '--since', since)).toMatch(/^recovery whr_\w+ of whe_/);
    await eventually('all three have come', () => receiver.deliveries.length === 3);
    expect(await webhooks('recoveries')).toMatch(
      /^whr_\w+ {2}COMPLETED {2}100 % {2}3 of 3 events\nwhr_\w+ {2}COMPLETED {2}100 % {2}3 of 3 events {2}\(dry run\)\n$/,
    );
    expect(await webhooks('test')).toMatch(/^evt_\w+ is on its way as whd_/);
    await eventually('the test event came', () => receiver.deliveries.length === 4);
    await eventually('and was counted', async () =>
      / 4 delivered, 0 failed, .*\n0 waiting\n$/.test(await webhooks('statistics')),
    );
    await expect(webhooks('recover', '--since', 'yesterday')).rejects.toThrow('--since is no time');
    const changed = await webhooks('change', '--events', 'session.created', '--ordering', 'per_resource');
    expect(changed).toBe(`${id}  ${receiver.url}  session.created  ordering per_resource\n`);
    await expect(webhooks('change', '--events', 'session.gone')).rejects.toThrow();
    await expect(webhooks('test', '--type', 'session.gone')).rejects.toThrow('is no event type');
  } finally {
    await receiver.close();
  }
}, 120_000);
