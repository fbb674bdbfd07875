import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { AuditTrail } from '../../src/features/audit/index.js';
import { DeadLettersService } from '../../src/features/kyt/index.js';
import { WebhookEndpointsService } from '../../src/features/webhooks/index.js';
import { checkpointLike, keysOf } from '../support/answers.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aMinimalTransaction, aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { storedEvents } from '../support/stored-events.js';
import { WebhookReceiver, type Delivery } from '../support/receiver.js';

let t: TestApp;
let client: TestClient;
let api: TestApi;
let receiver: WebhookReceiver;
let secret: string;

beforeAll(async () => {
  t = await startTestApp({ settings: { webhookScheduleSeconds: [0, 0, 0, 0] } });
  client = await t.client();
  api = t.api.as(client);
  receiver = await WebhookReceiver.listen();
  ({ secret } = await t.app.get(WebhookEndpointsService).create({
    organisationId: client.organisationId,
    clientAppId: client.id,
    url: receiver.url,
    actor: { type: 'operator', id: 'test' },
  }));
});

afterAll(async () => {
  await t.close();
  await receiver.close();
});

const QUEUED = 'kyt.transaction.queued';
const COMPLETED = 'kyt.transaction.pipeline.completed';
const DEAD_LETTERED = 'kyt.transaction.dead_lettered';

const ofType = (deliveries: readonly Delivery[], type: string): Delivery => {
  const found = deliveries.filter(({ event }) => event.type === type);
  expect(found).toHaveLength(1);
  return found[0]!;
};

/** Submits a transaction and returns the two webhooks about it. */
async function submitted(
  body: Record<string, unknown> & { transactionId: string },
  headers: Record<string, string> = {},
): Promise<{ queued: Delivery; completed: Delivery }> {
  await api.ingest(body).set(headers).expect(202);
  const deliveries = await receiver.about(body.transactionId, 2);
  return { queued: ofType(deliveries, QUEUED), completed: ofType(deliveries, COMPLETED) };
}

const transactionRef = async (transactionId: string): Promise<string> => {
  const { rows } = await t.owner.query<{ id: string }>(
    'SELECT id FROM kyt_transactions WHERE transaction_id = $1',
    [transactionId],
  );
  return rows[0]!.id;
};

describe('the main job: submit, acknowledge, evaluate, tell', () => {
  it('a local receiver gets kyt.transaction.queued and kyt.transaction.pipeline.completed', async () => {
    const body = aTransaction();
    const { queued, completed } = await submitted(body, {
      'x-request-id': 'req-1',
      'x-correlation-id': 'order-4711',
    });
    const { data } = (await api.transaction(body.transactionId).expect(200)).body;

    expect(queued.event).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      type: QUEUED,
      timestamp: data.receivedAt,
      apiVersion: '2026-11-01',
      environment: 'sandbox',
      sequence: 1,
      correlationId: 'order-4711',
      test: false,
      audit: checkpointLike(queued.event.audit),
      data: {
        transactionId: body.transactionId,
        status: 'QUEUED',
        externalCustomerId: body['externalCustomerId'],
        requestId: 'req-1',
        correlationId: 'order-4711',
        receivedAt: data.receivedAt,
      },
    });
    expect(completed.event).toMatchObject({
      type: COMPLETED,
      sequence: 2,
      correlationId: 'order-4711',
      timestamp: data.evaluatedAt,
    });
    expect(completed.event.id).not.toBe(queued.event.id);
  });

  it.each<[string, () => Record<string, unknown> & { transactionId: string }]>([
    ['approved', () => aTransaction()],
    ['in review with reasons', () => aTransaction({ amount: 75_000 })],
    ['partial', () => aMinimalTransaction()],
  ])('the completed event of a transaction that is %s says what GET says', async (_what, make) => {
    const body = make();
    const { completed } = await submitted(body);
    const { data } = (await api.transaction(body.transactionId).expect(200)).body;
    const told = completed.event.data;
    expect(keysOf(told)).toEqual(
      [
        'transactionId',
        'status',
        'verdict',
        'nextAction',
        'outcome',
        'recommendedAction',
        'riskScore',
        'riskLevel',
        'defensible',
        'composition',
        'nonDefensibleReasons',
        'notEvaluated',
        'reasons',
        'requestedActions',
        'reviewRequired',
        'rulesetHash',
        'rulesetVersion',
        'evaluationVersion',
        'evaluatedAt',
        'receiptHash',
        ...(told['reviewRequired'] === true ? ['reviewId'] : []),
      ].sort(),
    );
    expect(told).toEqual(Object.fromEntries(keysOf(told).map((name) => [name, data[name]])));
  });

  it('without a published ruleset the event has no score: null, never zero', async () => {
    // ASVS 16.5.3
    const bare = await t.client({ rules: false });
    const { organisationId, id: clientAppId } = bare;
    const actor = { type: 'operator', id: 'test' } as const;
    await t.app
      .get(WebhookEndpointsService)
      .create({ organisationId, clientAppId, url: receiver.url, actor });
    const body = aTransaction();
    await t.api.as(bare).ingest(body).expect(202);
    const { event } = ofType(await receiver.about(body.transactionId, 2), COMPLETED);
    expect(event.data).toMatchObject({
      outcome: 'REVIEW',
      composition: 'MISSING',
      riskScore: null,
      riskLevel: null,
      rulesetVersion: null,
    });
  });

  it('traceparent of the request comes with every event about it, and with no other', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const traced = await submitted(aTransaction(), { traceparent });
    const silent = await submitted(aTransaction());
    const garbled = await submitted(aTransaction(), { traceparent: '00-zz-01' });
    expect(Object.values(traced).map(({ headers }) => headers['traceparent'])).toEqual([
      traceparent,
      traceparent,
    ]);
    for (const { headers } of [...Object.values(silent), ...Object.values(garbled)]) {
      expect(headers).not.toHaveProperty('traceparent');
    }
  });

  it('a re-send makes no second event', async () => {
    const body = aTransaction();
    await submitted(body);
    await api.ingest(body).expect(200);
    const later = aTransaction();
    await submitted(later);
    expect(
      receiver.deliveries.filter(({ event }) => event.data['transactionId'] === body.transactionId),
    ).toHaveLength(2);
  });

  it('a legacy transaction is told of in the same way', async () => {
    await api.legacy({ transactionId: 'legacy-told', customer: { id: 'c-1' }, amount: 5 }).expect(202);
    const types = (await receiver.about('legacy-told', 2)).map(({ event }) => event.type).sort();
    expect(types).toEqual([COMPLETED, QUEUED]);
  });

  it('the trail of the transaction is complete', async () => {
    const body = aTransaction();
    await submitted(body);
    const subject = {
      organisationId: client.organisationId,
      type: 'transaction',
      id: await transactionRef(body.transactionId),
    } as const;
    expect(await t.app.get(AuditTrail).trailStatus(subject)).toEqual({
      status: 'COMPLETE',
      length: 2,
      gaps: [],
      repairs: [],
      pruned: 0,
    });
  });
});

describe('Receiver rules', () => {
  it('1. "Verify the signature ... computed over the raw JSON body": three lines of HMAC do', async () => {
    for (const { headers, body } of Object.values(await submitted(aTransaction()))) {
      const expected = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
      expect(headers['x-vigia-signature']).toBe(expected);
    }
  });

  it('1. the library standardwebhooks verifies the same deliveries', async () => {
    for (const { headers, body, event } of Object.values(await submitted(aTransaction()))) {
      const verified = new Webhook(secret).verify(body, headers as Record<string, string>);
      expect(verified).toEqual(event);
    }
  });

  it('1. a changed byte, another secret or an old timestamp does not verify', async () => {
    const { completed } = await submitted(aTransaction());
    const headers = completed.headers as Record<string, string>;
    const verify =
      (body: Buffer, changed: Record<string, string> = {}, key = secret) =>
      (): unknown =>
        new Webhook(key).verify(body, { ...headers, ...changed });
    const tampered = Buffer.from(completed.body.toString().replace('"APPROVED"', '"REJECTED"'));
    const past = String(Number(headers['webhook-timestamp']) - 3_600);
    expect(verify(completed.body)).not.toThrow();
    expect(verify(tampered)).toThrow();
    expect(verify(completed.body, { 'webhook-timestamp': past })).toThrow();
    expect(verify(completed.body, {}, `whsec_${Buffer.alloc(32, 1).toString('base64')}`)).toThrow();
    expect(createHmac('sha256', secret).update(tampered).digest('hex')).not.toBe(
      headers['x-vigia-signature']?.slice(7),
    );
  });

  it('2. "Process events idempotently by event ID": the id is the same over every retry, and so are the bytes', async () => {
    // The customer is known before, or the event about them would take one of the refusals.
    const earlier = aTransaction();
    await submitted(earlier);
    const { externalCustomerId } = earlier;
    await eventually('customer.identified', () =>
      receiver.deliveries.some(
        ({ event }) =>
          event.type === 'customer.identified' && event.data['externalCustomerId'] === externalCustomerId,
      ),
    );
    receiver.nextStatuses.push(500, 500);
    const body = aTransaction({ externalCustomerId });
    await api.ingest(body).expect(202);
    const deliveries = await receiver.about(body.transactionId, 4);
    const byId = new Map<string, Delivery[]>();
    for (const one of deliveries) byId.set(one.event.id, [...(byId.get(one.event.id) ?? []), one]);
    expect(byId.size).toBe(2);
    for (const [id, retries] of byId) {
      expect(new Set(retries.map((one) => one.body.toString('hex'))).size).toBe(1);
      expect(retries.map((one) => one.headers['webhook-id'])).toEqual(retries.map(() => id));
      expect(retries.map((one) => one.headers['x-vigia-attempt'])).toEqual(
        retries.map((_, i) => String(i + 1)),
      );
      expect(new Set(retries.map((one) => one.headers['x-vigia-delivery'])).size).toBe(1);
    }
  });

  it('the headers name the event', async () => {
    const { completed } = await submitted(aTransaction());
    expect(completed.headers).toMatchObject({
      'content-type': 'application/json',
      'x-vigia-event': COMPLETED,
      'x-vigia-delivery': expect.stringMatching(/^whd_[0-9a-f]{32}$/),
      'x-vigia-attempt': '1',
      'webhook-id': completed.event.id,
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
    });
  });

  it('no event holds a CPF or a name', async () => {
    const { queued, completed } = await submitted(aTransaction({ amount: 60_000 }));
    expect(queued.body.toString() + completed.body.toString()).not.toMatch(
      /Exemplo|5299822|1114447|529\.982|111\.444/,
    );
  });
});

describe('a transaction that cannot be processed', () => {
  it('is dead-lettered, told of, shown, and evaluated when it is replayed after the repair', async () => {
    const owner = await t.owner.connect();
    const body = aTransaction();
    let ref: string;
    try {
      // The insert of an evaluation fails for as long as this constraint is there.
      await owner.query(
        `ALTER TABLE kyt_evaluations ADD CONSTRAINT broken CHECK (evaluation_version > 1) NOT VALID`,
      );
      await api.ingest(body).expect(202);
      ref = await transactionRef(body.transactionId);
      // The waits between the attempts are seconds; the reconciler takes up what is due.
      await eventually('the transaction is dead-lettered', async () => {
        await owner.query(
          `UPDATE kyt_work SET due_at = now() - interval '1 second' WHERE transaction_ref = $1 AND status = 'QUEUED'`,
          [ref],
        );
        const { data } = (await api.transaction(body.transactionId).expect(200)).body;
        return data.status === 'DEAD_LETTERED';
      });
    } finally {
      await owner.query('ALTER TABLE kyt_evaluations DROP CONSTRAINT IF EXISTS broken');
      owner.release();
    }
    const { data } = (await api.transaction(body.transactionId).expect(200)).body;
    const failure = { code: 'DATABASE_23514', stage: 'COMMIT', attempts: 5 };
    expect(data).toMatchObject({ status: 'DEAD_LETTERED', outcome: null, failure });
    const dead = ofType(await receiver.about(body.transactionId, 2), DEAD_LETTERED);
    expect(dead.event).toMatchObject({
      sequence: 2,
      data: { transactionId: body.transactionId, status: 'DEAD_LETTERED', failure, replayable: true },
    });
    expect(keysOf(dead.event.data)).toEqual(['failure', 'replayable', 'status', 'transactionId']);

    expect(await t.app.get(DeadLettersService).replay(ref, 'operator-1')).toBe(true);
    expect(await api.settled(body.transactionId, ['COMPLETED'])).toMatchObject({ outcome: 'APPROVED' });
    const completed = ofType(await receiver.about(body.transactionId, 3), COMPLETED);
    expect(completed.event.sequence).toBe(4);
    const subject = { organisationId: client.organisationId, type: 'transaction', id: ref } as const;
    expect(await t.app.get(AuditTrail).trailStatus(subject)).toEqual({
      status: 'COMPLETE',
      length: 4,
      gaps: [],
      repairs: [],
      pruned: 0,
    });
  });
});

it('every event that the run stored fits its published schema', async () => {
  const { types, erased, violations } = await storedEvents(t);
  expect(violations).toEqual([]);
  expect(erased).toBe(0);
  expect([...types.keys()].sort()).toEqual(['customer.identified', COMPLETED, DEAD_LETTERED, QUEUED].sort());
});
