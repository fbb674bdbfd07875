import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid, publicId } from '../../src/platform/kernel/index.js';
import { Vault } from '../../src/platform/privacy/index.js';
import { UnitOfWork } from '../../src/platform/database/index.js';
import { EventPublisher, eventTypes, type EventType } from '../../src/features/webhooks/index.js';
import { ResponseTextSweepService } from '../../src/features/webhooks/jobs/response-text-sweep.service.js';
import { verifySignatureHeader, verifyWebhook } from '#vigia/client';
import type { TestApi, TestClient, TestOperator } from '../support/api.js';
import { detailsOf, expectError } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { processEnv } from '../support/api-process.js';
import { fromSource } from '../support/engine-flags.js';
import { eventually } from '../support/eventually.js';
import { later } from '../support/needs.js';
import { reservedPort } from '../support/ports.mjs';
import { oneEach, publishEvents, queuedData } from '../support/published.js';
import { WebhookReceiver } from '../support/receiver.js';

interface Endpoint {
  readonly id: string;
  readonly clientAppId: string;
  readonly url: string;
  readonly status: string;
  readonly statusReason: string | null;
  readonly eventTypes: string[];
  readonly ordering: string;
  readonly previousSecretExpiresAt: string | null;
  readonly olderSecretsExpireAt: readonly string[];
  readonly createdAt: string;
}
interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly status: string;
  readonly attempts: number;
  readonly log?: Record<string, unknown>[];
  readonly payload?: object;
}
interface Feed {
  readonly data: { readonly id: string; readonly type: string; readonly sequence: number }[];
  readonly page: { readonly nextCursor: string | null; readonly hasMore: boolean };
}

const scopes = ['kyt:ingest', 'webhooks:manage', 'events:read'] as const;
const receivers: WebhookReceiver[] = [];

let t: TestApp;
let client: TestClient;
let operator: TestOperator;

/** The two ways to the same endpoints: `/operator/webhook-endpoints` and `/webhook-endpoints`. */
const ways: readonly ['operator' | 'application'][] = [['operator'], ['application']];
const api = (way: 'operator' | 'application'): TestApi =>
  way === 'operator' ? t.api.asOperator(operator) : t.api.as(client);
const at = (way: 'operator' | 'application', path: string): string =>
  way === 'operator' ? `/operator${path}` : path;

beforeAll(async () => {
  t = await startTestApp({ settings: { reconcileIntervalMs: 50, webhookScheduleSeconds: [0, 1, 60] } });
  client = await t.client({ scopes, rules: false });
  operator = await t.operator({ organisationId: client.organisationId });
});

afterEach(async () => {
  await t.owner.query(`UPDATE webhook_endpoints SET status = 'DISABLED' WHERE status <> 'DISABLED'`);
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});

afterAll(async () => {
  await t.close();
});

async function aReceiver(): Promise<WebhookReceiver> {
  const receiver = await WebhookReceiver.listen();
  receivers.push(receiver);
  return receiver;
}

async function created(
  way: 'operator' | 'application',
  body: Record<string, unknown>,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const app = way === 'operator' ? { clientAppId: publicId('app', client.id) } : {};
  const answer = await api(way)
    .post(at(way, '/webhook-endpoints'))
    .send({ ...app, ...body })
    .expect(201);
  return (answer.body as { data: { endpoint: Endpoint; secret: string } }).data;
}

async function read<T>(way: 'operator' | 'application', path: string): Promise<T> {
  return ((await api(way).get(at(way, path)).expect(200)).body as { data: T }).data;
}

async function act<T>(
  way: 'operator' | 'application',
  path: string,
  body: object,
  status: number,
): Promise<T> {
  return ((await api(way).post(at(way, path)).send(body).expect(status)).body as { data: T }).data;
}

/** Publishes events of an application, each about a resource of its own, and returns their public ids. */
async function publish(count: number, owner = client): Promise<string[]> {
  const ids = await publishEvents(t, owner, oneEach(count));
  return ids.map((id) => publicId('evt', id));
}

const deliveryOf = (way: 'operator' | 'application', eventId: string, status: string): Promise<Delivery> =>
  eventually(`the delivery of ${eventId} is ${status}`, async () => {
    const [delivery] = await read<Delivery[]>(way, `/webhook-deliveries?eventId=${eventId}`);
    return delivery?.status === status && delivery;
  });

async function auditOf(type: string, publicOne: string): Promise<string[]> {
  const uuid = publicOne.replace(/^\w+_(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const { rows } = await t.owner.query<{ action: string }>(
    `SELECT action FROM audit_entries WHERE subject_type = $1 AND subject_id = $2 ORDER BY subject_seq`,
    [type, uuid],
  );
  return rows.map(({ action }) => action.replace(/^\w+\./, ''));
}

describe.each(ways)('webhook endpoints, managed by the %s', (way) => {
  it('are created with a secret that is shown once', async () => {
    const { endpoint, secret } = await created(way, {
      url: 'http://127.0.0.1:9009/hook',
      eventTypes: ['session.completed', 'session.created'],
      ordering: 'per_resource',
      description: 'a test',
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(endpoint).toEqual({
      id: expect.stringMatching(/^whe_[0-9a-f]{32}$/),
      clientAppId: publicId('app', client.id),
      url: 'http://127.0.0.1:9009/hook',
      description: 'a test',
      eventTypes: ['session.created', 'session.completed'],
      ordering: 'per_resource',
      status: 'ACTIVE',
      statusReason: null,
      failingSince: null,
      heldUntil: null,
      previousSecretExpiresAt: null,
      olderSecretsExpireAt: [],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const answer = await api(way)
      .get(at(way, `/webhook-endpoints/${endpoint.id}`))
      .expect(200);
    expect(answer.body).toEqual({ data: endpoint, error: null });
    expect(answer.text).not.toContain('whsec_');
    expect(await auditOf('webhook_endpoint', endpoint.id)).toEqual(['created']);
    const { rows } = await t.owner.query<{ sealed_secret: Buffer }>(
      `SELECT sealed_secret FROM webhook_endpoints WHERE url LIKE '%:9009/hook'`,
    );
    for (const row of rows) expect(row.sealed_secret.includes(secret.slice(6, 20))).toBe(false);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['without a URL', {}, 'url REQUIRED'],
    [
      'with an unknown event',
      { url: 'http://127.0.0.1:9009/', eventTypes: ['session.gone'] },
      'eventTypes VALUE_NOT_ALLOWED',
    ],
    ['without events', { url: 'http://127.0.0.1:9009/', eventTypes: [] }, 'eventTypes TOO_FEW_ITEMS'],
    ['with an address inside', { url: 'https://10.0.0.1/' }, 'url ADDRESS_NOT_ALLOWED'],
    [
      'with an unknown ordering',
      { url: 'http://127.0.0.1:9009/', ordering: 'total' },
      'ordering VALUE_NOT_ALLOWED',
    ],
    ['with an unknown field', { url: 'http://127.0.0.1:9009/', secret: 'mine' }, 'secret UNKNOWN_FIELD'],
  ])('are refused %s', async (_, body, detail) => {
    const app = way === 'operator' ? { clientAppId: publicId('app', client.id) } : {};
    const answer = await api(way)
      .post(at(way, '/webhook-endpoints'))
      .send({ ...app, ...body });
    expect(detailsOf(expectError(answer, 400, 'VALIDATION_FAILED'))).toEqual([detail]);
  });

  it('send an event to one address once: another endpoint of the application there is refused', async () => {
    const { url } = await aReceiver();
    const some = { url, eventTypes: ['kyt.transaction.pipeline.completed'] };
    const { endpoint } = await created('application', some);
    const asked = api('application');
    for (const body of [some, { ...some, url: url.replace('http:', 'HTTP:') }, { url }]) {
      const refused = await asked.post('/webhook-endpoints').send(body);
      expect(detailsOf(expectError(refused, 409, 'STATE_CONFLICT'))).toEqual(['url ADDRESS_TAKEN']);
    }
    const other = await created('application', { url, eventTypes: ['session.completed'] });
    const path = `/webhook-endpoints/${other.endpoint.id}`;
    const widened = await asked.call('patch', path).send({ eventTypes: some.eventTypes });
    expect(detailsOf(expectError(widened, 409, 'STATE_CONFLICT'))).toEqual(['url ADDRESS_TAKEN']);
    await asked.call('delete', `/webhook-endpoints/${endpoint.id}`).expect(200);
    await asked.call('patch', path).send({ eventTypes: some.eventTypes }).expect(200);
  });

  it('are created once for one Idempotency-Key', async () => {
    const body = {
      url: 'http://127.0.0.1:9009/once',
      ...(way === 'operator' ? { clientAppId: publicId('app', client.id) } : {}),
    };
    const post = (): ReturnType<TestApi['post']> =>
      api(way).post(at(way, '/webhook-endpoints')).set('idempotency-key', `key-${way}`).send(body);
    const [first, second] = [await post().expect(201), await post().expect(201)];
    expect(second.body).toEqual(first.body);
  });

  it('are changed, and only in what is given', async () => {
    const { endpoint } = await created(way, { url: 'http://127.0.0.1:9009/a', description: 'before' });
    const path = at(way, `/webhook-endpoints/${endpoint.id}`);
    const answer = await api(way)
      .call('patch', path)
      .send({ eventTypes: ['customer.identified'] })
      .expect(200);
    expect((answer.body as { data: Endpoint }).data).toMatchObject({
      url: endpoint.url,
      description: 'before',
      eventTypes: ['customer.identified'],
    });
    await api(way)
      .call('patch', path)
      .send({ description: null, url: 'http://127.0.0.1:9009/b' })
      .expect(200);
    expect(await read<Endpoint>(way, `/webhook-endpoints/${endpoint.id}`)).toMatchObject({
      url: 'http://127.0.0.1:9009/b',
      description: null,
    });
    expectError(
      await api(way).call('patch', path).send({ url: 'https://169.254.169.254/' }),
      400,
      'VALIDATION_FAILED',
    );
    expect(await auditOf('webhook_endpoint', endpoint.id)).toEqual(['created', 'changed', 'changed']);
  });

  it('collect while paused, and send everything once resumed', async () => {
    const receiver = await aReceiver();
    const { endpoint } = await created(way, { url: receiver.url });
    const path = `/webhook-endpoints/${endpoint.id}`;
    expect(await act<Endpoint>(way, `${path}/pause`, { reason: 'maintenance' }, 200)).toMatchObject({
      status: 'PAUSED',
      statusReason: 'maintenance',
    });
    const [event = ''] = await publish(1);
    expect(await act<Endpoint>(way, `${path}/pause`, {}, 200)).toMatchObject({ status: 'PAUSED' });
    expect(receiver.deliveries).toHaveLength(0);
    expect(await act<Endpoint>(way, `${path}/resume`, {}, 200)).toMatchObject({
      status: 'ACTIVE',
      statusReason: null,
    });
    await eventually('the event arrives', () => receiver.deliveries.length === 1);
    expect(receiver.deliveries[0]?.event.id).toBe(event);
    expect(await auditOf('webhook_endpoint', endpoint.id)).toEqual(['created', 'paused', 'activated']);
    await api(way).call('delete', at(way, path)).expect(200);
  });

  it('get nothing once disabled, and are gone once removed', async () => {
    const receiver = await aReceiver();
    const { endpoint } = await created(way, { url: receiver.url });
    const path = `/webhook-endpoints/${endpoint.id}`;
    expect(await act<Endpoint>(way, `${path}/disable`, { reason: 'replaced' }, 200)).toMatchObject({
      status: 'DISABLED',
      statusReason: 'replaced',
    });
    const [event = ''] = await publish(1);
    const about = await read<Delivery[]>(
      way,
      `/webhook-deliveries?endpointId=${endpoint.id}&eventId=${event}`,
    );
    expect(about).toEqual([]);
    for (const [action, body] of [
      ['pause', {}],
      ['test', {}],
      ['recover', { since: '2026-01-01T00:00:00Z' }],
    ] as const) {
      expectError(
        await api(way)
          .post(at(way, `${path}/${action}`))
          .send(body),
        409,
        'STATE_CONFLICT',
      );
    }
    await api(way).call('delete', at(way, path)).expect(200);
    expectError(await api(way).get(at(way, path)), 404, 'ENDPOINT_NOT_FOUND');
    const list = await read<Endpoint[]>(way, '/webhook-endpoints?limit=200');
    expect(list.map(({ id }) => id)).not.toContain(endpoint.id);
    expect(await auditOf('webhook_endpoint', endpoint.id)).toEqual(['created', 'disabled', 'removed']);
  });

  it('can be tried with an event of every type, which says that it is a test', async () => {
    const receiver = await aReceiver();
    const { endpoint, secret } = await created(way, { url: receiver.url, eventTypes: ['session.created'] });
    for (const type of eventTypes) {
      const { deliveryId } = await act<{ deliveryId: string }>(
        way,
        `/webhook-endpoints/${endpoint.id}/test`,
        { type },
        202,
      );
      await eventually(`${type} arrives`, async () => {
        const delivery = await read<Delivery>(way, `/webhook-deliveries/${deliveryId}`);
        return delivery.status === 'DELIVERED';
      });
    }
    expect(receiver.deliveries.map(({ event }) => event.type)).toEqual([...eventTypes]);
    for (const { headers, body } of receiver.deliveries) {
      expect(verifyWebhook({ headers, body, secret })).toMatchObject({ test: true, sequence: 1 });
    }
    const feed = (
      await t.api.as(client).get('/events?types=session.completed,customer.identified').expect(200)
    ).body as Feed;
    expect(feed.data).toEqual([]);
    await api(way)
      .call('delete', at(way, `/webhook-endpoints/${endpoint.id}`))
      .expect(200);
  });

  it('sign with both secrets while a rotation overlaps, and with the new one alone afterwards', async () => {
    const receiver = await aReceiver();
    const { endpoint, secret: old } = await created(way, { url: receiver.url });
    const path = `/webhook-endpoints/${endpoint.id}/secret/rotate`;
    const rotate = (overlapSeconds: number): Promise<{ endpoint: Endpoint; secret: string }> =>
      act(way, path, { overlapSeconds }, 201);
    const first = await rotate(3_600);
    expect(Date.parse(first.endpoint.previousSecretExpiresAt ?? '')).toBeGreaterThan(Date.now() + 3_500_000);
    const [one = ''] = await publish(1);
    await deliveryOf(way, one, 'DELIVERED');
    const [during] = receiver.deliveries;
    for (const secret of [old, first.secret]) {
      expect(verifyWebhook({ ...during!, secret }).id).toBe(one);
      expect(verifySignatureHeader({ ...during!, secret }).id).toBe(one);
    }
    const second = await rotate(0);
    const [two = ''] = await publish(1);
    await deliveryOf(way, two, 'DELIVERED');
    const after = receiver.deliveries[1]!;
    expect(verifyWebhook({ ...after, secret: second.secret }).id).toBe(two);
    for (const secret of [old, first.secret]) {
      expect(() => verifyWebhook({ ...after, secret })).toThrow('SIGNATURE_MISMATCH');
      expect(() => verifySignatureHeader({ ...after, secret })).toThrow('SIGNATURE_MISMATCH');
    }
    expect(await auditOf('webhook_endpoint', endpoint.id)).toEqual([
      'created',
      'secret_rotated',
      'secret_rotated',
    ]);
    await api(way)
      .call('delete', at(way, `/webhook-endpoints/${endpoint.id}`))
      .expect(200);
  });

  later('sign with up to five secrets while rotations overlap, each until its own time', async () => {
    const receiver = await aReceiver();
    const { endpoint, secret } = await created(way, { url: receiver.url });
    const secrets = [secret];
    let last = endpoint;
    for (const overlapSeconds of [600, 3_600, 1, 3_600, 3_600, 3_600]) {
      const rotated = await act<{ endpoint: Endpoint; secret: string }>(
        way,
        `/webhook-endpoints/${endpoint.id}/secret/rotate`,
        { overlapSeconds },
        201,
      );
      secrets.unshift(rotated.secret);
      last = rotated.endpoint;
      if (overlapSeconds === 1) {
        await eventually('its time is over', () => Date.parse(last.olderSecretsExpireAt[0]!) < Date.now());
      }
    }
    // The present one, and of the six before it the newest four whose time is not over.
    expect(last.olderSecretsExpireAt).toHaveLength(4);
    const [event = ''] = await publish(1);
    await deliveryOf(way, event, 'DELIVERED');
    const accepted = secrets.map((one) => {
      try {
        return verifyWebhook({ ...receiver.deliveries[0]!, secret: one }).id === event;
      } catch {
        return false;
      }
    });
    expect(accepted).toEqual([true, true, true, true, false, true, false]);
    await api(way)
      .call('delete', at(way, `/webhook-endpoints/${endpoint.id}`))
      .expect(200);
  });

  it('that are turned to another address sign nothing there with what anybody has seen', async () => {
    const [receiver, elsewhere] = [await aReceiver(), await aReceiver()];
    const { endpoint, secret } = await created(way, { url: receiver.url });
    const path = at(way, `/webhook-endpoints/${endpoint.id}`);
    await api(way).call('patch', path).send({ url: elsewhere.url }).expect(200);
    const [one = ''] = await publish(1);
    await deliveryOf(way, one, 'DELIVERED');
    const [turned] = elsewhere.deliveries;
    expect(() => verifyWebhook({ ...turned!, secret })).toThrow('SIGNATURE_MISMATCH');
    expect(() => verifySignatureHeader({ ...turned!, secret })).toThrow('SIGNATURE_MISMATCH');
    expect(receiver.deliveries).toEqual([]);
    const rotate = `/webhook-endpoints/${endpoint.id}/secret/rotate`;
    const known = await act<{ secret: string }>(way, rotate, { overlapSeconds: 0 }, 201);
    const [two = ''] = await publish(1);
    await deliveryOf(way, two, 'DELIVERED');
    expect(verifyWebhook({ ...elsewhere.deliveries[1]!, secret: known.secret }).id).toBe(two);
  });

  it('show how they are doing', async () => {
    const receiver = await aReceiver();
    const { endpoint } = await created(way, { url: receiver.url });
    receiver.nextStatuses.push(500);
    const [event = ''] = await publish(1);
    await deliveryOf(way, event, 'DELIVERED');
    const { hours, waiting, successRate, durations } = await read<{
      hours: Record<string, number>[];
      waiting: number;
      successRate: number;
      durations: Record<string, number>;
    }>(way, `/webhook-endpoints/${endpoint.id}/statistics?hours=2`);
    expect(successRate).toBe(0.5);
    expect(durations['attempts']).toBe(2);
    expect(durations['p50Ms']).toBeLessThanOrEqual(durations['p99Ms']!);
    expect(Math.max(...hours.map((hour) => hour['slowestMs']!))).toBe(durations['p99Ms']);
    const sum = (key: string): number => hours.reduce((total, hour) => total + (hour[key] ?? 0), 0);
    expect({
      waiting,
      attempts: sum('attempts'),
      delivered: sum('delivered'),
      failed: sum('failedAttempts'),
    }).toEqual({
      waiting: 0,
      attempts: 2,
      delivered: 1,
      failed: 1,
    });
    await api(way)
      .call('delete', at(way, `/webhook-endpoints/${endpoint.id}`))
      .expect(200);
  });
});

describe('the secret of an endpoint', () => {
  later(
    'rotates under load: no request fails, and who takes up the new one later misses nothing',
    async () => {
      // A receiver with one secret, which its operator replaces some time after the rotation.
      const mine = { secret: '' };
      const receiver = await WebhookReceiver.listen({
        answer: ({ headers, body }) => {
          try {
            verifyWebhook({ headers, body, secret: mine.secret });
            return 204;
          } catch {
            refused.push(Number(headers['webhook-timestamp']) * 1_000 - rotatedAt);
            return 401;
          }
        },
      });
      const refused: number[] = [];
      let rotatedAt = 0;
      receivers.push(receiver);
      const own = await t.client({ scopes, rules: false });
      const integrator = t.api.as(own);
      const answer = await integrator.post('/webhook-endpoints').send({ url: receiver.url }).expect(201);
      const { endpoint, secret } = (answer.body as { data: { endpoint: Endpoint; secret: string } }).data;
      mine.secret = secret;
      const failed: number[] = [];
      const sent: string[] = [];
      let stop = false;
      const load = Array.from({ length: 3 }, async () => {
        while (!stop) {
          const body = aTransaction();
          const { status } = await integrator.ingest(body);
          if (status === 202) sent.push(body.transactionId);
          else failed.push(status);
        }
      });
      for (let i = 0; i < 4; i += 1) {
        const rotated = await integrator
          .post(`/webhook-endpoints/${endpoint.id}/secret/rotate`)
          .send({ overlapSeconds: 60 })
          .expect(201);
        rotatedAt = Date.now();
        const before = receiver.deliveries.length;
        await eventually('deliveries with both', () => receiver.deliveries.length > before + 5);
        mine.secret = (rotated.body as { data: { secret: string } }).data.secret;
        const since = receiver.deliveries.length;
        await eventually('deliveries for the new one', () => receiver.deliveries.length > since + 5);
      }
      stop = true;
      await Promise.all(load);
      expect(failed).toEqual([]);
      const told = (): Set<unknown> =>
        new Set(receiver.deliveries.map(({ event }) => event.data['transactionId']));
      await eventually('everything has been told', () => sent.every((id) => told().has(id)));
      expect(sent.length).toBeGreaterThan(10);
      // A receiver that changes over at once refuses what was signed before and came after; that was sent again. For a
      // second after the rotation a process may sign with the secrets that it knows.
      expect(refused.filter((sinceRotation) => sinceRotation > 1_000)).toEqual([]);
    },
  );
});

describe('the delivery log', () => {
  it('shows each attempt, the payload and the answer; to operators with session ids masked', async () => {
    // ASVS 8.2.3
    const receiver = await aReceiver();
    const { endpoint } = await created('application', { url: receiver.url });
    receiver.nextStatuses.push(503, 200);
    receiver.says = 'tried for 529.982.247-25';
    const sessionId = `ses_${'a1B2'.repeat(10)}`;
    const [id = ''] = await publishEvents(t, client, [{ transactionId: `after:${sessionId}` }]);
    const event = publicId('evt', id);
    const { id: delivery } = await deliveryOf('application', event, 'DELIVERED');
    const own = await read<Delivery>('application', `/webhook-deliveries/${delivery}`);
    const attempt = (number: number, statusCode: number): object => ({
      ...{ number, statusCode, errorCode: null, responseExcerpt: 'tried for [tax id]' },
      ...{ startedAt: expect.any(String), durationMs: expect.any(Number) },
    });
    expect(own.log).toEqual([attempt(1, 503), attempt(2, 200)]);
    expect(own.payload).toEqual(receiver.deliveries[0]?.event);
    expect(JSON.stringify(own.payload)).toContain(sessionId);
    const theirs = await read<Delivery>('operator', `/webhook-deliveries/${delivery}`);
    expect(theirs.log).toEqual(own.log);
    expect(JSON.stringify(theirs.payload)).toContain('after:ses_a1B2…');
    expect(JSON.stringify(theirs.payload)).not.toContain(sessionId);

    await t.owner.query(
      `UPDATE webhook_attempts SET started_at = now() - interval '31 days' WHERE delivery_id IN (
         SELECT id FROM webhook_deliveries WHERE event_id = $1) AND attempt = 1`,
      [id],
    );
    await t.app.get(ResponseTextSweepService).sweep();
    const later = await read<Delivery>('application', `/webhook-deliveries/${delivery}`);
    expect(later.log?.map((one) => (one as { responseExcerpt: string | null }).responseExcerpt)).toEqual([
      null,
      'tried for [tax id]',
    ]);
    await api('application').call('delete', `/webhook-endpoints/${endpoint.id}`).expect(200);
  });

  it('sends one again when asked, with the same id and bytes', async () => {
    const receiver = await aReceiver();
    const { endpoint } = await created('application', { url: receiver.url });
    const [event = ''] = await publish(1);
    const { id } = await eventually('it is delivered', async () => {
      const path = `/webhook-deliveries?endpointId=${endpoint.id}&status=DELIVERED`;
      return (await read<Delivery[]>('application', path))[0];
    });
    await act('operator', `/webhook-deliveries/${id}/retry`, {}, 202);
    await eventually('it arrives again', () => receiver.deliveries.length === 2);
    const [first, second] = receiver.deliveries;
    expect(second?.body.equals(first!.body)).toBe(true);
    expect([first?.event.id, second?.headers['webhook-id'], second?.headers['x-vigia-attempt']]).toEqual([
      event,
      event,
      '2',
    ]);
    await eventually(
      'that is recorded',
      async () => (await auditOf('delivery', id)).join() === 'delivered,retried,delivered',
    );
  });

  it('is paged, and filtered by endpoint, event and status', async () => {
    const receiver = await aReceiver();
    const { endpoint } = await created('operator', { url: receiver.url });
    const events = await publish(7);
    await eventually('all are delivered', () => receiver.deliveries.length === 7);
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const path = `/operator/webhook-deliveries?endpointId=${endpoint.id}&limit=3${cursor}`;
      const { body } = await t.api.asOperator(operator).get(path).expect(200);
      const list = body as { data: Delivery[]; page: { nextCursor: string | null } };
      seen.push(...list.data.map(({ eventId }) => eventId));
      if (list.page.nextCursor === null) break;
      cursor = `&cursor=${list.page.nextCursor}`;
    }
    // Within a millisecond the order is any.
    expect([...seen].sort()).toEqual([...events].sort());
    expect(
      await read<Delivery[]>('operator', `/webhook-deliveries?endpointId=${endpoint.id}&status=EXHAUSTED`),
    ).toEqual([]);
    expectError(
      await t.api.asOperator(operator).get('/operator/webhook-deliveries?endpointId=7'),
      400,
      'VALIDATION_FAILED',
    );
  });
});

describe('what belongs to others', () => {
  it('does not exist: for another application of the organisation, another organisation, a made-up id', async () => {
    const { endpoint } = await created('application', { url: 'http://127.0.0.1:9009/mine' });
    const stranger = await t.client({ scopes, rules: false });
    const strange = await t.operator();
    const made = publicId('whe', newUuid());
    for (const id of [endpoint.id, made, 'whe_7', made.replace('whe', 'evt')]) {
      for (const [method, path] of [
        ['get', ''],
        ['get', '/statistics'],
        ['get', '/recoveries'],
        ['delete', ''],
        ['post', '/resume'],
        ['post', '/secret/rotate'],
        ['post', '/test'],
      ] as const) {
        const ask = (caller: TestApi, prefix: string): ReturnType<TestApi['call']> => {
          const call = caller.call(method, `${prefix}/webhook-endpoints/${id}${path}`);
          return method === 'post' ? call.send({}) : call;
        };
        expectError(await ask(t.api.as(stranger), ''), 404, 'ENDPOINT_NOT_FOUND');
        expectError(await ask(t.api.asOperator(strange), '/operator'), 404, 'ENDPOINT_NOT_FOUND');
      }
    }
    expect(await read<Endpoint>('application', `/webhook-endpoints/${endpoint.id}`)).toEqual(endpoint);
  });

  it('cannot be given an endpoint: the application of another organisation is unknown', async () => {
    const stranger = await t.client({ rules: false });
    const body = { url: 'http://127.0.0.1:9009/', clientAppId: publicId('app', stranger.id) };
    expectError(
      await t.api.asOperator(operator).post('/operator/webhook-endpoints').send(body),
      404,
      'APP_NOT_FOUND',
    );
  });

  it('needs the scope, the permission, and for secrets a second factor', async () => {
    const weak = await t.operator({ organisationId: client.organisationId, strong: false });
    const auditor = await t.operator({ organisationId: client.organisationId, roles: ['AUDITOR'] });
    const bare = await t.client({ scopes: ['kyt:read'], rules: false });
    expectError(await t.api.as(bare).get('/webhook-endpoints'), 403, 'SCOPE_INSUFFICIENT');
    expectError(await t.api.as(bare).get('/events'), 403, 'SCOPE_INSUFFICIENT');
    const body = { url: 'http://127.0.0.1:9009/', clientAppId: publicId('app', client.id) };
    expectError(
      await t.api.asOperator(weak).post('/operator/webhook-endpoints').send(body),
      403,
      'STRONG_LOGIN_REQUIRED',
    );
    expectError(
      await t.api.asOperator(auditor).post('/operator/webhook-endpoints').send(body),
      403,
      'PERMISSION_DENIED',
    );
  });
});

describe('GET /events', () => {
  const feed = async (owner: TestClient, query: string): Promise<Feed> =>
    (await t.api.as(owner).get(`/events${query}`).expect(200)).body as Feed;
  const types = (list: Feed): string[] => list.data.map(({ id }) => id);
  /** The page once it holds so many events: what any transaction of the cluster may still precede is not shown. */
  const filled = (owner: TestClient, query: string, many: number): Promise<Feed> =>
    eventually(`the feed ${query} holds ${many} events`, async () => {
      const page = await feed(owner, query);
      return page.data.length >= many && page;
    });

  it('hands out every event once and in order over pages, and goes on from its end later', async () => {
    const reader = await t.client({ scopes, rules: false });
    const first = await publish(5, reader);
    await publish(3);
    await filled(reader, '', 5);
    const seen: string[] = [];
    let page = await feed(reader, '?limit=2');
    for (; page.page.hasMore; page = await feed(reader, `?limit=2&cursor=${page.page.nextCursor}`)) {
      seen.push(...types(page));
    }
    seen.push(...types(page));
    expect(seen).toEqual(first);
    const end = page.page.nextCursor;
    expect(types(await feed(reader, `?cursor=${end}`))).toEqual([]);
    const later = await publish(2, reader);
    expect(types(await filled(reader, `?cursor=${end}`, 2))).toEqual(later);
    expect(types(await feed(reader, `?types=session.created&cursor=${end}`))).toEqual([]);
  });

  it('shows the body that webhooks carry', async () => {
    const reader = await t.client({ scopes, rules: false });
    const receiver = await aReceiver();
    await t.api.as(reader).post('/webhook-endpoints').send({ url: receiver.url }).expect(201);
    await publish(1, reader);
    await eventually('it is delivered', () => receiver.deliveries.length === 1);
    expect((await filled(reader, '', 1)).data).toEqual([receiver.deliveries[0]?.event]);
  });

  it('hands out the newest first, page after page, and one by its id; to nobody else', async () => {
    const reader = await t.client({ scopes, rules: false });
    const all = (await publish(5, reader)).reverse();
    const seen: string[] = [];
    let page = await feed(reader, '?order=desc&limit=2');
    for (
      ;
      page.page.hasMore;
      page = await feed(reader, `?order=desc&limit=2&cursor=${page.page.nextCursor}`)
    ) {
      seen.push(...types(page));
    }
    expect([...seen, ...types(page)]).toEqual(all);
    expect(page.page.nextCursor).toBeNull();
    expect(types(await feed(reader, '?order=desc&types=session.created'))).toEqual([]);
    const one = (await t.api.as(reader).get(`/events/${all[0]}`).expect(200)).body as {
      data: { id: string };
    };
    expect(one.data.id).toBe(all[0]);
    expectError(await t.api.as(client).get(`/events/${all[0]}`), 404, 'EVENT_NOT_FOUND');
    expectError(await t.api.as(reader).get('/events/evt_1'), 404, 'EVENT_NOT_FOUND');
    // A cursor of one order is none of the other.
    const { nextCursor } = (await feed(reader, '?order=desc&limit=1')).page;
    expectError(await t.api.as(reader).get(`/events?cursor=${nextCursor}`), 400, 'CURSOR_INVALID');
    const forward = (await feed(reader, '')).page.nextCursor;
    expectError(await t.api.as(reader).get(`/events?order=desc&cursor=${forward}`), 400, 'CURSOR_INVALID');
  });

  it('waits at its end for the next event, and no longer than asked', async () => {
    const reader = await t.client({ scopes, rules: false });
    const end = (await feed(reader, '')).page.nextCursor;
    const waited = await feed(reader, `?cursor=${end}&wait=50`);
    expect(types(waited)).toEqual([]);
    const waiting = [1, 2].map(() => feed(reader, `?cursor=${waited.page.nextCursor}&wait=30000`));
    await publish(1);
    const [event] = await publish(1, reader);
    for (const page of await Promise.all(waiting)) expect(types(page)).toEqual([event]);
    const types2 = `?types=session.created&cursor=${end}&wait=300`;
    expect(types(await feed(reader, types2))).toEqual([]);
  });

  later('skips no event whose transaction committed late', async () => {
    const reader = await t.client({ scopes, rules: false });
    const [early = ''] = await publish(1, reader);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let written: () => void = () => undefined;
    const began = new Promise<void>((resolve) => (written = resolve));
    const publisher = t.app.get(EventPublisher);
    const vault = t.app.get(Vault);
    const { organisationId, id: clientAppId } = reader;
    const slow = publisher.compose({
      organisationId,
      clientAppId,
      type: 'kyt.transaction.queued',
      resource: { type: 'transaction', id: newUuid() },
      sequence: 1,
      correlationId: 'corr-1',
      occurredAt: new Date(),
      data: queuedData('slow'),
      subject: vault.organisationSubject(organisationId),
    });
    const late = t.app.get(UnitOfWork).run(organisationId, async (tx) => {
      await publisher.publish(tx, [slow]);
      written();
      await held;
    });
    await began;
    // Committed before the slow one, and later in the order: not shown until the slow one is decided.
    const [fast = ''] = await publish(1, reader);
    const before = await filled(reader, '', 1);
    expect(types(before)).toEqual([early]);
    release();
    await late;
    const after = await filled(reader, `?cursor=${before.page.nextCursor}`, 2);
    expect(types(after)).toEqual([publicId('evt', slow.id), fast]);
  });

  it('begins at a time', async () => {
    const reader = await t.client({ scopes, rules: false });
    await publish(2, reader);
    await new Promise((resolve) => setTimeout(resolve, 30));
    const since = new Date().toISOString();
    const events = await publish(2, reader);
    expect(types(await filled(reader, `?since=${since}`, 2))).toEqual(events);
  });

  it.each([
    '?cursor=x',
    '?cursor=WyJhIl0',
    '?since=yesterday',
    '?types=session.gone',
    '?limit=0',
    '?before=x',
    '?order=up',
    '?wait=0',
    '?wait=30001',
  ])('refuses %s', async (query) => {
    const answer = await t.api.as(client).get(`/events${query}`);
    expectError(answer, 400, query.startsWith('?cursor') ? 'CURSOR_INVALID' : 'VALIDATION_FAILED');
  });
});

describe('/operator/events', () => {
  it('lists the events of an application, the newest first, and shows one with session ids masked', async () => {
    const vault = t.app.get(Vault);
    const { organisationId, id: clientAppId } = client;
    const subject = vault.organisationSubject(organisationId);
    await vault.prepare([subject]);
    const publisher = t.app.get(EventPublisher);
    const type: EventType = 'session.created';
    const event = publisher.compose({
      organisationId,
      clientAppId,
      type,
      resource: { type: 'session', id: newUuid() },
      sequence: 1,
      correlationId: 'corr-1',
      occurredAt: new Date(),
      data: {
        sessionId: 'ses_Zk9m2Qy7Vb4Xr8Tn1Lw6Jd3Hs5',
        status: 'PENDING',
        flowName: 'Cadastro',
        customerId: 'cus_1',
        trigger: 'API',
        expiresAt: '2026-11-21T12:00:00.000Z',
      },
      subject,
    });
    await t.app.get(UnitOfWork).run(organisationId, (tx) => publisher.publish(tx, [event]));
    const app = publicId('app', clientAppId);
    const [newest] = await read<{ id: string; type: string }[]>(
      'operator',
      `/events?clientAppId=${app}&limit=1`,
    );
    expect(newest).toMatchObject({ id: publicId('evt', event.id), type });
    const shown = await api('operator')
      .get(`/operator/events/${newest?.id ?? ''}`)
      .expect(200);
    expect(shown.text).not.toContain('ses_Zk9m2Qy');
    expect((shown.body as { data: { payload: { data: object } } }).data.payload.data).toMatchObject({
      sessionId: 'ses_Zk9m…',
      flowName: 'Cadastro',
    });
    const strange = await t.operator();
    expectError(
      await t.api.asOperator(strange).get(`/operator/events/${newest?.id ?? ''}`),
      404,
      'EVENT_NOT_FOUND',
    );
    const { body } = await t.api.asOperator(strange).get(`/operator/events?clientAppId=${app}`).expect(200);
    expect((body as { data: unknown[] }).data).toEqual([]);
  });
});

describe('recover', () => {
  interface Recovery {
    readonly id: string;
    readonly status: string;
    readonly progress: number;
    readonly events: number;
    readonly recovered: number;
    readonly beforeEndpoint: boolean;
  }

  const finished = (endpointId: string, id: string): Promise<Recovery> =>
    eventually('the recovery is completed', async () => {
      const recovery = await read<Recovery>('operator', `/webhook-endpoints/${endpointId}/recoveries/${id}`);
      return recovery.status === 'COMPLETED' && recovery;
    });

  it('sends what the endpoint never got, and nothing that it has; first counted in a dry run', async () => {
    const owner = await t.client({ scopes, rules: false });
    const seat = await t.operator({ organisationId: owner.organisationId });
    [client, operator] = [owner, seat];
    const since = new Date(Date.now() - 60_000).toISOString();
    const before = await publish(1_203, owner);
    const receiver = await aReceiver();
    const { endpoint } = await created('operator', { url: receiver.url });
    const [got = ''] = await publish(1, owner);
    await eventually('the one after its making is delivered', () => receiver.deliveries.length === 1);

    const path = `/webhook-endpoints/${endpoint.id}/recover`;
    const dry = await act<Recovery>('application', path, { since, dryRun: true }, 202);
    expect(await finished(endpoint.id, dry.id)).toMatchObject({
      events: 1_204,
      recovered: 1_203,
      progress: 100,
      // It gets what was there before it, and is told so.
      beforeEndpoint: true,
    });
    expect(receiver.deliveries).toHaveLength(1);

    const real = await act<Recovery>('operator', path, { since }, 202);
    expect(await finished(endpoint.id, real.id)).toMatchObject({
      events: 1_204,
      recovered: 1_203,
      progress: 100,
    });
    await eventually('all have arrived', () => receiver.deliveries.length === 1_204);
    expect(new Set(receiver.deliveries.map(({ event }) => event.id))).toEqual(new Set([...before, got]));

    const again = await act<Recovery>('operator', path, { since }, 202);
    expect(await finished(endpoint.id, again.id)).toMatchObject({ events: 1_204, recovered: 0 });
    expect(receiver.deliveries).toHaveLength(1_204);
    const list = await read<Recovery[]>('operator', `/webhook-endpoints/${endpoint.id}/recoveries?limit=2`);
    expect(list.map(({ id }) => id)).toEqual([again.id, real.id]);
    expect((await auditOf('webhook_endpoint', endpoint.id)).slice(1)).toEqual(
      [1, 2, 3].flatMap(() => ['recovery_requested', 'recovered']),
    );
  });

  later('revives what was given up or cancelled, in the range and of the types asked for', async () => {
    const receiver = await aReceiver();
    const { endpoint } = await created('operator', { url: receiver.url });
    const path = `/webhook-endpoints/${endpoint.id}`;
    await act('operator', `${path}/pause`, {}, 200);
    const since = new Date(Date.now() - 1_000).toISOString();
    const [event = ''] = await publish(1);
    await t.owner.query(
      `UPDATE webhook_deliveries SET status = 'EXHAUSTED', attempts = 10, finished_at = now() WHERE status = 'PENDING' AND endpoint_id =
         (SELECT id FROM webhook_endpoints WHERE url = $1)`,
      [receiver.url],
    );
    await act('operator', `${path}/resume`, {}, 200);
    const until = new Date(Date.now() - 900).toISOString();
    const early = await act<Recovery>('operator', `${path}/recover`, { since, until }, 202);
    expect((await finished(endpoint.id, early.id)).recovered).toBe(0);
    const types = ['session.created'];
    const other = await act<Recovery>('operator', `${path}/recover`, { since, types }, 202);
    expect((await finished(endpoint.id, other.id)).recovered).toBe(0);
    const real = await act<Recovery>('operator', `${path}/recover`, { since }, 202);
    expect((await finished(endpoint.id, real.id)).recovered).toBe(1);
    const own = await act<Recovery>(
      'operator',
      `${path}/recover`,
      { since: endpoint.createdAt, dryRun: true },
      202,
    );
    expect(own.beforeEndpoint).toBe(false);
    await eventually('it arrives', () => receiver.deliveries.length === 1);
    expect([receiver.deliveries[0]?.event.id, receiver.deliveries[0]?.headers['x-vigia-attempt']]).toEqual([
      event,
      '11',
    ]);
    const [{ id } = { id: '' }] = await read<Delivery[]>(
      'operator',
      `/webhook-deliveries?endpointId=${endpoint.id}`,
    );
    await eventually(
      'that is recorded',
      async () => (await auditOf('delivery', id)).join() === 'recovered,delivered',
    );
  });

  it.each<[object, string]>([
    [{}, 'since REQUIRED'],
    [{ since: 'yesterday' }, 'since DATETIME_INVALID'],
    [{ since: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' }, 'since RANGE_EMPTY'],
    [{ since: '2026-01-02T00:00:00Z', types: ['x'] }, 'types VALUE_NOT_ALLOWED'],
    [{ since: '2026-01-02T00:00:00Z', types: ['session.completed'] }, 'types NOT_SUBSCRIBED'],
  ])('refuses %j', async (body, detail) => {
    const { endpoint } = await created('operator', {
      url: 'http://127.0.0.1:9009/',
      eventTypes: ['session.created'],
    });
    const answer = await api('operator')
      .post(`/operator/webhook-endpoints/${endpoint.id}/recover`)
      .send(body);
    expect(detailsOf(expectError(answer, 400, 'VALIDATION_FAILED'))).toEqual([detail]);
  });
});

describe('vigia webhooks', () => {
  const arguments_ = (...given: string[]): string[] => [...fromSource('cli/main.ts'), 'webhooks', ...given];
  /** Runs the command line on the data of the test. */
  const webhooks = async (...given: string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, arguments_(...given), { env: processEnv(t) })).stdout;

  later(
    'makes an endpoint, shows its events in a listener that verifies, and changes its secret',
    async () => {
      const owner = await t.client({ scopes, rules: false });
      [client, operator] = [owner, await t.operator({ organisationId: owner.organisationId })];
      const app = ['--client', owner.clientId];
      const port = String(await reservedPort());
      const types = ['kyt.transaction.queued', 'session.completed'];
      const url = `http://127.0.0.1:${port}/hooks`;
      const made = await webhooks('add', url, ...app, '--events', ...types, '--ordering', 'per_resource');
      const [, id = '', secret = ''] = /^endpoint (whe_\w+) [^]*once\): (whsec_\S+)/.exec(made) ?? [];
      expect(await read('operator', `/webhook-endpoints/${id}`)).toMatchObject({
        url,
        eventTypes: types,
        ordering: 'per_resource',
      });

      const listener = spawn(process.execPath, arguments_('listen', '--secret', secret, '--port', port), {
        env: processEnv(t),
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let heard = '';
      listener.stdout.on('data', (chunk: Buffer) => (heard += chunk.toString()));
      const ended = once(listener, 'exit');
      try {
        await eventually('it listens', () => heard.includes('listening on'));
        const test = `/webhook-endpoints/${id}/test`;
        const { eventId } = await act<{ eventId: string }>('operator', test, {}, 202);
        await eventually('the test event is verified', () =>
          heard.includes(`session.completed  ${eventId}  sequence 1  attempt 1  `),
        );
        expect(await webhooks('rotate', id, ...app, '--overlap', '0')).toContain('the old one signs no more');
        await act('operator', test, {}, 202);
        await eventually('the listener refuses what it does not know', () =>
          heard.includes('REFUSED  SIGNATURE_MISMATCH'),
        );
      } finally {
        listener.kill('SIGINT');
        await ended;
      }
    },
  );
});
