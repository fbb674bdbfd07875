import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditTrail } from '../../src/features/audit/index.js';
import { customerEventTypes } from '../../src/platform/kernel/reference/customer-events.js';
import { detailsOf, expectError, keysOf } from '../support/answers.js';
import type { TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { CPF, without } from '../support/builders.js';
import { behindItsBack } from '../support/tamper.js';
import type { Test as Call } from 'supertest';

let made = 0;
const anEvent = (fields: Record<string, unknown> = {}): Record<string, unknown> & { eventId: string } => ({
  eventId: `event-${Date.now()}-${(made += 1)}`,
  type: 'PASSWORD_CHANGED',
  occurredAt: '2026-11-20T15:30:00.000Z',
  externalCustomerId: 'cliente-joão',
  cpfCnpj: CPF.customer,
  accountReference: '0001/12345-6',
  deviceId: 'dev-9f2c41',
  ipAddress: '198.51.100.24',
  channel: 'MOBILE_APP',
  metadata: { reason: 'forgotten' },
  ...fields,
});

// The route has two ways in; whichever a request takes, it must not notice.
describe.each<[string, boolean]>([
  ['with the ingest lane', true],
  ['without the ingest lane', false],
])('%s', (_way, ingestLane) => {
  let t: TestApp;
  let client: TestClient;

  beforeAll(async () => {
    t = await startTestApp({ settings: { ingestLane, role: 'api' } });
    client = await t.client();
  });

  afterAll(async () => {
    await t.close();
  });

  const send = (event: object, as = client): Call =>
    t.api.as(as).post('/kyt/events').set('content-type', 'application/json').send(event);

  const stored = async (eventId: string): Promise<{ id: string; organisation_id: string }[]> =>
    (
      await t.owner.query<{ id: string; organisation_id: string }>(
        'SELECT id, organisation_id FROM kyt_customer_events WHERE event_id = $1',
        [eventId],
      )
    ).rows;

  it('a new event: 202 with its receipt, stored once with its entry', async () => {
    const event = anEvent();
    const answer = await send(event).set('x-correlation-id', 'order-4711').expect(202);
    const { data, error } = answer.body as { data: Record<string, unknown>; error: unknown };
    expect(error).toBeNull();
    expect(data).toMatchObject({
      eventId: event.eventId,
      accepted: true,
      duplicate: false,
      correlationId: 'order-4711',
    });
    expect(keysOf(data)).toEqual(['accepted', 'correlationId', 'duplicate', 'eventId', 'requestId']);
    const [row, ...others] = await stored(event.eventId);
    expect(others).toEqual([]);
    const trail = t.app.get(AuditTrail);
    const subject = { organisationId: client.organisationId, type: 'customer_event', id: row!.id } as const;
    expect((await trail.readEntries(subject)).map(({ action }) => action)).toEqual([
      'customer_event.received',
    ]);
    expect((await trail.trailStatus(subject)).status).toBe('COMPLETE');
  });

  it('the same content again, spelt another way: 200, and nothing more is stored', async () => {
    const event = anEvent({ channel: 'KIOSK' });
    const first = await send(event).expect(202);
    const again = await send({
      ...event,
      occurredAt: '2026-11-20T12:30:00-03:00',
      cpfCnpj: '529.982.247-25',
      metadata: { reason: 'another' },
    }).expect(200);
    const receipt = (answer: { body: unknown }): Record<string, unknown> =>
      (answer.body as { data: Record<string, unknown> }).data;
    expect(receipt(again)).toMatchObject({
      duplicate: true,
      originalRequestId: receipt(first)['requestId'],
      warnings: ['UNKNOWN_CHANNEL'],
    });
    expect(await stored(event.eventId)).toHaveLength(1);
  });

  it('other content: 409 EVENT_ID_CONFLICT that names what differs and changes nothing', async () => {
    const event = anEvent();
    await send(event).expect(202);
    const conflict = expectError(
      await send({ ...event, type: 'LOGIN', deviceId: 'dev-other' }),
      409,
      'EVENT_ID_CONFLICT',
    );
    expect(detailsOf(conflict).sort()).toEqual(['deviceId DIFFERS', 'eventId ALREADY_USED', 'type DIFFERS']);
    const { rows } = await t.owner.query(
      `SELECT FROM audit_entries WHERE subject_id = $1 AND action = 'customer_event.conflict_refused'`,
      [client.id],
    );
    expect(rows.length).toBeGreaterThan(0);
    await send(event).expect(200);
  });

  it('twenty at once with one id: one is new', async () => {
    const event = anEvent();
    const answers = await Promise.all(Array.from({ length: 20 }, async () => (await send(event)).status));
    expect(answers.filter((status) => status === 202)).toHaveLength(1);
    expect(answers.filter((status) => status === 200)).toHaveLength(19);
  });

  it('an id of another application is another event', async () => {
    const event = anEvent();
    await send(event).expect(202);
    await send(event, await t.client()).expect(202);
    const rows = await stored(event.eventId);
    expect(new Set(rows.map(({ organisation_id }) => organisation_id)).size).toBe(2);
  });

  it.each<[string, object, string[]]>([
    ['no id', without(anEvent(), 'eventId'), ['eventId REQUIRED']],
    ['no type', without(anEvent(), 'type'), ['type REQUIRED']],
    ['an unknown type', anEvent({ type: 'SOMETHING' }), ['type VALUE_NOT_ALLOWED']],
    ['no moment', without(anEvent(), 'occurredAt'), ['occurredAt REQUIRED']],
    ['a moment to come', anEvent({ occurredAt: '2999-01-01T00:00:00Z' }), ['occurredAt DATETIME_IN_FUTURE']],
    ['nobody', without(anEvent(), 'externalCustomerId', 'cpfCnpj'), ['externalCustomerId REQUIRED']],
    ['a member too many', anEvent({ amount: 1 }), ['amount UNKNOWN_FIELD']],
    ['a device that is no text', anEvent({ deviceId: 7 }), ['deviceId TYPE_INVALID']],
    ['metadata that is no object', anEvent({ metadata: [1] }), ['metadata TYPE_INVALID']],
  ])('%s: 400', async (_what, body, details) => {
    expect(detailsOf(expectError(await send(body), 400, 'VALIDATION_FAILED'))).toEqual(details);
  });

  it.each(customerEventTypes)('%s is taken', async (type) => {
    await send(anEvent({ type })).expect(202);
  });

  it('an id that says nothing is warned of, and names nobody', async () => {
    const answer = await send(anEvent({ externalCustomerId: 'N/A' })).expect(202);
    expect(answer.body).toMatchObject({ data: { warnings: ['PLACEHOLDER_IGNORED'] } });
  });

  it('a batch: each alone, in order', async () => {
    const [event, known] = [anEvent(), anEvent()];
    await send(known).expect(202);
    const body = [event, known, { ...known, type: 'LOGIN' }, anEvent({ type: 'X' }), event];
    const answer = await t.api.as(client).post('/kyt/events/batch').send(body).expect(207);
    const { data } = answer.body as { data: { summary: unknown; results: { status: number }[] } };
    const statuses = data.results.map(({ status }) => status);
    expect(statuses.slice(1, 4)).toEqual([200, 409, 400]);
    expect([statuses[0], statuses[4]].sort()).toEqual([200, 202]);
    expect(data.summary).toEqual({ accepted: 1, duplicates: 2, failed: 2 });
    expectError(await t.api.as(client).post('/kyt/events/batch').send([]), 400, 'VALIDATION_FAILED');
  });

  it('needs kyt:ingest, and nothing personal is stored in clear', async () => {
    const reader = await t.client({ scopes: ['kyt:read'] });
    expectError(await send(anEvent(), reader), 403, 'SCOPE_INSUFFICIENT');
    const event = anEvent();
    await send(event).expect(202);
    const { rows } = await t.owner.query<{ text: string }>(
      `SELECT concat_ws(' ', e.*, convert_from(a.canonical, 'UTF8')) AS text
       FROM kyt_customer_events e JOIN audit_entries a ON a.subject_id = e.id::text WHERE e.event_id = $1`,
      [event.eventId],
    );
    expect(rows).toHaveLength(1);
    for (const secret of [CPF.customer, 'joão', 'dev-9f2c41', '198.51.100', '12345-6', 'forgotten']) {
      expect(rows[0]!.text).not.toContain(secret);
    }
  });

  it.each([
    ['type', `type = 'LOGIN'`],
    ['moment', `occurred_at = occurred_at - interval '1 day'`],
    ['customer', `customer_key = decode('00', 'hex')`],
    ['body', `sealed_body = sealed_body || decode('00', 'hex')`],
  ])('a %s that somebody changed is found', async (_what, change) => {
    const event = anEvent();
    await send(event).expect(202);
    const [row] = await stored(event.eventId);
    await behindItsBack(t, 'kyt_customer_events', `UPDATE kyt_customer_events SET ${change} WHERE id = $1`, [
      row!.id,
    ]);
    const subject = { organisationId: client.organisationId, type: 'customer_event', id: row!.id } as const;
    expect((await t.app.get(AuditTrail).trailStatus(subject)).status).not.toBe('COMPLETE');
  });
});
