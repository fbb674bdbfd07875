import { fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { verifySignatureHeader } from '#vigia/client';
import { publicId } from '../../src/platform/kernel/index.js';
import {
  EndpointStatesService,
  WebhookEndpointsService,
  type WebhookEndpoint,
} from '../../src/features/webhooks/index.js';
import { RecoveriesService } from '../../src/features/webhooks/recoveries/recoveries.service.js';
import { ApiProcess } from './api-process.js';
import type { TestClient } from './api.js';
import type { TestApp } from './app.js';
import { eventually } from './eventually.js';
import { reservedPort } from './ports.mjs';
import { oneEach, publishEvents } from './published.js';
import { WebhookReceiver, type Delivery } from './receiver.js';

const BY = { actor: { type: 'operator', id: 'test' } } as const;
const PATIENCE_MS = 240_000;
const BATCH = 50;

/** A worker whose waits are short enough for a test. */
const startWorker = (t: TestApp, env: Record<string, string> = {}): Promise<ApiProcess> =>
  ApiProcess.start(t, {
    ROLE: 'worker',
    RECONCILE_INTERVAL_MS: '200',
    WEBHOOK_TIMEOUT_MS: '1000',
    WEBHOOK_SCHEDULE_SECONDS: `0${',1'.repeat(100)}`,
    WEBHOOK_BREAKER_SECONDS: '1',
    ...env,
  });

const createEndpoint = (
  t: TestApp,
  { organisationId, id }: TestClient,
  url: string,
): Promise<{ endpoint: WebhookEndpoint; secret: string }> =>
  t.app.get(WebhookEndpointsService).create({ organisationId, clientAppId: id, url, ...BY });

/** Publishes so many events, evenly over the time, and returns their public ids. */
async function publishOver(
  t: TestApp,
  client: TestClient,
  count: number,
  seconds: number,
): Promise<string[]> {
  const ids: string[] = [];
  const begin = performance.now();
  const step = Math.max(1, Math.min(BATCH, Math.round(count / (seconds * 20))));
  while (ids.length < count) {
    const waitMs = (1_000 * seconds * ids.length) / count - (performance.now() - begin);
    if (waitMs > 1) await sleep(waitMs);
    const published = await publishEvents(t, client, oneEach(Math.min(step, count - ids.length)));
    ids.push(...published.map((id) => publicId('evt', id)));
  }
  return ids;
}

/** Waits until every delivery of the endpoint has ended as DELIVERED, and there are so many. */
async function allDelivered(t: TestApp, endpointId: string, count: number): Promise<void> {
  await eventually(
    `${count} deliveries are recorded`,
    async () => {
      const { rows } = await t.owner.query<{ status: string; count: number }>(
        'SELECT status, count(*)::int AS count FROM webhook_deliveries WHERE endpoint_id = $1 GROUP BY 1',
        [endpointId],
      );
      return rows.length === 1 && rows[0]?.status === 'DELIVERED' && rows[0].count === count;
    },
    PATIENCE_MS,
  );
}

function byEvent(deliveries: readonly Delivery[]): Map<string, Delivery[]> {
  const groups = new Map<string, Delivery[]>();
  for (const delivery of deliveries) {
    const group = groups.get(delivery.event.id);
    if (group) group.push(delivery);
    else groups.set(delivery.event.id, [delivery]);
  }
  return groups;
}

/** Every event came, nothing else did, and whatever came twice came with the same id and bytes. */
function expectComplete(deliveries: readonly Delivery[], ids: readonly string[]): { repeats: number } {
  const received = byEvent(deliveries);
  expect(ids.filter((id) => !received.has(id))).toEqual([]);
  expect(received.size).toBe(ids.length);
  const differing = [...received.values()].filter(([first, ...others]) =>
    others.some(
      (other) =>
        !other.body.equals(first!.body) ||
        other.headers['webhook-id'] !== first!.headers['webhook-id'] ||
        other.headers['x-vigia-delivery'] !== first!.headers['x-vigia-delivery'],
    ),
  );
  expect(differing).toEqual([]);
  return { repeats: deliveries.length - received.size };
}

/** Each delivery has one attempt that counts as its end, and one entry in its trail that says so. */
async function expectOneEndEach(t: TestApp, endpointId: string, count: number): Promise<void> {
  const { rows } = await t.owner.query<{ entries: number; deliveries: number }>(
    `SELECT count(*)::int AS entries, count(DISTINCT d.id)::int AS deliveries FROM webhook_deliveries d
     JOIN audit_entries a ON a.subject_type = 'delivery' AND a.subject_id = d.id::text AND a.action = 'delivery.delivered'
     WHERE d.endpoint_id = $1`,
    [endpointId],
  );
  expect(rows).toEqual([{ entries: count, deliveries: count }]);
}

const fits = (secret: string, { headers, body }: Delivery): { standard: boolean; header: boolean } => ({
  standard: passes(() => new Webhook(secret).verify(body, headers as Record<string, string>)),
  header: passes(() => verifySignatureHeader({ headers, body, secret })),
});

function passes(verify: () => unknown): boolean {
  try {
    verify();
    return true;
  } catch {
    return false; // both libraries throw for nothing but a signature, headers or a time that do not fit
  }
}

/**
 * Events under load while the secret is changed: every delivery verifies by both schemes, with the old secret up to
 * the end of the overlap and never after it, with the new one from the change on.
 */
export async function expectEveryDeliveryToVerify(
  t: TestApp,
  count: number,
  overlapSeconds: number,
): Promise<string> {
  // On its way when the secret changed or ended.
  const underWayMs = 1_500;
  const client = await t.client({ rules: false });
  const receiver = await WebhookReceiver.listen();
  const { endpoint, secret: old } = await createEndpoint(t, client, receiver.url);
  const worker = await startWorker(t);
  try {
    const third = Math.ceil(count / 3);
    const ids = await publishOver(t, client, third, overlapSeconds);
    const rotated = await t.app.get(EndpointStatesService).rotate(client, endpoint.id, overlapSeconds, BY);
    const rotatedAt = Date.now();
    const expires = rotated.endpoint.olderSecretsExpireAt[0]?.getTime() ?? 0;
    ids.push(...(await publishOver(t, client, third, overlapSeconds)));
    ids.push(...(await publishOver(t, client, third, overlapSeconds)));
    await allDelivered(t, endpoint.id, ids.length);
    const { repeats } = expectComplete(receiver.deliveries, ids);
    expect(repeats).toBe(0);

    const both = { standard: true, header: true };
    const none = { standard: false, header: false };
    const judged = receiver.deliveries.map((delivery) => ({
      at: delivery.at,
      old: fits(old, delivery),
      new: fits(rotated.secret, delivery),
    }));
    const within = judged.filter(({ at }) => at < expires);
    const after = judged.filter(({ at }) => at >= expires + underWayMs);
    const changed = judged.filter(({ at }) => at >= rotatedAt + underWayMs);
    const wrong = {
      unverified: judged.filter(
        (one) => !(one.old.standard && one.old.header) && !(one.new.standard && one.new.header),
      ),
      refusedOldWithin: within.filter((one) => !one.old.standard || !one.old.header),
      acceptedOldAfter: after.filter((one) => one.old.standard || one.old.header),
      refusedNew: changed.filter((one) => !one.new.standard || !one.new.header),
    };
    expect(wrong).toEqual({ unverified: [], refusedOldWithin: [], acceptedOldAfter: [], refusedNew: [] });
    for (const part of [within, after, changed]) expect(part.length).toBeGreaterThan(count / 10);
    expect(within[0]).toMatchObject({ old: both, new: none });
    expect(after[0]).toMatchObject({ old: none, new: both });
    return (
      `${ids.length} events verified by both schemes; ${within.length} with the old secret inside the overlap ` +
      `(0 refused), ${after.length} after it (0 accepted)`
    );
  } finally {
    await worker.stop();
    await receiver.close();
  }
}

/** A receiver that first fails, then is away, then is back: it has each event once, with the id and bytes of before. */
export async function expectEachOnceAfterAnOutage(t: TestApp, count: number): Promise<string> {
  const client = await t.client({ rules: false });
  const port = await reservedPort();
  const failing = await WebhookReceiver.listen({ port, answer: () => 503 });
  const { endpoint } = await createEndpoint(t, client, failing.url);
  const worker = await startWorker(t);
  let back: WebhookReceiver | null = null;
  try {
    const ids = await publishOver(t, client, count, 1);
    await eventually('several were refused', () => failing.deliveries.length >= 8, PATIENCE_MS);
    await failing.close();
    await eventually(
      'attempts find nobody there',
      async () => {
        const { rowCount } = await t.owner.query(
          `SELECT FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id
           WHERE d.endpoint_id = $1 AND a.error_code = 'ECONNREFUSED' LIMIT 1`,
          [endpoint.id],
        );
        return rowCount === 1;
      },
      PATIENCE_MS,
    );
    back = await WebhookReceiver.listen({ port });
    await allDelivered(t, endpoint.id, count);
    expect(expectComplete(back.deliveries, ids)).toEqual({ repeats: 0 });
    expectComplete([...back.deliveries, ...failing.deliveries], ids);
    await expectOneEndEach(t, endpoint.id, count);
    // Most waited for the breaker, and were spared the attempts in vain.
    const { rows } = await t.owner.query<{ spared: number }>(
      'SELECT count(*)::int AS spared FROM webhook_deliveries WHERE endpoint_id = $1 AND attempts = 1',
      [endpoint.id],
    );
    expect(rows[0]?.spared).toBeGreaterThan(count / 2);
    return `${count} events, each delivered once after ${failing.deliveries.length} refusals and an outage`;
  } finally {
    await worker.stop();
    await back?.close();
  }
}

/** The worker is killed at random moments: every event arrives, and what arrives twice is the same. */
export async function expectKillsToLoseNothing(t: TestApp, count: number, kills: number): Promise<string> {
  const client = await t.client({ rules: false });
  const receiver = await WebhookReceiver.listen();
  const { endpoint } = await createEndpoint(t, client, receiver.url);
  let worker = await startWorker(t);
  try {
    const publishing = publishOver(t, client, count, 3 * kills);
    let cutShort = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      // Not before it is at work again, and then at any moment.
      const seen = receiver.deliveries.length;
      await eventually(
        'it delivers again',
        () => receiver.deliveries.length > seen || seen >= count,
        PATIENCE_MS,
      );
      await sleep(randomInt(0, 1_000));
      await worker.kill();
      const { rowCount } = await t.owner.query(
        `SELECT FROM webhook_deliveries WHERE endpoint_id = $1 AND status = 'SENDING'`,
        [endpoint.id],
      );
      cutShort += rowCount ?? 0;
      worker = await startWorker(t);
    }
    const ids = await publishing;
    await allDelivered(t, endpoint.id, count);
    const { repeats } = expectComplete(receiver.deliveries, ids);
    await expectOneEndEach(t, endpoint.id, count);
    expect(repeats).toBeLessThanOrEqual(cutShort);
    return `${count} events, ${kills} kills with ${cutShort} deliveries under way: 0 lost, ${repeats} repeated with the same id and bytes`;
  } finally {
    await worker.stop();
    await receiver.close();
  }
}

/** A recovery whose worker is killed half way finishes, counts each event once and makes one delivery of each. */
export async function expectRecoveryToSurviveAKill(
  t: TestApp,
  count: number,
  afterTheKill: () => Promise<void> = () => Promise.resolve(),
): Promise<string> {
  const client = await t.client({ rules: false });
  const since = new Date(Date.now() - 60_000);
  const ids = await publishOver(t, client, count, 0.1);
  const receiver = await WebhookReceiver.listen();
  const { endpoint } = await createEndpoint(t, client, receiver.url);
  const recoveries = t.app.get(RecoveriesService);
  let worker = await startWorker(t);
  try {
    const { id } = await recoveries.start(client, endpoint.id, { since, dryRun: false }, BY);
    const halfWay = await eventually(
      'it has recovered something',
      async () => {
        const recovery = await recoveries.get(client, endpoint.id, id);
        return recovery.recovered > 0 && recovery;
      },
      PATIENCE_MS,
    );
    await worker.kill();
    expect(halfWay.status).toBe('RUNNING');
    expect(halfWay.recovered).toBeLessThan(count);
    await afterTheKill();
    worker = await startWorker(t);
    const done = await eventually(
      'it is completed',
      async () => {
        const recovery = await recoveries.get(client, endpoint.id, id);
        return recovery.status === 'COMPLETED' && recovery;
      },
      PATIENCE_MS,
    );
    expect(done).toMatchObject({ events: count, recovered: count, progress: 100 });
    await allDelivered(t, endpoint.id, count);
    const { repeats } = expectComplete(receiver.deliveries, ids);
    await expectOneEndEach(t, endpoint.id, count);
    const again = await recoveries.start(client, endpoint.id, { since, dryRun: true }, BY);
    await eventually('nothing is left to recover', async () => {
      const { status, recovered } = await recoveries.get(client, endpoint.id, again.id);
      return status === 'COMPLETED' && recovered === 0;
    });
    return `${count} events, killed at ${halfWay.recovered}: each one delivery, ${repeats} sent twice with the same id and bytes`;
  } finally {
    await worker.stop();
    await receiver.close();
  }
}

export const misbehaviours = [
  'hangs',
  'trickles one byte a second',
  'redirects in a loop',
  'sends 2 GB',
] as const;
export type Misbehaviour = (typeof misbehaviours)[number];

/** A receiver that misbehaves, in a process of its own: what it costs itself falls on nobody's event loop. */
async function hostileReceiver(
  name: Misbehaviour,
): Promise<{ url: string; calls: () => number; stop: () => Promise<void> }> {
  const child = fork(path.join(import.meta.dirname, 'hostile-receiver.mjs'), [name], { execArgv: [] });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  let calls = 0;
  child.on('message', (message: { calls: number }) => {
    calls = message.calls;
  });
  return {
    url: `http://127.0.0.1:${port}/hook`,
    calls: () => calls,
    stop: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

const NEIGHBOURS = 9;

/** p95 of the time from an event's composition to its arrival at the nine, and the worker's largest resident size. */
interface Measured {
  readonly p95: number;
  readonly peakMb: number;
}

/**
 * One receiver of ten misbehaves. Phases with a tenth that behaves and phases with one that does not take turns, so
 * that what else happens on the machine falls on both.
 */
export async function measureBesideABadNeighbour(
  t: TestApp,
  name: Misbehaviour,
  { eventsPerPhase, seconds, rounds }: { eventsPerPhase: number; seconds: number; rounds: number },
): Promise<{ good: Measured; bad: Measured; reached: number }> {
  const client = await t.client({ rules: false });
  const neighbours = await Promise.all(Array.from({ length: NEIGHBOURS }, () => WebhookReceiver.listen()));
  const wellBehaved = await WebhookReceiver.listen();
  const hostile = await hostileReceiver(name);
  for (const { url } of neighbours) await createEndpoint(t, client, url);
  // Its own schedule, limits and breaker, only less patient.
  const worker = await startWorker(t, {
    WEBHOOK_TIMEOUT_MS: '5000',
    WEBHOOK_SCHEDULE_SECONDS: '0,5,300',
    WEBHOOK_BREAKER_SECONDS: '5,15,60,300',
  });
  const phases: Record<'good' | 'bad', { times: number[]; peakMb: number }> = {
    good: { times: [], peakMb: 0 },
    bad: { times: [], peakMb: 0 },
  };
  const phase = async (kind: 'warm' | 'good' | 'bad'): Promise<void> => {
    const { endpoint } = await createEndpoint(t, client, kind === 'bad' ? hostile.url : wellBehaved.url);
    for (const receiver of neighbours) receiver.deliveries.length = 0;
    const meter = setInterval(() => {
      if (kind !== 'warm') phases[kind].peakMb = Math.max(phases[kind].peakMb, residentMb(worker.pid));
    }, 100);
    await publishOver(t, client, eventsPerPhase, seconds);
    await eventually(
      'the nine have everything',
      () => neighbours.every(({ deliveries }) => deliveries.length >= eventsPerPhase),
      PATIENCE_MS,
    );
    clearInterval(meter);
    if (kind !== 'warm') {
      const received = neighbours.flatMap(({ deliveries }) => deliveries);
      phases[kind].times.push(...received.map(({ at, event }) => at - Date.parse(event.timestamp)));
    }
    await t.app.get(EndpointStatesService).disable(client, endpoint.id, BY, 'end of the phase');
  };
  try {
    await phase('warm');
    for (let round = 0; round < rounds; round += 1) {
      await phase('good');
      await phase('bad');
    }
    const measured = ({ times, peakMb }: { times: number[]; peakMb: number }): Measured => {
      times.sort((a, b) => a - b);
      return { p95: times[Math.ceil(0.95 * times.length) - 1] ?? NaN, peakMb };
    };
    return { good: measured(phases.good), bad: measured(phases.bad), reached: hostile.calls() };
  } finally {
    await worker.stop();
    await hostile.stop();
    await Promise.all([...neighbours, wellBehaved].map((receiver) => receiver.close()));
  }
}

/** Returns the memory that the kernel holds for a process (Linux). */
function residentMb(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? NaN) / 1_024;
}
