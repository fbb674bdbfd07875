/** Publishes events as a feature does, in the service's own code but outside of the measured process. */
import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import { withServices } from '../../dist/src/cli/context.js';
import { ClientDirectoryService } from '../../dist/src/features/auth/index.js';
import { UnitOfWork } from '../../dist/src/platform/database/index.js';
import { newUuid } from '../../dist/src/platform/kernel/index.js';
import { Vault } from '../../dist/src/platform/privacy/index.js';
import { EventPublisher, WebhookEndpointsService } from '../../dist/src/features/webhooks/index.js';

/** How many of the batches are on their way at once. */
const LANES = 2;
const PACED_LANES = 3;

await withServices(async (services) => {
  const { principal } = await services.get(ClientDirectoryService).find('demo-app');
  const { organisationId, id: clientAppId } = principal;
  const [uow, vault, publisher] = [
    services.get(UnitOfWork),
    services.get(Vault),
    services.get(EventPublisher),
  ];
  const subject = vault.organisationSubject(organisationId);
  await vault.prepare([subject]);

  const event = (n) =>
    publisher.compose({
      organisationId,
      clientAppId,
      type: 'kyt.transaction.queued',
      resource: { type: 'transaction', id: newUuid() },
      sequence: 1,
      correlationId: 'bench-correlation',
      occurredAt: new Date(),
      subject,
      data: {
        transactionId: `bench-${n}`,
        status: 'QUEUED',
        externalCustomerId: 'customer-4711',
        requestId: 'req_01999e8e7c4a7a0e8a1b2c3d4e5f6071',
        correlationId: 'bench-correlation',
        receivedAt: new Date().toISOString(),
      },
    });
  const publish = (events) => uow.run(organisationId, (tx) => publisher.publish(tx, events));

  const actions = {
    endpoints: async ({ ports }) => {
      for (const port of ports) {
        const url = `http://127.0.0.1:${port}/hook`;
        const actor = { type: 'system', id: 'bench' };
        await services.get(WebhookEndpointsService).create({ organisationId, clientAppId, url, actor });
      }
    },
    flood: async ({ events, batch }) => {
      let next = 0;
      const lane = async () => {
        while (next < events) {
          const from = next;
          next += batch;
          await publish(Array.from({ length: Math.min(batch, events - from) }, (_, i) => event(from + i)));
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
    },
    pace: async ({ perSecond, seconds }) => {
      // Each event is a commit of its own; a few are under way at once, as many as the pool has connections for.
      const startedAt = performance.now();
      let next = 0;
      const lane = async () => {
        while (next < perSecond * seconds) {
          const n = next;
          next += 1;
          const waitMs = (n * 1_000) / perSecond - (performance.now() - startedAt);
          if (waitMs > 1) await sleep(waitMs);
          await publish([event(n)]);
        }
      };
      await Promise.all(Array.from({ length: PACED_LANES }, lane));
    },
  };

  process.send({ ready: true });
  await new Promise((resolve) => {
    process.on('message', ({ action, ...plan }) => {
      actions[action](plan).then(
        () => process.send({ result: true }),
        (error) => process.send({ error: error.stack }),
      );
    });
    process.on('disconnect', resolve);
  });
});
