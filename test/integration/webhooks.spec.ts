import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { buildOpenApi } from '../../src/bootstrap/api-docs/index.js';
import { Settings, type SettingValues } from '../../src/platform/config/index.js';
import { system, UnitOfWork } from '../../src/platform/database/index.js';
import { Clock, newUuid, publicId, type DomainError } from '../../src/platform/kernel/index.js';
import {
  encryptionContextOf,
  SubjectKeys,
  Vault,
  type SubjectRef,
} from '../../src/platform/privacy/index.js';
import { Outbox, QueueTransport } from '../../src/platform/queue/index.js';
import { RECONCILE_LOCK } from '../../src/platform/queue/reconciler.js';
import { HostResolver, OutboundProxy } from '../../src/platform/outbound/index.js';
import {
  EndpointStatesService,
  eventTypes,
  WebhookEndpointsService,
  type EventEnvelope,
} from '../../src/features/webhooks/index.js';
import {
  DeliveriesRepository,
  type ClaimedDelivery,
} from '../../src/features/webhooks/store/deliveries.repository.js';
import { WebhookMetrics } from '../../src/features/webhooks/webhook-metrics.js';
import { WebhookSender } from '../../src/features/webhooks/delivery/webhook-sender.js';
import { TargetRefusedError, WebhookTargets } from '../../src/features/webhooks/delivery/webhook-targets.js';
import type { TestClient } from '../support/api.js';
import { checkpointLike } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { letAnybodyErase } from '../support/approvals.js';
import { aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { storedEvents, violationsBy } from '../support/stored-events.js';
import { reservedPort } from '../support/ports.mjs';
import { oneEach, publishEvents, queuedData } from '../support/published.js';
import { expectWithin } from '../support/timing.js';
import { later, promised } from '../support/needs.js';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

type Behaviour = (response: ServerResponse, received: Received) => void;

const ok: Behaviour = (response) => response.end('ok');
const answering =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    response.writeHead(status, headers).end();

/** A receiver of webhooks on a port of its own, which behaves as it is told. */
class Receiver {
  readonly received: Received[] = [];
  connections = 0;
  private readonly server: Server;

  private constructor(behaviour: Behaviour) {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const received = { headers: request.headers, body: Buffer.concat(chunks) };
        this.received.push(received);
        behaviour(response, received);
      });
    }).on('connection', () => {
      this.connections += 1;
    });
    receivers.push(this);
  }

  static async listen(behaviour: Behaviour = ok, port = 0, address = '127.0.0.1'): Promise<Receiver> {
    const receiver = new Receiver(behaviour);
    await new Promise<void>((resolve) => receiver.server.listen(port, address, resolve));
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }
}

/** Something inside that nobody may reach: on every address of this machine, of both families, counting connections. */
class Canary {
  connections = 0;
  private readonly server = createTcpServer((socket) => {
    this.connections += 1;
    socket.destroy();
  });

  static async listen(): Promise<Canary> {
    const canary = new Canary();
    await new Promise<void>((resolve) => canary.server.listen(0, resolve));
    return canary;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  close(): Promise<unknown> {
    return new Promise((resolve) => this.server.close(resolve));
  }
}

/** Forms of addresses inside, all of those first that lead to this machine itself. */
const INSIDE: readonly string[] = [
  ...Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family }) => family === 'IPv4')
    .map(({ address }) => address),
  ...['127.1', '127.0.1', '127.255.255.254', '127.0.0.1.', '0', '0.0.0.0', '2130706433', '017700000001'],
  ...['0x7f000001', '0x7f.0.0.1', '0x7f.0x0.0x0.0x1', '0177.0.0.1', '0177.0x0.0.01', '4294967295'],
  ...['%31%32%37.0.0.1', '①②⑦.⓪.⓪.①', '127。0。0。1', '１２７.0.0.1'],
  ...['localhost', 'localhost.', 'LOCALHOST', 'LocalHost.', 'api.localhost', 'localhost%2e'],
  ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[0000::0001]', '[::1%25lo]', '[::127.0.0.1]'],
  ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:127.0.0.1]', '[::ffff:0:127.0.0.1]'],
  ...['[64:ff9b::127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[2001::1]'],
  ...[
    'user@127.0.0.1',
    'user:pass@127.0.0.1',
    'hooks.example.com@127.0.0.1',
    'hooks.example.com%40@127.0.0.1',
  ],
  ...[
    '169.254.169.254',
    '169.254.169.254.',
    '0xa9fea9fe',
    '2852039166',
    '[fd00:ec2::254]',
    '[::ffff:a9fe:a9fe]',
  ],
  ...['100.100.100.200', '168.63.129.16', '192.0.0.192', '[64:ff9b::a9fe:a9fe]', '[fe80::a9fe:a9fe]'],
  ...['10.0.0.1', '172.16.0.1', '192.168.0.1', '100.64.0.1', '[fc00::1]', '[fe80::1]', '[fe80::1%25eth0]'],
];

/** Answers each question about a name with the next of its answers, the last one for ever. */
class ScriptedResolver extends HostResolver {
  readonly answers = new Map<string, string[][]>();

  resolve(host: string): Promise<string[]> {
    const left = this.answers.get(host) ?? [[]];
    return Promise.resolve((left.length > 1 ? left.shift() : left[0]) ?? []);
  }
}

const receivers: Receiver[] = [];
const resolver = new ScriptedResolver();
let t: TestApp;
let settings: SettingValues;

beforeAll(async () => {
  t = await startTestApp({
    settings: {
      reconcileIntervalMs: 50,
      shutdownTimeoutMs: 500,
      webhookRequireHttps: true,
      webhookTimeoutMs: 1_000,
      webhookScheduleSeconds: [0, 1, 1],
    },
    override: (builder) => builder.overrideProvider(HostResolver).useValue(resolver),
  });
  settings = t.settings;
  await letAnybodyErase(t);
});

afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  await query(`UPDATE webhook_endpoints SET status = 'DISABLED' WHERE status <> 'DISABLED'`);
});

afterAll(async () => {
  await t.close();
});

const uow = (): UnitOfWork => t.app.get(UnitOfWork);
const endpoints = (): WebhookEndpointsService => t.app.get(WebhookEndpointsService);

async function query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await t.owner.query<Row>(text, values)).rows;
}

const aClient = (): Promise<TestClient> => t.client({ rules: false });

interface TestEndpoint {
  readonly id: string;
  readonly secret: string;
}

async function anEndpoint(client: TestClient, url: string, eventTypes?: string[]): Promise<TestEndpoint> {
  const { endpoint, secret } = await endpoints().create({
    organisationId: client.organisationId,
    clientAppId: client.id,
    url,
    ...(eventTypes ? { eventTypes } : {}),
    actor: { type: 'operator', id: 'test' },
  });
  return { id: endpoint.id, secret };
}

const setStatus = (endpointId: string, status: string): Promise<object[]> =>
  query(`UPDATE webhook_endpoints SET status = $2 WHERE id = $1`, [endpointId, status]);

/** Ends the wait for the next announcement, as 30 seconds would. */
const wake = (eventId: string): Promise<object[]> =>
  query(`UPDATE webhook_deliveries SET wake_at = now() WHERE event_id = $1`, [eventId]);

const aSubject = ({ organisationId }: TestClient): SubjectRef => ({ organisationId, index: randomBytes(16) });

interface PublishOptions {
  readonly count?: number;
  readonly subject?: SubjectRef;
  /** The outbox message is lost, as if the queue had taken and forgotten it. */
  readonly unannounced?: boolean;
}

/** Publishes events of an application and returns their ids. */
async function publish(client: TestClient, options: PublishOptions = {}): Promise<string[]> {
  const { count = 1, subject = aSubject(client), unannounced = false } = options;
  if (unannounced) jest.spyOn(t.app.get(Outbox), 'append').mockImplementationOnce(() => undefined);
  return publishEvents(t, client, oneEach(count), subject);
}

interface DeliveryRow {
  readonly id: string;
  readonly status: string;
  readonly attempts: number;
  readonly last_error: string | null;
}

const deliveriesOf = (eventId: string): Promise<DeliveryRow[]> =>
  query(`SELECT id, status, attempts, last_error FROM webhook_deliveries WHERE event_id = $1`, [eventId]);

const auditOf = async (type: string, id: string): Promise<string[]> => {
  const rows = await query<{ action: string }>(
    `SELECT action FROM audit_entries WHERE subject_type = $1 AND subject_id = $2 ORDER BY subject_seq`,
    [type, id],
  );
  return rows.map((row) => row.action);
};

/** Waits until every delivery of an event has this status, and returns the first. */
const settled = (eventId: string, status: string): Promise<DeliveryRow> =>
  eventually(`the delivery is ${status}`, async () => {
    const rows = await deliveriesOf(eventId);
    return rows.every((row) => row.status === status) && rows[0];
  });

const hasReceived = (receiver: Receiver, count: number): Promise<boolean> =>
  eventually(`${count} requests came`, () => receiver.received.length >= count);

/** An application with a well-behaved endpoint. */
async function aServedClient(): Promise<{ client: TestClient; receiver: Receiver; endpoint: TestEndpoint }> {
  const receiver = await Receiver.listen();
  const client = await aClient();
  return { client, receiver, endpoint: await anEndpoint(client, receiver.url) };
}

const senderWith = (values: SettingValues): WebhookSender => {
  const own = Settings.of(values);
  return new WebhookSender(own, new WebhookTargets(own, resolver, new OutboundProxy(own)));
};
const aRequest = (url: string): { url: string; headers: Record<string, string>; body: Buffer } => ({
  url,
  headers: {},
  body: Buffer.from('{}'),
});

describe('delivery', () => {
  it('sends an event once, with the stored bytes and signatures that ready tools accept', async () => {
    const { client, receiver, endpoint } = await aServedClient();
    const [event = ''] = await publish(client);
    const delivery = await settled(event, 'DELIVERED');

    expect(receiver.received).toHaveLength(1);
    const [{ headers, body }] = receiver.received as [Received];
    expect(new Webhook(endpoint.secret).verify(body, headers as Record<string, string>)).toEqual({
      id: publicId('evt', event),
      type: 'kyt.transaction.queued',
      timestamp: expect.any(String),
      apiVersion: '2026-11-01',
      environment: 'sandbox',
      sequence: 1,
      correlationId: 'corr-1',
      test: false,
      audit: checkpointLike((JSON.parse(body.toString('utf8')) as { audit: unknown }).audit),
      data: queuedData('t-0'),
    });
    const expected = createHmac('sha256', endpoint.secret).update(body).digest('hex');
    expect(headers['x-vigia-signature']).toBe(`sha256=${expected}`);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(body.length),
      'user-agent': 'Vigia-Webhooks/1',
      'webhook-id': publicId('evt', event),
      'x-vigia-event': 'kyt.transaction.queued',
      'x-vigia-delivery': publicId('whd', delivery.id),
      'x-vigia-attempt': '1',
    });
  });

  it('records the attempt and the audit entry with it', async () => {
    const { client } = await aServedClient();
    const [event = ''] = await publish(client);
    const { id } = await settled(event, 'DELIVERED');
    expect(await auditOf('delivery', id)).toEqual(['delivery.delivered']);
    expect(await query(`SELECT * FROM webhook_attempts WHERE delivery_id = $1`, [id])).toEqual([
      expect.objectContaining({ attempt: 1, status_code: 200, error_code: null, response_excerpt: 'ok' }),
    ]);
  });

  it('reaches every endpoint of the application that subscribed to the type, and nobody else', async () => {
    const [all, some, other] = [await Receiver.listen(), await Receiver.listen(), await Receiver.listen()];
    const { receiver: foreign } = await aServedClient();
    const client = await aClient();
    await anEndpoint(client, all.url);
    await anEndpoint(client, some.url, ['session.created', 'kyt.transaction.queued']);
    await anEndpoint(client, other.url, ['session.completed']);
    const [event = ''] = await publish(client);
    await settled(event, 'DELIVERED');
    expect([all, some, other, foreign].map(({ received }) => received.length)).toEqual([1, 1, 0, 0]);
  });

  it('accepts the old secret beside the new one while a rotation lasts', async () => {
    const { client, receiver, endpoint } = await aServedClient();
    const { secret: next } = await anEndpoint(client, `${receiver.url}?next`, ['session.created']);
    const vault = t.app.get(Vault);
    const { organisationId } = client;
    const sealed = await vault.sealOne(
      next,
      vault.organisationSubject(organisationId),
      encryptionContextOf('webhook_endpoints', endpoint.id, organisationId),
    );
    await query(
      `UPDATE webhook_endpoints SET sealed_secret = $2, older_sealed_secrets = ARRAY[sealed_secret],
         older_secrets_expire_at = ARRAY[now() + interval '1 hour'] WHERE id = $1`,
      [endpoint.id, sealed],
    );
    const [event = ''] = await publish(client);
    await settled(event, 'DELIVERED');
    const [{ headers, body }] = receiver.received as [Received];
    for (const secret of [next, endpoint.secret]) {
      expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).not.toThrow();
    }
  });

  it('signs what stood in line with the new secret when the old one was ended at once', async () => {
    const held: ServerResponse[] = [];
    let holds = false;
    const receiver = await Receiver.listen((response) => {
      if (holds) held.push(response);
      else response.end('ok');
    });
    const client = await aClient();
    const endpoint = await anEndpoint(client, receiver.url);
    await publish(client, { count: 30 });
    await hasReceived(receiver, 30);
    // From here on what was claimed ahead, at the pace so far, waits.
    holds = true;
    await publish(client, { count: 40 });
    await hasReceived(receiver, 34);
    const by = { actor: { type: 'operator', id: 'test' } } as const;
    const { secret } = await t.app.get(EndpointStatesService).rotate(client, endpoint.id, 0, by);
    // A process trusts for a second in the secrets that it read.
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + 1_100);
    const before = receiver.received.length;
    holds = false;
    for (const response of held) response.end('ok');
    await hasReceived(receiver, 70);
    const later = receiver.received.slice(before);
    expect(later.length).toBeGreaterThan(8);
    for (const { headers, body } of later) {
      expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).not.toThrow();
      expect(() => new Webhook(endpoint.secret).verify(body, headers as Record<string, string>)).toThrow();
    }
  });

  it('sends the same id and bytes again when the receiver was away', async () => {
    const port = await reservedPort();
    const first = await Receiver.listen(answering(503), port);
    const client = await aClient();
    await anEndpoint(client, first.url);
    const [event = ''] = await publish(client);
    await hasReceived(first, 1);
    await first.close();
    const second = await Receiver.listen(ok, port);
    const delivery = await settled(event, 'DELIVERED');
    const [before, after] = [first.received[0], second.received[0]];
    expect(after?.body.toString('hex')).toBe(before?.body.toString('hex'));
    expect(after?.headers['webhook-id']).toBe(before?.headers['webhook-id']);
    expect(after?.headers['x-vigia-delivery']).toBe(before?.headers['x-vigia-delivery']);
    expect(after?.headers['x-vigia-attempt']).toBe('2');
    expect(delivery).toMatchObject({ attempts: 2, last_error: null });
  });

  it('ends after the last attempt as EXHAUSTED, with each attempt recorded and masked', async () => {
    const receiver = await Receiver.listen((response) =>
      response.writeHead(500).end('customer 529.982.247-25 \u0007failed'),
    );
    const client = await aClient();
    await anEndpoint(client, receiver.url);
    const [event = ''] = await publish(client);
    const delivery = await settled(event, 'EXHAUSTED');
    expect(delivery).toMatchObject({ attempts: 3, last_error: 'HTTP_500' });
    expect(receiver.received).toHaveLength(3);
    expect(await auditOf('delivery', delivery.id)).toEqual(['delivery.exhausted']);
    const attempts = await query(
      `SELECT attempt, response_excerpt FROM webhook_attempts WHERE delivery_id = $1 ORDER BY attempt`,
      [delivery.id],
    );
    const response_excerpt = 'customer [tax id] failed';
    expect(attempts).toEqual([1, 2, 3].map((attempt) => ({ attempt, response_excerpt })));
  });

  it('does not follow redirects', async () => {
    // ASVS 13.2.5, 15.3.2
    const target = await Receiver.listen();
    const receiver = await Receiver.listen(answering(307, { location: target.url }));
    const client = await aClient();
    await anEndpoint(client, receiver.url);
    const [event = ''] = await publish(client);
    expect(await settled(event, 'EXHAUSTED')).toMatchObject({ last_error: 'REDIRECT_NOT_FOLLOWED' });
    expect(target.connections).toBe(0);
  });

  it('disables an endpoint that says it is gone, and sends it nothing more', async () => {
    const receiver = await Receiver.listen(answering(410));
    const client = await aClient();
    const endpoint = await anEndpoint(client, receiver.url);
    const [event = ''] = await publish(client);
    expect(await settled(event, 'CANCELLED')).toMatchObject({ last_error: 'ENDPOINT_GONE' });
    expect(await endpoints().list(client.organisationId, client.id)).toEqual([
      expect.objectContaining({ status: 'DISABLED', statusReason: 'ENDPOINT_GONE' }),
    ]);
    expect(await auditOf('webhook_endpoint', endpoint.id)).toEqual([
      'webhook_endpoint.created',
      'webhook_endpoint.disabled',
    ]);
    const [later = ''] = await publish(client);
    expect(await deliveriesOf(later)).toEqual([]);
    expect(receiver.received).toHaveLength(1);
  });

  it('waits while the endpoint is paused', async () => {
    const { client, receiver, endpoint } = await aServedClient();
    await setStatus(endpoint.id, 'PAUSED');
    const [event = ''] = await publish(client);
    await settled(event, 'PENDING');
    await wake(event);
    await anotherOneCameThrough();
    expect(receiver.received).toHaveLength(0);
    await uow().run(client.organisationId, (tx) =>
      endpoints().activate(tx, endpoint.id, { type: 'operator', id: 'test' }),
    );
    await settled(event, 'DELIVERED');
  });

  it('is cancelled when the endpoint was disabled meanwhile', async () => {
    const { client, receiver, endpoint } = await aServedClient();
    await setStatus(endpoint.id, 'PAUSED');
    const [event = ''] = await publish(client);
    await settled(event, 'PENDING');
    await setStatus(endpoint.id, 'DISABLED');
    await wake(event);
    expect(await settled(event, 'CANCELLED')).toMatchObject({ attempts: 0, last_error: 'ENDPOINT_DISABLED' });
    expect(receiver.received).toHaveLength(0);
  });

  it('is cancelled when the person it is about was erased meanwhile', async () => {
    const { client, receiver, endpoint } = await aServedClient();
    await setStatus(endpoint.id, 'PAUSED');
    const subject = aSubject(client);
    const [event = ''] = await publish(client, { subject });
    await settled(event, 'PENDING');
    const keys = t.app.get(SubjectKeys);
    await uow().run(system('privacy.erasure'), async (tx) => {
      await keys.requestErasure(tx, subject, randomUUID());
      await keys.destroyRequested(tx, -1);
    });
    // Every process forgets its copy of the key within a minute.
    const real = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => real() + 60_000);
    await setStatus(endpoint.id, 'ACTIVE');
    await wake(event);
    expect(await settled(event, 'CANCELLED')).toMatchObject({ attempts: 0, last_error: 'SUBJECT_ERASED' });
    expect(receiver.received).toHaveLength(0);
  });

  it('is a failed attempt, and hides no other, when its stored bytes were changed', async () => {
    const { client, receiver, endpoint } = await aServedClient();
    await setStatus(endpoint.id, 'PAUSED');
    const [broken = '', whole = ''] = await publish(client, { count: 2 });
    await settled(broken, 'PENDING');
    await query(`ALTER TABLE events DISABLE TRIGGER events_insert_only`);
    await query(`UPDATE events SET sealed_payload = sealed_payload || '\\x00' WHERE id = $1`, [broken]);
    await query(`ALTER TABLE events ENABLE TRIGGER events_insert_only`);
    await setStatus(endpoint.id, 'ACTIVE');
    await Promise.all([wake(broken), wake(whole)]);
    await settled(whole, 'DELIVERED');
    expect(await settled(broken, 'EXHAUSTED')).toMatchObject({ attempts: 3, last_error: 'SEAL_BROKEN' });
    expect(receiver.received).toHaveLength(1);
  });
});

describe('a receiver that asks for a pause', () => {
  it.each<[string, () => string, number]>([
    ['in seconds', () => '120', 120],
    ['until a time', () => new Date(Date.now() + 300_000).toUTCString(), 300],
    ['for days, gets six hours', () => '864000', 6 * 3_600],
  ])('by Retry-After, %s, is left alone for so long', async (_, retryAfter, seconds) => {
    const receiver = await Receiver.listen((response) =>
      response.writeHead(429, { 'retry-after': retryAfter() }).end(),
    );
    const client = await aClient();
    await anEndpoint(client, receiver.url);
    const [event = ''] = await publish(client);
    const wait = await eventually('the next attempt is put off', async () => {
      const [row] = await query<{ wait: number; wake: number }>(
        `SELECT extract(epoch FROM due_at - now())::float8 AS wait, extract(epoch FROM wake_at - now())::float8 AS wake
         FROM webhook_deliveries WHERE event_id = $1 AND status = 'PENDING' AND attempts = 1`,
        [event],
      );
      return row;
    });
    for (const one of [wait.wait, wait.wake]) {
      expect(one).toBeGreaterThan(seconds - 10);
      expect(one).toBeLessThanOrEqual(seconds);
    }
    expect(receiver.received).toHaveLength(1);
  });
});

describe('an endpoint that does nothing but fail', () => {
  const HOUR_MS = 3_600_000;
  let status: number;

  /** An endpoint of an application whose receiver answers `status`, tried once per event at the hours given. */
  async function aWatchedEndpoint(): Promise<{
    stateAfter: (hours: number) => Promise<string>;
    endpoint: TestEndpoint;
    client: TestClient;
  }> {
    const receiver = await Receiver.listen((response) => response.writeHead(status).end());
    const client = await aClient();
    const endpoint = await anEndpoint(client, receiver.url);
    const clock = t.app.get(Clock);
    const real = clock.now.bind(clock);
    let movedMs = 0;
    jest.spyOn(clock, 'now').mockImplementation(() => real() + movedMs);
    const stateAfter = async (hours: number): Promise<string> => {
      movedMs = hours * HOUR_MS;
      const [event = ''] = await publish(client);
      await eventually('it was tried', async () => {
        const [row] = await deliveriesOf(event);
        return row !== undefined && row.attempts > 0;
      });
      // The test looks at the first attempt only: the rest of the delivery is put off for good.
      await query(
        `UPDATE webhook_deliveries SET due_at = 'infinity', wake_at = 'infinity' WHERE event_id = $1`,
        [event],
      );
      const [row] = await query<{ status: string }>('SELECT status FROM webhook_endpoints WHERE id = $1', [
        endpoint.id,
      ]);
      return row?.status ?? '';
    };
    return { stateAfter, endpoint, client };
  }

  const disabledCount = async (): Promise<number> => {
    const { values } = await t.app.get(WebhookMetrics, { strict: false }).endpointsDisabled.get();
    return values.find(({ labels }) => labels.reason === 'FAILING_TOO_LONG')?.value ?? 0;
  };

  it('for five days is disabled, with its reason, an audit entry and a count', async () => {
    status = 500;
    const before = await disabledCount();
    const { stateAfter, endpoint, client } = await aWatchedEndpoint();
    const states = [];
    for (const hours of [0, 40, 80, 119.9]) states.push(await stateAfter(hours));
    expect(states).toEqual(['ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE']);
    await stateAfter(120.1);
    await eventually('it is disabled', async () => {
      const [shown] = await endpoints().list(client.organisationId, client.id);
      return shown?.status === 'DISABLED' && shown.statusReason === 'FAILING_TOO_LONG';
    });
    expect(await auditOf('webhook_endpoint', endpoint.id)).toEqual([
      'webhook_endpoint.created',
      'webhook_endpoint.disabled',
    ]);
    expect(await disabledCount()).toBe(before + 1);
    const [later = ''] = await publish(client);
    expect(await deliveriesOf(later)).toEqual([]);
  });

  it('is judged anew after one success, or two days of silence', async () => {
    status = 500;
    const { stateAfter } = await aWatchedEndpoint();
    for (const hours of [0, 40, 80]) expect(await stateAfter(hours)).toBe('ACTIVE');
    status = 204;
    expect(await stateAfter(110)).toBe('ACTIVE');
    status = 500;
    for (const hours of [121, 160, 200]) expect(await stateAfter(hours)).toBe('ACTIVE');
    // From here on nobody asked it anything for 49 hours.
    for (const hours of [249, 290]) expect(await stateAfter(hours)).toBe('ACTIVE');
  });
});

describe('the sequence of a resource', () => {
  it('never has a number twice: the database refuses the second event', async () => {
    const client = await aClient();
    const resourceId = newUuid();
    await publishEvents(t, client, [{ resourceId, sequence: 1 }]);
    await expect(publishEvents(t, client, [{ resourceId, sequence: 1 }])).rejects.toThrow('events_sequence');
    await expect(
      Promise.allSettled([2, 2, 2].map((sequence) => publishEvents(t, client, [{ resourceId, sequence }]))),
    ).resolves.toEqual(expect.arrayContaining([expect.objectContaining({ status: 'fulfilled' })]));
    expect(
      await query('SELECT sequence FROM events WHERE resource_id = $1 ORDER BY 1', [resourceId]),
    ).toEqual([{ sequence: 1 }, { sequence: 2 }]);
  });
});

describe('the OpenAPI document', () => {
  it('describes the events that a real transaction leads to', async () => {
    const receiver = await Receiver.listen();
    const client = await t.client();
    await anEndpoint(client, receiver.url);
    await t.api.as(client).ingest(aTransaction()).expect(202);
    await hasReceived(receiver, 3);

    const document = buildOpenApi(t.app, t.settings);
    const events = receiver.received.map(({ body }) => JSON.parse(body.toString()) as EventEnvelope);
    const violations = violationsBy(document);
    for (const event of events) expect(violations(event)).toEqual([]);
    expect(events.map(({ type }) => type).sort()).toEqual([
      'customer.identified',
      'kyt.transaction.pipeline.completed',
      'kyt.transaction.queued',
    ]);
  });

  it('has an example of every event that fits its schema', () => {
    const document = buildOpenApi(t.app, t.settings);
    const violations = violationsBy(document);
    for (const type of eventTypes) {
      const body = document.webhooks?.[type]?.post?.requestBody as {
        content: Record<string, { example: EventEnvelope }>;
      };
      const example = body.content['application/json']?.example;
      expect(example?.type).toBe(type);
      expect(example && violations(example)).toEqual([]);
      const more = JSON.stringify(example).replaceAll(/\{"ruleId"/g, '{"unsaid":1,"ruleId"');
      const isMore = more !== JSON.stringify(example);
      expect(violations(JSON.parse(more) as EventEnvelope).length > 0).toBe(isMore);
    }
  });
});

describe('a receiver that does not behave', () => {
  it('does not delay the others when it hangs', async () => {
    const hanging = await Receiver.listen(() => undefined);
    const slow = await aClient();
    await anEndpoint(slow, hanging.url);
    await publish(slow, { count: 200 });
    await hasReceived(hanging, settings.webhookEndpointConcurrency);
    const { client: fast, receiver: healthy } = await aServedClient();
    await publish(fast, { count: 200 });
    await hasReceived(healthy, 200);
    // Behind the hanging one they would have waited until all of its 200 were given up.
    expect(hanging.received.length).toBeLessThan(150);
    expect(new Set(healthy.received.map(({ headers }) => headers['webhook-id'])).size).toBe(200);
  });

  it('is cut off at 64 KiB of answer, and is believed', async () => {
    let written = 0;
    const receiver = await Receiver.listen((response) => {
      const chunk = Buffer.alloc(64 * 1024, 'a');
      const more = (): void => {
        if (response.destroyed) return;
        written += chunk.length;
        response.write(chunk, () => setImmediate(more));
      };
      more();
    });
    const sent = await senderWith(settings).send(aRequest(receiver.url));
    expect(sent).toMatchObject({ statusCode: 200, errorCode: null });
    expect(sent.excerpt).toHaveLength(4_096);
    // Bytes in the socket buffers of the two ends count as written as well.
    expect(written).toBeLessThan(16 * 1024 * 1024);
  });

  promised('times out in all when it trickles its answer', async () => {
    const receiver = await Receiver.listen((response) => {
      const timer = setInterval(() => response.write('.'), 100);
      response.on('close', () => {
        clearInterval(timer);
      });
    });
    const sent = await senderWith(settings).send(aRequest(receiver.url));
    expect(sent).toMatchObject({ statusCode: 200, errorCode: 'TIMEOUT' });
    expect(sent.durationMs).toBeGreaterThanOrEqual(950);
    expectWithin(1_500, 0, sent.durationMs);
  });

  it.each<[string, Behaviour, string]>([
    ['resets the connection', (response) => response.socket?.resetAndDestroy(), 'ECONNRESET'],
    [
      'closes it within the answer',
      (response) => response.write('{"a"', () => response.destroy()),
      'ECONNRESET',
    ],
    ['does not speak HTTP', (response) => response.socket?.end('SSH-2.0-x\r\n'), 'HPE_INVALID_CONSTANT'],
    ['sends endless headers', answering(200, { 'x-long': 'a'.repeat(100_000) }), 'HPE_HEADER_OVERFLOW'],
  ])('is a failed attempt when it %s', async (_name, behaviour, errorCode) => {
    const receiver = await Receiver.listen(behaviour);
    const sent = await senderWith(settings).send(aRequest(receiver.url));
    expect(sent.errorCode).toBe(errorCode);
  });

  it('is asked once more when it closed an idle connection under a request', async () => {
    let count = 0;
    const receiver = await Receiver.listen((response) => {
      count += 1;
      if (count === 2) response.socket?.resetAndDestroy();
      else response.end('ok');
    });
    const sender = senderWith(settings);
    await sender.send(aRequest(receiver.url));
    expect(await sender.send(aRequest(receiver.url))).toMatchObject({ statusCode: 200, errorCode: null });
    expect(receiver.received).toHaveLength(3);
  });
});

describe('the address guard', () => {
  it.each([
    'https://10.0.0.1/hook',
    'https://169.254.169.254/latest/meta-data',
    'https://[fd00:ec2::254]/',
    'http://hooks.example/',
    'https://user:secret@hooks.example/',
    'https://inside.example/hook',
    'https://half-inside.example/hook',
    'https://unknown.example/hook',
  ])('refuses to create an endpoint at %s, without repeating it', async (url) => {
    resolver.answers.set('inside.example', [['192.168.7.7']]);
    resolver.answers.set('half-inside.example', [['93.184.216.34', '10.0.0.7']]);
    const client = await aClient();
    const refused = await anEndpoint(client, url).catch((error: unknown) => error as DomainError);
    expect(refused).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path: 'url' }] });
    expect(JSON.stringify((refused as DomainError).details)).not.toContain(new URL(url).hostname);
    expect(await endpoints().list(client.organisationId, client.id)).toEqual([]);
  });

  it('refuses an unknown event type', async () => {
    const refused = anEndpoint(await aClient(), 'http://127.0.0.1:9000/', [
      'session.created',
      'session.unknown',
    ]);
    await expect(refused).rejects.toMatchObject({
      details: [{ path: 'eventTypes[1]', code: 'EVENT_TYPE_UNKNOWN' }],
    });
  });

  it('never reaches a server inside, in whatever form its address is written', async () => {
    const canary = await Canary.listen();
    const reached: string[] = [];
    for (const host of INSIDE) {
      for (const scheme of ['https', 'http']) {
        const url = `${scheme}://${host}:${canary.port}/hook`;
        // As in production; and with https not required, so that only the address stands in the way.
        for (const webhookRequireHttps of [true, false]) {
          const production = Settings.of({ ...settings, nodeEnv: 'production', webhookRequireHttps });
          const targets = new WebhookTargets(production, resolver, new OutboundProxy(production));
          const configured = await targets.checkReachable(url).then(
            () => 'accepted',
            () => 'refused',
          );
          const { statusCode, errorCode } = await new WebhookSender(production, targets).send(aRequest(url));
          const refused =
            /^(ADDRESS_NOT_ALLOWED|HOST_NOT_ALLOWED|SCHEME_NOT_ALLOWED|CREDENTIALS_IN_URL|URL_INVALID)$/;
          const stopped = configured === 'refused' && statusCode === null && refused.test(errorCode ?? '');
          if (!stopped) reached.push(url);
        }
      }
    }
    const count = canary.connections;
    await canary.close();
    expect({ payloads: INSIDE.length >= 40, reached, count }).toEqual({
      payloads: true,
      reached: [],
      count: 0,
    });
  });

  it.each<[string, string[][]]>([
    ['leads inside', [['127.0.0.1']]],
    ['leads inside over IPv6', [['::1']]],
    ['leads inside in a mapped form', [['::ffff:127.0.0.1']]],
    ['leads inside through NAT64', [['64:ff9b::7f00:1']]],
    ['leads to nowhere in particular', [['0.0.0.0'], ['::']]],
    ['leads to the metadata of the machine', [['169.254.169.254']]],
    ['leads outside and inside', [['93.184.216.34', '127.0.0.1']]],
    ['led outside when it was checked, and inside now', [['93.184.216.34'], ['127.0.0.1']]],
  ])('never reaches a server inside by a name that %s', async (_, answers) => {
    // ASVS 1.3.6
    const canary = await Canary.listen();
    const host = 'rebind.example';
    resolver.answers.set(host, [...answers]);
    const production = Settings.of({ ...settings, nodeEnv: 'production', webhookRequireHttps: false });
    const targets = new WebhookTargets(production, resolver, new OutboundProxy(production));
    const sender = new WebhookSender(production, targets);
    const url = `http://${host}:${canary.port}/hook`;
    const rebinding = answers.length === 2 && answers[0]?.[0] === '93.184.216.34';
    if (rebinding) await expect(targets.checkReachable(url)).resolves.toBeInstanceOf(URL);
    for (let i = 0; i < 3; i += 1) {
      expect(await sender.send(aRequest(url))).toMatchObject({
        statusCode: null,
        errorCode: 'ADDRESS_NOT_ALLOWED',
      });
    }
    expect(canary.connections).toBe(0);
    await canary.close();
  });

  it.each([301, 302, 303, 307, 308])('never follows a %i to a server inside', async (status) => {
    const canary = await Canary.listen();
    const outside = await Receiver.listen(
      answering(status, { location: `http://127.0.0.1:${canary.port}/hook` }),
      0,
      '127.0.0.2',
    );
    // The one address that counts as outside here.
    const webhookAllowCidrs = ['127.0.0.2/32'];
    const sender = senderWith({
      ...settings,
      nodeEnv: 'production',
      webhookRequireHttps: false,
      webhookAllowCidrs,
    });
    const url = `http://127.0.0.2:${outside.port}/hook`;
    expect(await sender.send(aRequest(url))).toMatchObject({ statusCode: status, errorCode: null });
    expect(outside.received).toHaveLength(1);
    expect(canary.connections).toBe(0);
    await canary.close();
  });

  it('sends to this machine over http in development, and in production not at all', async () => {
    const receiver = await Receiver.listen();
    for (const webhookRequireHttps of [true, false]) {
      const development = senderWith({ ...settings, nodeEnv: 'development', webhookRequireHttps });
      expect(await development.send(aRequest(receiver.url))).toMatchObject({ statusCode: 200 });
      const production = senderWith({ ...settings, nodeEnv: 'production', webhookRequireHttps });
      expect(await production.send(aRequest(receiver.url))).toMatchObject({ statusCode: null });
    }
    expect(receiver.received).toHaveLength(2);
  });

  it('refuses a connection that has another address than the one it was made for', async () => {
    // ASVS 12.3.2
    const canary = await Receiver.listen();
    const targets = new WebhookTargets(t.settings, resolver, new OutboundProxy(t.settings));
    const sender = new WebhookSender(t.settings, targets);
    jest.spyOn(targets, 'check').mockImplementation(() => {
      throw new TargetRefusedError('ADDRESS_NOT_ALLOWED');
    });
    const sent = await sender.send(aRequest(canary.url));
    expect(sent.errorCode).toBe('ADDRESS_NOT_ALLOWED');
    expect(canary.received).toHaveLength(0);
  });
});

describe('jobs that come twice, late or never', () => {
  it('send nothing twice', async () => {
    const { client, receiver } = await aServedClient();
    const [event = ''] = await publish(client);
    const { id } = await settled(event, 'DELIVERED');
    const again = { queue: 'webhooks.delivery', payload: { refs: [id, id] } } as const;
    await t.app.get(QueueTransport).send([
      { ...again, jobId: newUuid() },
      { ...again, jobId: newUuid() },
    ]);
    await anotherOneCameThrough();
    expect(await deliveriesOf(event)).toHaveLength(1);
    expect(receiver.received).toHaveLength(1);
  });

  later('send nothing twice when two processes share the work', async () => {
    const { client, receiver } = await aServedClient();
    const second = await startTestApp({ like: t });
    const events = await publish(client, { count: 300 });
    await hasReceived(receiver, events.length);
    await settled(events.at(-1) ?? '', 'DELIVERED');
    await second.close();
    // One that was answered too late, on a busy machine, comes again as another attempt.
    const attempts = receiver.received.map(({ headers }) =>
      [headers['x-vigia-delivery'], headers['x-vigia-attempt']].join(' '),
    );
    expect(new Set(attempts).size).toBe(attempts.length);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(events.length);
  });

  it('are made up for when the queue was emptied', async () => {
    const { client, receiver } = await aServedClient();
    const [event = ''] = await publish(client, { unannounced: true });
    await t.app.get(QueueTransport).writeEpoch('another queue');
    await settled(event, 'DELIVERED');
    expect(receiver.received).toHaveLength(1);
  });

  it('are made up for when a single one was lost', async () => {
    const { client } = await aServedClient();
    const [event = ''] = await publish(client, { unannounced: true });
    await wake(event);
    await settled(event, 'DELIVERED');
  });

  it('are made up for when a worker died with the lease', async () => {
    const { client, endpoint } = await aServedClient();
    await setStatus(endpoint.id, 'PAUSED');
    const [event = ''] = await publish(client);
    await settled(event, 'PENDING');
    await query(
      `UPDATE webhook_deliveries SET status = 'SENDING', fence = 1, due_at = now() WHERE event_id = $1`,
      [event],
    );
    await setStatus(endpoint.id, 'ACTIVE');
    await wake(event);
    expect(await settled(event, 'DELIVERED')).toMatchObject({ attempts: 1 });
  });

  it('cannot record anything once another process holds the claim', async () => {
    const { client, endpoint } = await aServedClient();
    await setStatus(endpoint.id, 'PAUSED');
    const [event = ''] = await publish(client);
    const { id } = await settled(event, 'PENDING');
    // The service would find the delivery overdue between the two claims, and claim it itself.
    const reconciler = await t.owner.connect();
    await reconciler.query('SELECT pg_advisory_lock($1)', [RECONCILE_LOCK]);
    await setStatus(endpoint.id, 'ACTIVE');
    const deliveries = t.app.get(DeliveriesRepository);
    const claim = async (leaseSeconds: number): Promise<ClaimedDelivery> => {
      const [claimed] = await deliveries.claim([id], leaseSeconds);
      if (!claimed) throw new Error('not claimed');
      return claimed;
    };
    const conclude = (delivery: ClaimedDelivery): Promise<unknown[]> => {
      const verdict = { status: 'EXHAUSTED', error: 'TEST' } as const;
      return uow().run(system('webhooks.deliveries'), (tx) =>
        deliveries.conclude(tx, [{ delivery, verdict, attempt: null, correlationId: null }]),
      );
    };
    const zombie = await claim(0);
    const heir = await claim(3_600);
    reconciler.release(true);
    expect(await conclude(zombie)).toEqual([]);
    await settled(event, 'SENDING');
    expect(await conclude(heir)).toHaveLength(1);
    await settled(event, 'EXHAUSTED');
  });
});

/** Time enough for what should not be sent: a later event has gone the whole way. */
async function anotherOneCameThrough(): Promise<void> {
  const { client } = await aServedClient();
  const [event = ''] = await publish(client);
  await settled(event, 'DELIVERED');
}

it('every event that these tests stored fits its published schema', async () => {
  // One was damaged on purpose, and one person was erased.
  const { types, violations } = await storedEvents(t, { mayBeBroken: true });
  expect(violations).toEqual([]);
  expect(types.get('kyt.transaction.pipeline.completed')).toBeGreaterThan(0);
});
