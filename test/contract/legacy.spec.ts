import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BodyEncryption } from '../../src/features/kyt/ingest/body-encryption.js';
import { RulesetsService } from '../../src/features/rules/index.js';
import { brFirst } from '../support/br-first.js';
import { detailsOf, expectError } from '../support/answers.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aMinimalTransaction, CPF, without } from '../support/builders.js';

let t: TestApp;
let client: TestClient;
let api: TestApi;

beforeAll(async () => {
  t = await startTestApp();
  client = await t.client();
  api = t.api.as(client);
});

afterAll(async () => {
  await t.close();
});

let made = 0;
const aLegacyTransaction = (
  fields: Record<string, unknown> = {},
): Record<string, unknown> & { transactionId: string } => {
  made += 1;
  return {
    transactionId: `legacy-${made}`,
    customer: { id: `customer-${made}`, name: 'Maria Exemplo', document: CPF.customer },
    amount: 120.5,
    ...fields,
  };
};

interface Stored {
  readonly id: string;
  readonly organisation_id: string;
  readonly sealed_body: Buffer;
  readonly source: string;
  readonly type: string;
  readonly channel: string;
  readonly amount: string;
  readonly currency: string;
  readonly direction: string | null;
  readonly direction_source: string;
  readonly occurred_at: Date;
  readonly received_at: Date;
  readonly document_key: Buffer | null;
  readonly customer_key: Buffer | null;
  readonly external_key: Buffer | null;
  readonly device_key: Buffer | null;
  readonly ip_key: Buffer | null;
}

async function storedAs(transactionId: string): Promise<Stored> {
  const { rows } = await t.owner.query<Stored>(
    'SELECT * FROM kyt_transactions WHERE client_app_id = $1 AND transaction_id = $2',
    [client.id, transactionId],
  );
  expect(rows).toHaveLength(1);
  return rows[0]!;
}

/** Submits through the legacy contract and returns the row that came of it. */
async function submitted(fields: Record<string, unknown> = {}): Promise<Stored> {
  const body = aLegacyTransaction(fields);
  await api.legacy(body).expect(202);
  return storedAs(body.transactionId);
}

describe('2. POST /transactions (legacy)', () => {
  it('answers with the envelope and the status of ingest', async () => {
    const body = aLegacyTransaction();
    const response = await api.legacy(body).expect(202);
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

  it('"new integrations use endpoint 1": Deprecation and a Link to the successor, and no Sunset', async () => {
    const { headers } = await api.legacy(aLegacyTransaction()).expect(202);
    expect(headers).toMatchObject({
      deprecation: '@1793491200',
      link: '</kyt/transactions/ingest>; rel="successor-version"',
    });
    expect(headers).not.toHaveProperty('sunset');
  });

  it('is evaluated by the same pipeline: what it cannot say costs the defence, as in ingest', async () => {
    const body = aLegacyTransaction();
    await api.legacy(body).expect(202);
    expect(await api.settled(body.transactionId)).toMatchObject({
      status: 'COMPLETED',
      outcome: 'REVIEW',
      composition: 'PARTIAL',
      nonDefensibleReasons: ['RULES_PARTIAL'],
      notEvaluated: [{ ruleId: 'BR-GEO-01', missing: ['countries'] }],
      // It tells neither the direction nor the other side; the components that the ruleset needs are there.
      components: {
        IDENTITY: { state: 'NO_HIT' },
        VELOCITY: { state: 'NO_HIT' },
        COUNTERPARTY: { state: 'MISSING_INPUT', reason: 'DIRECTION_UNKNOWN' },
      },
    });
  });

  it('is approved under rules that ask for no more than it can say', async () => {
    const own = await t.client({ rules: false });
    const rules = brFirst.rules.filter(({ key }) => key !== 'BR-GEO-01');
    await t.app.get(RulesetsService).publish(own.organisationId, { ...brFirst, rules }, 'test');
    const as = t.api.as(own);
    const body = aLegacyTransaction();
    await as.legacy(body).expect(202);
    expect(await as.settled(body.transactionId)).toMatchObject({
      outcome: 'APPROVED',
      composition: 'COMPLETE',
      defensible: true,
      components: { COUNTERPARTY: { state: 'MISSING_INPUT', reason: 'DIRECTION_UNKNOWN' } },
    });
  });

  it('needs the scope transactions:write, not kyt:ingest', async () => {
    const ingestOnly = await t.client({ scopes: ['kyt:ingest'] });
    expectError(await t.api.as(ingestOnly).legacy(aLegacyTransaction()), 403, 'SCOPE_INSUFFICIENT');
    const legacyOnly = await t.client({ scopes: ['transactions:write'] });
    await t.api.as(legacyOnly).legacy(aLegacyTransaction()).expect(202);
    expectError(await t.api.as(legacyOnly).ingest(aMinimalTransaction()), 403, 'SCOPE_INSUFFICIENT');
  });
});

describe('the legacy mapping, field by field', () => {
  it('type: OTHER unless given', async () => {
    expect((await submitted()).type).toBe('OTHER');
    expect((await submitted({ type: 'CARD_PURCHASE' })).type).toBe('CARD_PURCHASE');
    expect((await submitted({ type: null })).type).toBe('OTHER');
  });

  it('type: an unknown one is accepted with the warning UNKNOWN_TYPE', async () => {
    const { data } = (await api.legacy(aLegacyTransaction({ type: 'BARTER' })).expect(202)).body;
    expect(data.warnings).toEqual(['UNKNOWN_TYPE']);
  });

  it('channel: API', async () => {
    expect((await submitted()).channel).toBe('API');
  });

  it('amount: exact', async () => {
    expect((await submitted({ amount: 0.1 })).amount).toBe('0.1');
  });

  it('currency: BRL unless given', async () => {
    expect((await submitted()).currency).toBe('BRL');
    expect((await submitted({ currency: 'USD' })).currency).toBe('USD');
    expect((await submitted({ currency: null })).currency).toBe('BRL');
  });

  it('occurredAt: the receipt, unless metadata.occurredAt', async () => {
    const { occurred_at, received_at } = await submitted();
    expect(occurred_at).toEqual(received_at);
    const told = await submitted({ metadata: { occurredAt: '2026-11-01T10:00:00-03:00' } });
    expect(told.occurred_at).toEqual(new Date('2026-11-01T13:00:00Z'));
  });

  it('occurredAt of long ago has the warning LATE_FOR_SELECTION', async () => {
    const body = aLegacyTransaction({ metadata: { occurredAt: '2020-01-01T00:00:00Z' } });
    expect((await api.legacy(body).expect(202)).body.data.warnings).toEqual(['LATE_FOR_SELECTION']);
  });

  it('customer.id and customer.document: the customer, as in ingest', async () => {
    const legacy = await submitted({ customer: { id: 'same-customer', document: CPF.customer } });
    const ingest = aMinimalTransaction({ externalCustomerId: 'same-customer', cpfCnpj: '529.982.247-25' });
    await api.ingest(ingest).expect(202);
    const modern = await storedAs(ingest.transactionId);
    expect(legacy.customer_key).toEqual(modern.customer_key);
    expect(legacy.document_key).toEqual(modern.document_key);
    expect(legacy.customer_key).not.toBeNull();
    expect(legacy.document_key).toEqual(legacy.customer_key);
    expect(legacy.external_key).toEqual(modern.external_key);
    expect(legacy.external_key).not.toEqual(legacy.customer_key);
  });

  it('customer.document alone identifies the customer', async () => {
    const [one, other] = [
      await submitted({ customer: { document: CPF.payee } }),
      await submitted({ customer: { document: CPF.payee } }),
    ];
    expect(one.customer_key).toEqual(other.customer_key);
    expect(one.customer_key).toEqual(one.document_key);
  });

  it('customer.document masked: identity PARTIAL, so REVIEW', async () => {
    const body = aLegacyTransaction({ customer: { document: '***.982.247-**' } });
    await api.legacy(body).expect(202);
    expect(await api.settled(body.transactionId)).toMatchObject({
      outcome: 'REVIEW',
      defensible: false,
      components: { IDENTITY: { state: 'PARTIAL', reason: 'DOCUMENT_MASKED' } },
    });
  });

  it('origin from the customer, destination {}: money that goes out goes to nobody known', async () => {
    const body = aLegacyTransaction({ metadata: { direction: 'OUT' } });
    await api.legacy(body).expect(202);
    expect((await api.settled(body.transactionId)).components).toMatchObject({
      IDENTITY: { state: 'NO_HIT' },
      COUNTERPARTY: { state: 'MISSING_INPUT', reason: 'COUNTERPARTY_NOT_IDENTIFIED' },
    });
  });

  it('metadata.direction: as in ingest', async () => {
    for (const direction of ['IN', 'OUT']) {
      const row = await submitted({ metadata: { direction } });
      expect([row.direction, row.direction_source]).toEqual([direction, 'METADATA']);
    }
  });

  it('direction: from the type when it tells one', async () => {
    const row = await submitted({ type: 'CASH_DEPOSIT' });
    expect([row.direction, row.direction_source]).toEqual(['IN', 'TYPE_DEFAULT']);
    const other = await submitted();
    expect([other.direction, other.direction_source]).toEqual([null, 'UNKNOWN']);
  });

  it('metadata.deviceId and metadata.ipAddress: as in ingest', async () => {
    const metadata = { deviceId: 'device-9', ipAddress: '203.0.113.9' };
    const legacy = await submitted({ metadata });
    const ingest = aMinimalTransaction({ metadata });
    await api.ingest(ingest).expect(202);
    const modern = await storedAs(ingest.transactionId);
    expect([legacy.device_key, legacy.ip_key]).toEqual([modern.device_key, modern.ip_key]);
    expect(legacy.device_key).not.toBeNull();
  });

  it('the body is kept as it was submitted, and marked as LEGACY', async () => {
    const body = aLegacyTransaction({ metadata: { note: 'kept' } });
    await api.legacy(body).expect(202);
    const row = await storedAs(body.transactionId);
    const [opened] = await t.app
      .get(BodyEncryption)
      .openMany([{ transactionRef: row.id, organisationId: row.organisation_id, bytes: row.sealed_body }]);
    expect(row.source).toBe('LEGACY');
    expect(opened).toEqual({ kind: 'open', version: 1, body, erased: [] });
  });
});

describe('legacy idempotency', () => {
  it('by transactionId: the same content is a duplicate, other content a conflict', async () => {
    const body = aLegacyTransaction();
    await api.legacy(body).expect(202);
    const again = await api.legacy({ ...body, metadata: { attempt: 2 } }).expect(200);
    expect(again.body.data).toMatchObject({ duplicate: true });
    expectError(await api.legacy({ ...body, amount: 9 }), 409, 'TRANSACTION_ID_CONFLICT');
  });

  it('by Idempotency-Key when there is no transactionId: the key becomes the id', async () => {
    const body = without(aLegacyTransaction(), 'transactionId');
    const first = await api.legacy(body).set('idempotency-key', 'key:1').expect(202);
    const again = await api.legacy(body).set('idempotency-key', 'key:1').expect(200);
    const other = await api.legacy(body).set('idempotency-key', 'key:2').expect(202);
    const ids = [first, again, other].map((response) => response.body.data.transactionId as string);
    expect(ids).toEqual(['key:1', 'key:1', 'key:2']);
    expectError(
      await api.legacy({ ...body, amount: 9 }).set('idempotency-key', 'key:1'),
      409,
      'TRANSACTION_ID_CONFLICT',
    );
    expect(await api.settled('key:1')).toMatchObject({ transactionId: 'key:1', status: 'COMPLETED' });
  });

  it('the transactionId of the body wins over the key', async () => {
    const body = aLegacyTransaction();
    const { data } = (await api.legacy(body).set('idempotency-key', 'unused').expect(202)).body;
    expect(data.transactionId).toBe(body.transactionId);
  });

  it('with neither, a retry could not be told from a new transaction: 400', async () => {
    const body = without(aLegacyTransaction(), 'transactionId');
    expect(detailsOf(expectError(await api.legacy(body), 400, 'VALIDATION_FAILED'))).toEqual([
      'transactionId REQUIRED',
    ]);
  });

  it.each(['with space', 'x'.repeat(129), 'ação'.normalize('NFD').replace(/[^\x20-\x7e]/g, '/')])(
    'an Idempotency-Key %j that could be no transactionId: 400',
    async (key) => {
      const body = without(aLegacyTransaction(), 'transactionId');
      const error = expectError(await api.legacy(body).set('idempotency-key', key), 400, 'VALIDATION_FAILED');
      expect(detailsOf(error)).toEqual(['Idempotency-Key PATTERN_MISMATCH']);
    },
  );

  it('one id cannot be used through both contracts with different content', async () => {
    const body = aLegacyTransaction();
    await api.legacy(body).expect(202);
    expectError(
      await api.ingest(aMinimalTransaction({ transactionId: body.transactionId })),
      409,
      'TRANSACTION_ID_CONFLICT',
    );
  });
});

describe('legacy refusals', () => {
  it.each<[Record<string, unknown>, ...string[]]>([
    [{ customer: undefined }, 'customer REQUIRED'],
    [{ customer: null }, 'customer REQUIRED'],
    [{ customer: [] }, 'customer TYPE_INVALID'],
    [{ customer: { document: '52998224726' } }, 'customer.document TAX_ID_INVALID'],
    [{ customer: { cpf: CPF.customer } }, 'customer.cpf UNKNOWN_FIELD'],
    [{ customer: { id: 7 } }, 'customer.id TYPE_INVALID'],
    [{ amount: undefined }, 'amount REQUIRED'],
    [{ amount: 0 }, 'amount AMOUNT_NOT_POSITIVE'],
    [{ amount: 1.234 }, 'amount AMOUNT_TOO_PRECISE'],
    [{ amount: 1.5, currency: 'JPY' }, 'amount AMOUNT_TOO_PRECISE'],
    [{ currency: 'ZZZ' }, 'currency CURRENCY_UNKNOWN'],
    [{ transactionId: 'with space' }, 'transactionId PATTERN_MISMATCH'],
    [{ type: 'lower' }, 'type PATTERN_MISMATCH'],
    [{ metadata: { occurredAt: '2026-11-20' } }, 'metadata.occurredAt DATETIME_INVALID'],
    [{ metadata: { occurredAt: '9999-01-01T00:00:00Z' } }, 'metadata.occurredAt DATETIME_IN_FUTURE'],
    [{ origin: {}, channel: 'WEB' }, 'channel UNKNOWN_FIELD', 'origin UNKNOWN_FIELD'],
  ])('%j', async (fields, ...details) => {
    const answer = await api.legacy(aLegacyTransaction(fields));
    expect(detailsOf(expectError(answer, 400, 'VALIDATION_FAILED'))).toEqual(details.sort());
    expect(answer.text).not.toMatch(/5299822472/);
  });

  it('credentials, media type and JSON are judged as in ingest', async () => {
    expectError(await t.api.legacy(aLegacyTransaction()), 401, 'CREDENTIALS_MISSING');
    expectError(
      await api.post('/transactions').set('content-type', 'text/plain').send('{}'),
      415,
      'MEDIA_TYPE_UNSUPPORTED',
    );
    expectError(
      await api.post('/transactions').set('content-type', 'application/json').send('{'),
      400,
      'MALFORMED_JSON',
    );
  });
});
