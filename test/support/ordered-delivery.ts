import { expect } from '@jest/globals';
import fc from 'fast-check';
import { newUuid, publicId } from '../../src/platform/kernel/index.js';
import { WebhookEndpointsService } from '../../src/features/webhooks/index.js';
import type { TestApp } from './app.js';
import { eventually } from './eventually.js';
import { publishEvents, type Planned } from './published.js';
import { WebhookReceiver } from './receiver.js';

/** How the workers of this test are set: four attempts at once, and no breaker, which would only slow the failures. */
export const ORDERED = {
  role: 'worker',
  reconcileIntervalMs: 50,
  webhookScheduleSeconds: [0, 0, 0, 0],
  webhookBreakerFailures: 1_000,
} as const;
const ATTEMPTS = ORDERED.webhookScheduleSeconds.length;

/**
 * The events of each resource in their order, each with its number of failures; as many as there are attempts: for good.
 */
const failuresOfEach = fc.array(
  fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: ATTEMPTS })), {
    minLength: 1,
    maxLength: 5,
  }),
  { minLength: 1, maxLength: 5 },
);

interface Step extends Planned {
  readonly failures: number;
}

/** The events of all resources, mixed, but those of one resource in their order. */
function interleaved(resources: readonly (readonly number[])[], picks: readonly number[]): Step[] {
  const left = resources.map((failures) => {
    const resourceId = newUuid();
    return failures.map((count, i) => ({ resourceId, sequence: i + 1, failures: count }));
  });
  const steps: Step[] = [];
  for (let i = 0; ; i += 1) {
    const open = left.filter((steps_) => steps_.length > 0);
    if (open.length === 0) return steps;
    const next = open[(picks[i % picks.length] ?? 0) % open.length]?.shift();
    if (next) steps.push(next);
  }
}

/**
 * Publishes events of several resources, in one commit or several, to an endpoint that wants order and fails at random.
 * Whatever happens, no event of a resource is sent before every earlier one was delivered or given up.
 */
export async function expectOrderPerResource(t: TestApp, runs: number): Promise<void> {
  const plan = fc.record({
    resources: failuresOfEach,
    picks: fc.array(fc.nat({ max: 100 }), { minLength: 5, maxLength: 5 }),
    perCommit: fc.integer({ min: 1, max: 8 }),
    status: fc.constantFrom(500, 302, 429, 404),
  });
  const property = fc.asyncProperty(plan, async ({ resources, picks, perCommit, status }) => {
    const client = await t.client({ rules: false });
    const failing = new Map<string, number>();
    const tried = new Map<string, number>();
    const receiver = await WebhookReceiver.listen({
      answer: ({ event: { id } }) => {
        const before = tried.get(id) ?? 0;
        tried.set(id, before + 1);
        return before < (failing.get(id) ?? 0) ? status : 204;
      },
    });
    const steps = interleaved(resources, picks);
    const sent = new Map<string, Step>();
    try {
      const { endpoint } = await t.app.get(WebhookEndpointsService).create({
        organisationId: client.organisationId,
        clientAppId: client.id,
        url: receiver.url,
        ordering: 'per_resource',
        actor: { type: 'operator', id: 'test' },
      });
      // Paused until the receiver knows which of them are to fail.
      await t.owner.query(`UPDATE webhook_endpoints SET status = 'PAUSED' WHERE id = $1`, [endpoint.id]);
      for (let from = 0; from < steps.length; from += perCommit) {
        const part = steps.slice(from, from + perCommit);
        const ids = await publishEvents(t, client, part);
        ids.forEach((id, i) => {
          sent.set(publicId('evt', id), part[i]!);
          failing.set(publicId('evt', id), part[i]!.failures);
        });
      }
      await t.owner.query(`UPDATE webhook_endpoints SET status = 'ACTIVE' WHERE id = $1`, [endpoint.id]);
      await t.owner.query('UPDATE webhook_deliveries SET wake_at = now() WHERE endpoint_id = $1', [
        endpoint.id,
      ]);
      await eventually('all have come to an end', async () => {
        const { rows } = await t.owner.query<{ open: number }>(
          'SELECT count(*)::int AS open FROM webhook_deliveries WHERE endpoint_id = $1 AND finished_at IS NULL',
          [endpoint.id],
        );
        return rows[0]?.open === 0;
      });
    } finally {
      await receiver.close();
    }
    const order = new Map<string, number[]>();
    for (const { event } of receiver.deliveries) {
      const { resourceId = '', sequence = 0 } = sent.get(event.id) ?? {};
      order.set(resourceId, [...(order.get(resourceId) ?? []), sequence]);
    }
    const expected = new Map<string, number[]>();
    for (const { resourceId = '', sequence = 0, failures } of steps) {
      const attempts = Array.from({ length: Math.min(failures + 1, ATTEMPTS) }, () => sequence);
      expected.set(resourceId, [...(expected.get(resourceId) ?? []), ...attempts]);
    }
    expect(Object.fromEntries(order)).toEqual(Object.fromEntries(expected));
  });
  await fc.assert(property, { numRuns: runs, endOnFailure: true });
}
