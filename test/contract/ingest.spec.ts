import { Agent } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditTrail } from '../../src/features/audit/index.js';
import { canonicalJsonWithout } from '../../src/platform/kernel/values/canonical-json.js';
import { sha256 } from '../../src/platform/kernel/values/digest.js';
import { detailsOf, expectError, keysOf, type Answer } from '../support/answers.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aMinimalTransaction, aTransaction, CPF, without } from '../support/builders.js';
import { send } from '../support/raw-http.js';
import { behindItsBack } from '../support/tamper.js';

const dotted = (cpf: string): string =>
  `${cpf.slice(0, 3)}.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-${cpf.slice(9)}`;

/** A submission whose values have other spellings too. */
const SPELT = {
  externalCustomerId: 'cliente-joão',
  cpfCnpj: dotted(CPF.customer),
  occurredAt: '2026-11-20T15:34:56Z',
  origin: { name: 'João Exemplo', cpfCnpj: dotted(CPF.customer), country: 'BR' },
  destination: {
    accountReference: '0001/12345-6',
    walletReference: '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  },
};

// The ingest route has two ways in; whichever a request takes, it must not notice.
describe.each<[string, boolean]>([
  ['with the ingest lane', true],
  ['without the ingest lane', false],
])('%s', (_way, ingestLane) => {
  let t: TestApp;
  let client: TestClient;
  let api: TestApi;

  beforeAll(async () => {
    t = await startTestApp({ settings: { ingestLane } });
    client = await t.client();
    api = t.api.as(client);
  });

  afterAll(async () => {
    await t.close();
  });

  const count = async (text: string, values: unknown[]): Promise<number> =>
    (await t.owner.query<{ count: number }>(text, values)).rows[0]?.count ?? -1;

  /** The rows of the two field tables: name, JSON type, required, and values of the right and of a wrong type. */
  const TRANSACTION_FIELDS: [string, string, 'yes' | 'no', unknown, unknown][] = [
    ['transactionId', 'string', 'yes', 'order:2026-11.20_1', 4711],
    ['externalCustomerId', 'string', 'no', 'customer 4711 / São Paulo', {}],
    ['cpfCnpj', 'string', 'no', '***.456.789-**', 52998224725],
    ['type', 'string', 'yes', 'CARD_PURCHASE', ['PIX_TRANSFER']],
    ['channel', 'string', 'yes', 'WEB', false],
    ['amount', 'number', 'yes', 1250.75, '1250.75'],
    ['currency', 'string', 'yes', 'BRL', 986],
    ['occurredAt', 'string', 'yes', '2026-01-02T03:04:05.678-03:00', 1767337445],
    ['origin', 'object (participant)', 'yes', { name: 'Maria Exemplo' }, [{}]],
    ['destination', 'object (participant)', 'yes', { accountReference: '0001/77' }, 'x'],
    [
      'metadata',
      'object',
      'no',
      { deviceId: 'device-1', ipAddress: '203.0.113.7', anything: [1, null, { a: 1 }] },
      [1],
    ],
  ];

  const PARTICIPANT_FIELDS: [string, unknown, unknown][] = [
    ['name', 'João Exemplo', 1],
    ['cpfCnpj', CPF.payee, 11144477735],
    ['accountReference', '0001/12345-6', {}],
    ['bankReference', '00000000', 0],
    ['walletReference', 'wallet-1', []],
    ['country', 'BR', true],
    ['metadata', { any: 'thing' }, 'thing'],
  ];

  describe('Resources: KYT transaction (request body of ingest)', () => {
    it.each(TRANSACTION_FIELDS)('%s | %s | required: %s', async (name, _type, required, value, wrongType) => {
      const whole = aMinimalTransaction({ [name]: value });
      const accepted = await api.ingest(whole);
      const mistyped = await api.ingest(aMinimalTransaction({ [name]: wrongType }));
      const left = await api.ingest(without(aMinimalTransaction(), name));

      expect(accepted.body).toMatchObject({ data: { accepted: true }, error: null });
      expect(detailsOf(expectError(mistyped, 400, 'VALIDATION_FAILED'))).toEqual([`${name} TYPE_INVALID`]);
      if (required === 'no') expect(left.status).toBe(202);
      else expect(detailsOf(expectError(left, 400, 'VALIDATION_FAILED'))).toEqual([`${name} REQUIRED`]);
    });

    it.each(['origin', 'destination'])(
      '%s: "an empty object is accepted in the example request"',
      async (side) => {
        await api.ingest(aTransaction({ [side]: {} })).expect(202);
      },
    );

    it('names every missing field at once', async () => {
      const error = expectError(await api.ingest({}), 400, 'VALIDATION_FAILED');
      const required = TRANSACTION_FIELDS.filter(([, , yes]) => yes === 'yes').map(
        ([name]) => `${name} REQUIRED`,
      );
      expect(detailsOf(error)).toEqual(required.sort());
    });

    it('type: an unknown business type is accepted with the warning UNKNOWN_TYPE', async () => {
      const body = aTransaction({ type: 'QUANTUM_TRANSFER' });
      const { data } = (await api.ingest(body).expect(202)).body;
      expect(data).toMatchObject({ warnings: ['UNKNOWN_TYPE'] });
      expect(data).not.toHaveProperty('didYouMean');
      expect(await api.settled(body.transactionId)).toMatchObject({
        outcome: 'REVIEW',
        nonDefensibleReasons: expect.arrayContaining(['UNKNOWN_TYPE']),
        warnings: ['UNKNOWN_TYPE'],
      });
    });

    it.each([
      ['PIX', 'PIX_TRANSFER'],
      ['PIX_TRANFSER', 'PIX_TRANSFER'],
      ['TED', 'TED_TRANSFER'],
      ['CARD_PURCHASES', 'CARD_PURCHASE'],
    ])('type: in the sandbox, who sends %s hears of %s', async (type, meant) => {
      expect((await api.ingest(aTransaction({ type })).expect(202)).body.data).toMatchObject({
        warnings: ['UNKNOWN_TYPE'],
        didYouMean: meant,
      });
    });

    it('channel: an unknown channel is accepted with the warning UNKNOWN_CHANNEL', async () => {
      const { data } = (await api.ingest(aTransaction({ channel: 'SMART_FRIDGE' })).expect(202)).body;
      expect(data.warnings).toEqual(['UNKNOWN_CHANNEL']);
    });

    it('occurredAt: more than 45 days ago is accepted with the warning LATE_FOR_SELECTION', async () => {
      const days = (count: number): string => new Date(Date.now() - count * 86_400_000).toISOString();
      const late = (await api.ingest(aTransaction({ occurredAt: days(45.01) })).expect(202)).body;
      const inTime = (await api.ingest(aTransaction({ occurredAt: days(44.99) })).expect(202)).body;
      expect([late.data.warnings, inTime.data.warnings]).toEqual([['LATE_FOR_SELECTION'], undefined]);
    });

    it('amount is kept to the last cent, without floating-point arithmetic', async () => {
      const amounts = ['0.01', '0.1', '0.3', '4503599627.37', '999999999999.99', '1000000'];
      for (const amount of amounts) {
        const body = aTransaction();
        await api.ingest(JSON.stringify(body).replace('120.5', amount)).expect(202);
        const { rows } = await t.owner.query(
          'SELECT amount FROM kyt_transactions WHERE transaction_id = $1',
          [body.transactionId],
        );
        expect(rows).toEqual([{ amount }]);
      }
    });
  });

  describe('Resources: Participant object', () => {
    it.each(PARTICIPANT_FIELDS)('%s | not required', async (name, value, wrongType) => {
      for (const side of ['origin', 'destination']) {
        await api.ingest(aMinimalTransaction({ [side]: { [name]: value } })).expect(202);
        const refused = await api.ingest(aMinimalTransaction({ [side]: { [name]: wrongType } }));
        expect(detailsOf(expectError(refused, 400, 'VALIDATION_FAILED'))).toEqual([
          `${side}.${name} TYPE_INVALID`,
        ]);
      }
    });

    it('accepts the alphanumeric CNPJ and refuses one whose check digits are wrong', async () => {
      await api.ingest(aMinimalTransaction({ destination: { cpfCnpj: '12.ABC.345/01DE-35' } })).expect(202);
      const refused = await api.ingest(
        aMinimalTransaction({ destination: { cpfCnpj: '12.ABC.345/01DE-36' } }),
      );
      expect(detailsOf(expectError(refused, 400, 'VALIDATION_FAILED'))).toEqual([
        'destination.cpfCnpj TAX_ID_INVALID',
      ]);
    });
  });

  describe('Resources: ingest response envelope', () => {
    it('a new submission has exactly the fields of the specification, no more', async () => {
      const body = aMinimalTransaction();
      const response = await api.ingest(body).expect(202);
      expect(response.body).toEqual({
        data: {
          transactionId: body.transactionId,
          status: 'QUEUED',
          accepted: true,
          duplicate: false,
          requestId: response.headers['x-request-id'],
          correlationId: response.headers['x-correlation-id'],
        },
        error: null,
      });
    });

    it('data | object or null, error | object or null: null on success', async () => {
      const accepted = await api.ingest(aMinimalTransaction());
      const refused = await api.ingest({});
      expect([keysOf(accepted.body), accepted.body.error]).toEqual([['data', 'error'], null]);
      expect([keysOf(refused.body), refused.body.data]).toEqual([['data', 'error'], null]);
    });
  });

  describe('1. POST /kyt/transactions/ingest', () => {
    it('Rule 1: "A new submission returns 202 Accepted with data.status QUEUED, accepted true, duplicate false"', async () => {
      const response = await api.ingest(aTransaction()).expect(202);
      expect(response.body.data).toMatchObject({ status: 'QUEUED', accepted: true, duplicate: false });
    });

    it('Rule 2: "Re-sending the same transactionId can return 200 OK with duplicate true"', async () => {
      const body = aTransaction();
      const first = await api.ingest(body).expect(202);
      await api.settled(body.transactionId);
      const again = await api.ingest(body).expect(200);
      expect(again.body).toEqual({
        data: {
          transactionId: body.transactionId,
          status: 'COMPLETED',
          accepted: true,
          duplicate: true,
          requestId: again.headers['x-request-id'],
          correlationId: again.headers['x-correlation-id'],
          originalRequestId: first.body.data.requestId,
        },
        error: null,
      });
      expect(again.body.data.requestId).not.toBe(first.body.data.requestId);
    });

    it.each<[string, (body: Record<string, unknown>) => unknown]>([
      ['other metadata', (body) => ({ ...body, metadata: { attempt: 2 } })],
      ['its fields in another order', (body) => Object.fromEntries(Object.entries(body).reverse())],
      ['the amount written another way', (body) => JSON.stringify(body).replace('120.5', '1.2050e2')],
    ])('Rule 2: a retry with %s is the same submission', async (_how, retried) => {
      const body = aTransaction();
      await api.ingest(body).expect(202);
      const { data } = (await api.ingest(retried(body) as object).expect(200)).body;
      expect(data.duplicate).toBe(true);
    });

    it.each<[string, Record<string, unknown>]>([
      ['null for a field left out', { origin: { ...SPELT.origin, bankReference: null, metadata: null } }],
      ['+00:00 for Z', { occurredAt: '2026-11-20T15:34:56.000+00:00' }],
      ['another offset', { occurredAt: '2026-11-20T12:34:56-03:00' }],
      ['a CPF without dots', { cpfCnpj: CPF.customer }],
      ['NFD for NFC', JSON.parse(JSON.stringify(SPELT).normalize('NFD')) as Record<string, unknown>],
      [
        'an account and a wallet spelt otherwise',
        {
          destination: {
            ...SPELT.destination,
            accountReference: '0001 / 12.345-6',
            walletReference: SPELT.destination.walletReference.toLowerCase(),
          },
        },
      ],
    ])('Rule 2: a retry with %s is the same submission', async (_how, change) => {
      const body = aTransaction(SPELT);
      await api.ingest(body).expect(202);
      const { data } = (await api.ingest({ ...body, ...change }).expect(200)).body;
      expect(data.duplicate).toBe(true);
      const conflict = expectError(
        await api.ingest({ ...body, ...change, amount: 1 }),
        409,
        'TRANSACTION_ID_CONFLICT',
      );
      expect(detailsOf(conflict)).toEqual(['amount DIFFERS', 'transactionId ALREADY_USED']);
    });

    it('Rule 2: a fingerprint of the first version is compared as it was made', async () => {
      const body = aTransaction(SPELT);
      await api.ingest(body).expect(202);
      const first = sha256(canonicalJsonWithout('metadata', body));
      await api.settled(body.transactionId);
      const change = 'UPDATE kyt_transactions SET fingerprint = $1 WHERE transaction_id = $2';
      await behindItsBack(t, 'kyt_transactions', change, [first, body.transactionId]);
      await api.ingest({ ...body, metadata: { attempt: 2 } }).expect(200);
      await api.ingest({ ...body, cpfCnpj: CPF.customer }).expect(409);
    });

    it.each<[string, Record<string, unknown>, string[]]>([
      ['amount', { amount: 120.51 }, ['amount']],
      ['currency', { currency: 'USD' }, ['currency']],
      [
        'a name',
        { origin: { name: 'Maria Exemplo Silva', cpfCnpj: CPF.customer, country: 'BR' } },
        ['origin.name', 'origin.cpfCnpj'],
      ],
      [
        'a participant that is gone',
        { destination: {} },
        ['name', 'cpfCnpj', 'accountReference', 'country'].map((name) => `destination.${name}`),
      ],
      ['the customer', { externalCustomerId: null }, ['externalCustomerId']],
    ])(
      'Rule 2: the same transactionId with %s changed is 409, and the first submission stays',
      async (_what, change, paths) => {
        const body = aTransaction();
        await api.ingest(body).expect(202);
        const before = await api.settled(body.transactionId);
        const conflict = expectError(
          await api.ingest({ ...body, ...change }),
          409,
          'TRANSACTION_ID_CONFLICT',
        );
        const differing = paths.map((path) => `${path} DIFFERS`);
        expect(detailsOf(conflict)).toEqual(['transactionId ALREADY_USED', ...differing].sort());
        expect(JSON.stringify(conflict.details)).not.toMatch(/Exemplo|\d/);
        expect(await api.settled(body.transactionId)).toEqual(before);
        await api.ingest(body).expect(200);
      },
    );

    it('Rule 2: a conflict is recorded in the audit trail of the application', async () => {
      const body = aTransaction();
      await api.ingest(body).expect(202);
      const refused = await api.ingest({ ...body, amount: 1 }).expect(409);
      const entries = `SELECT count(*)::int AS count FROM audit_entries WHERE subject_id = $1
      AND action = 'transaction.conflict_refused' AND position($2::bytea IN canonical) > 0`;
      expect(await count(entries, [client.id, Buffer.from(String(refused.headers['x-request-id']))])).toBe(1);
      const { organisationId, id } = client;
      expect(
        await t.app.get(AuditTrail).trailStatus({ organisationId, type: 'client_app', id }),
      ).toMatchObject({ status: 'COMPLETE', gaps: [] });
    });

    it('Rule 2: 64 conflicts at once are 64 x 409, each in the trail of the application', async () => {
      const body = aTransaction();
      await api.ingest(body).expect(202);
      const recorded = `SELECT count(*)::int AS count FROM audit_entries WHERE subject_id = $1
      AND action = 'transaction.conflict_refused'`;
      const before = await count(recorded, [client.id]);
      const answers = await Promise.all(
        Array.from({ length: 64 }, (_, i) => api.ingest({ ...body, amount: i + 1_000 })),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([409]));
      expect((await count(recorded, [client.id])) - before).toBe(64);
    });

    it('Rule 2: 1,000 re-sends at once make one evaluation: 1 x 202, 999 x 200', async () => {
      const body = aTransaction();
      const agent = new Agent({ keepAlive: true, maxSockets: 400 }); // the backlog of a listener is 511
      const headers = {
        'content-type': 'application/json',
        'x-client-id': client.clientId,
        'x-client-secret': client.clientSecret,
      };
      const url = `${t.url}/kyt/transactions/ingest`;
      const once = (): Promise<Answer> => send(url, { headers, agent, body: JSON.stringify(body) });
      const answers = await Promise.all(Array.from({ length: 1_000 }, once));
      agent.destroy();

      const statuses = answers.map((answer) => answer.status);
      const accepted = answers.filter((answer) => answer.status === 202);
      const named = answers.map((answer) => (answer.body as { data: Record<string, unknown> }).data);
      expect([statuses.filter((s) => s === 202).length, statuses.filter((s) => s === 200).length]).toEqual([
        1, 999,
      ]);
      expect(new Set(named.map((data) => data['originalRequestId']))).toEqual(
        new Set([undefined, accepted[0]?.headers['x-request-id']]),
      );

      await api.settled(body.transactionId);
      const { rows } = await t.owner.query<{ id: string }>(
        'SELECT id FROM kyt_transactions WHERE transaction_id = $1',
        [body.transactionId],
      );
      expect(rows).toHaveLength(1);
      const id = rows[0]?.id;
      expect({
        evaluations: await count(
          'SELECT count(*)::int AS count FROM kyt_evaluations WHERE transaction_ref = $1',
          [id],
        ),
        events: await count('SELECT count(*)::int AS count FROM events WHERE resource_id = $1', [id]),
        entries: await count('SELECT count(*)::int AS count FROM audit_entries WHERE subject_id = $1', [id]),
      }).toEqual({ evaluations: 1, events: 2, entries: 2 });
    });

    it('Rule 2: two applications may use the same transactionId', async () => {
      const other = await t.client();
      const body = aTransaction();
      await api.ingest(body).expect(202);
      await t.api
        .as(other)
        .ingest({ ...body, amount: 7 })
        .expect(202);
    });

    it('Rule 3: "The response confirms receipt only"', async () => {
      const { data } = (await api.ingest(aTransaction()).expect(202)).body;
      expect(keysOf(data)).not.toEqual(expect.arrayContaining(['outcome']));
      expect(keysOf(data)).not.toEqual(expect.arrayContaining(['riskScore']));
    });

    it('Rule 4: "Required fields: transactionId, type, channel, amount, currency, occurredAt, origin, destination" are enough', async () => {
      const body = aMinimalTransaction();
      expect(keysOf(body)).toEqual(
        [
          'transactionId',
          'type',
          'channel',
          'amount',
          'currency',
          'occurredAt',
          'origin',
          'destination',
        ].sort(),
      );
      await api.ingest(body).expect(202);
    });
  });

  describe('1. POST /kyt/transactions/ingest: headers', () => {
    it('"x-request-id, x-correlation-id (send when available)" come back, in the answer and in the transaction', async () => {
      const body = aTransaction();
      const ids = { 'x-request-id': 'integrator:req.1-A_b', 'x-correlation-id': 'order-4711' };
      const response = await api.ingest(body).set(ids).expect(202);
      expect(response.headers).toMatchObject(ids);
      expect(response.body.data).toMatchObject({
        requestId: 'integrator:req.1-A_b',
        correlationId: 'order-4711',
      });
      const { data } = (await api.transaction(body.transactionId).expect(200)).body;
      expect(data).toMatchObject({ requestId: 'integrator:req.1-A_b', correlationId: 'order-4711' });
    });

    it('without them the service makes its own, and the correlation id is the request id', async () => {
      const { data } = (await api.ingest(aTransaction()).expect(202)).body;
      expect(data.requestId).toMatch(/^req_[0-9a-f]{32}$/);
      expect(data.correlationId).toBe(data.requestId);
    });

    it.each([
      ['too long', 'a'.repeat(129)],
      ['with a space', 'a b'],
      ['with a line of a log in it', 'x"level":"fatal'],
      ['empty', ''],
      ['that is a CPF', CPF.customer],
      ['that holds a CPF', 'order:529.982.247-25'],
      ['that holds a CNPJ', 'pedido_11222333000181'],
      ['that is a client secret', `vsk_${'a'.repeat(43)}`],
    ])('an identifier %s is replaced', async (_how, value) => {
      const response = await api
        .ingest(aTransaction())
        .set({ 'x-request-id': value, 'x-correlation-id': value })
        .expect(202);
      expect(response.headers['x-request-id']).toMatch(/^req_[0-9a-f]{32}$/);
      expect(response.headers['x-correlation-id']).toBe(response.headers['x-request-id']);
    });

    it('the longest identifier is kept', async () => {
      const id = 'a'.repeat(128);
      const response = await api.ingest(aTransaction()).set('x-request-id', id).expect(202);
      expect(response.body.data.requestId).toBe(id);
    });

    it('traceparent is kept with the transaction when it is one, else left out', async () => {
      const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
      const [traced, garbage] = [aTransaction(), aTransaction()];
      await api.ingest(traced).set('traceparent', traceparent).expect(202);
      await api.ingest(garbage).set('traceparent', '00-zz-yy-01').expect(202);
      const { rows } = await t.owner.query(
        'SELECT traceparent FROM kyt_transactions WHERE transaction_id = ANY($1) ORDER BY seq',
        [[traced.transactionId, garbage.transactionId]],
      );
      expect(rows).toEqual([{ traceparent }, { traceparent: null }]);
    });

    it('X-API-Version is echoed, and need not be sent', async () => {
      const asked = await api.ingest(aTransaction()).set('x-api-version', '2026-11-01').expect(202);
      const silent = await api.ingest(aTransaction()).expect(202);
      expect([asked, silent].map((response) => response.headers['x-api-version'])).toEqual([
        '2026-11-01',
        '2026-11-01',
      ]);
    });

    it('Content-Type: application/json may name UTF-8', async () => {
      for (const type of [
        'application/json',
        'application/json; charset=utf-8',
        'Application/JSON;charset="UTF-8"',
      ]) {
        await api
          .post('/kyt/transactions/ingest')
          .set('content-type', type)
          .send(JSON.stringify(aTransaction()))
          .expect(202);
      }
    });
  });
});
