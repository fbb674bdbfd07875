import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { receiptText } from '../../src/features/kyt/domain/stored/stored-packing.js';
import { createHash } from 'node:crypto';
import { RulesetsService } from '../../src/features/rules/index.js';
import { brFirst } from '../support/br-first.js';
import type { TestApi, TestClient, TransactionAnswer } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aMinimalTransaction, aTransaction, CPF } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { storedEvents } from '../support/stored-events.js';

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

async function evaluated(
  body: Record<string, unknown> & { transactionId: string },
  as = api,
): Promise<TransactionAnswer> {
  await as.ingest(body).expect(202);
  return as.settled(body.transactionId);
}

describe('What the service does: "A numeric risk score is not always a final approval signal"', () => {
  it('a complete transaction is APPROVED and defensible', async () => {
    expect(await evaluated(aTransaction())).toMatchObject({
      status: 'COMPLETED',
      outcome: 'APPROVED',
      riskScore: 0,
      riskLevel: 'LOW',
      composition: 'COMPLETE',
      defensible: true,
      nonDefensibleReasons: [],
      reviewRequired: false,
    });
  });

  it('"Partial score composition: informational only and not defensible": a masked CPF is PARTIAL and REVIEW', async () => {
    expect(await evaluated(aTransaction({ cpfCnpj: '***.982.247-**' }))).toMatchObject({
      outcome: 'REVIEW',
      composition: 'PARTIAL',
      defensible: false,
      nonDefensibleReasons: ['IDENTITY_PARTIAL'],
      components: { IDENTITY: { state: 'PARTIAL', reason: 'DOCUMENT_MASKED' } },
      reviewRequired: true,
      riskScore: 0,
    });
  });

  it('"lacks evidence": without any customer, VELOCITY and IDENTITY are MISSING_INPUT, never zero', async () => {
    const result = await evaluated(aMinimalTransaction());
    expect(result).toMatchObject({
      outcome: 'REVIEW',
      composition: 'PARTIAL',
      defensible: false,
      components: {
        IDENTITY: { state: 'MISSING_INPUT', reason: 'NO_CUSTOMER_ID_AND_NO_DOCUMENT' },
        VELOCITY: { state: 'MISSING_INPUT', reason: 'NO_CUSTOMER_KEY' },
        COUNTERPARTY: { state: 'MISSING_INPUT', reason: 'COUNTERPARTY_NOT_IDENTIFIED' },
        RULES: { state: 'PARTIAL', reason: 'BR-VEL-01:NO_CUSTOMER_KEY' },
      },
    });
    expect([...result.nonDefensibleReasons].sort()).toEqual([
      'IDENTITY_MISSING_INPUT',
      'RULES_PARTIAL',
      'VELOCITY_MISSING_INPUT',
    ]);
  });

  it('a component that is not required is recorded and does not make the composition partial', async () => {
    expect(await evaluated(aTransaction({ destination: {} }))).toMatchObject({
      outcome: 'APPROVED',
      composition: 'COMPLETE',
      components: { COUNTERPARTY: { state: 'MISSING_INPUT', reason: 'COUNTERPARTY_NOT_IDENTIFIED' } },
    });
  });

  it('an amount in euro without a rate is never compared with reais: FX and RULES are not whole, whatever the amount', async () => {
    for (const amount of [1, 60_000]) {
      expect(await evaluated(aTransaction({ currency: 'EUR', amount }))).toMatchObject({
        outcome: 'REVIEW',
        composition: 'PARTIAL',
        defensible: false,
        nonDefensibleReasons: ['RULES_PARTIAL', 'FX_MISSING_INPUT'],
        components: {
          RULES: { state: 'PARTIAL', reason: 'BR-AMOUNT-01:FX_RATE_MISSING' },
          FX: { state: 'MISSING_INPUT', reason: 'FX_RATE_MISSING' },
        },
        riskScore: 0,
      });
    }
  });

  it('"inconsistent": a customer who is neither party is INCONSISTENT and REVIEW', async () => {
    const body = aTransaction({
      origin: { cpfCnpj: CPF.payee, country: 'BR' },
      destination: { cpfCnpj: '11222333000181', country: 'BR' },
    });
    expect(await evaluated(body)).toMatchObject({
      outcome: 'REVIEW',
      composition: 'INCONSISTENT',
      defensible: false,
      nonDefensibleReasons: ['CONTRADICTION_CUSTOMER_IS_NEITHER_PARTY'],
    });
  });

  it('"missing": without a published ruleset there is no score at all: MISSING, riskScore null, REVIEW', async () => {
    const bare = t.api.as(await t.client({ rules: false }));
    expect(await evaluated(aTransaction(), bare)).toMatchObject({
      outcome: 'REVIEW',
      composition: 'MISSING',
      riskScore: null,
      riskLevel: null,
      defensible: false,
      nonDefensibleReasons: ['RULES_ERROR'],
      rulesetVersion: null,
      components: { RULES: { state: 'ERROR', reason: 'NO_PUBLISHED_RULESET' } },
    });
  });

  it('a ruleset that is published later judges the next transactions, and the earlier result stays', async () => {
    const late = await t.client({ rules: false });
    const as = t.api.as(late);
    const before = aTransaction();
    await evaluated(before, as);
    await t.app.get(RulesetsService).publish(late.organisationId, brFirst, 'test');
    await eventually(
      'the new ruleset is in use',
      async () => (await evaluated(aTransaction(), as)).composition === 'COMPLETE',
    );
    expect(await as.settled(before.transactionId)).toMatchObject({ composition: 'MISSING', riskScore: null });
  });
});

describe('Outcome REVIEW: "A compliance analyst must review the customer, transaction or evidence"', () => {
  it('50,000 reais are worth 60 points and a review; a cent less is not', async () => {
    expect(await evaluated(aTransaction({ amount: 50_000 }))).toMatchObject({
      outcome: 'REVIEW',
      riskScore: 60,
      riskLevel: 'HIGH',
      composition: 'COMPLETE',
      defensible: true,
      reviewRequired: true,
      reasons: [
        {
          ruleId: 'BR-AMOUNT-01',
          version: 1,
          points: 60,
          observed: 'amountBrl = BRL 50,000.00',
          threshold: 'limit = BRL 50,000.00',
          window: null,
          saturated: false,
          message: { 'pt-BR': expect.any(String), en: expect.any(String) },
          legalBasis: [{ norm: 'BCB Circular 3.978/2020', item: 'art. 39', siscoafCode: null }],
        },
      ],
    });
    expect(await evaluated(aTransaction({ amount: 49_999.99 }))).toMatchObject({
      outcome: 'APPROVED',
      riskScore: 0,
    });
  });

  it('a participant in a jurisdiction under a call for action: HOLD', async () => {
    const destination = { cpfCnpj: CPF.payee, country: 'KP' };
    expect(await evaluated(aTransaction({ destination }))).toMatchObject({
      outcome: 'REVIEW',
      recommendedAction: 'HOLD',
      riskScore: 60,
      components: { COUNTERPARTY: { state: 'HIT', points: 60 } },
      reasons: [{ ruleId: 'BR-GEO-01', observed: 'countries = BR; KP' }],
    });
  });

  it('two rules add up, at most to 100', async () => {
    const body = aTransaction({ amount: 80_000, destination: { cpfCnpj: CPF.payee, country: 'IR' } });
    const result = await evaluated(body);
    expect(result).toMatchObject({ riskScore: 100, riskLevel: 'CRITICAL', recommendedAction: 'HOLD' });
    expect(result.reasons.map(({ ruleId }) => ruleId).sort()).toEqual(['BR-AMOUNT-01', 'BR-GEO-01']);
  });

  it('the thirtieth transaction of a customer in 24 hours hits velocity, the twenty-ninth does not', async () => {
    const externalCustomerId = 'busy-customer';
    const batch = Array.from({ length: 29 }, () => aTransaction({ externalCustomerId }));
    await api.ingestBatch(batch).expect(207);
    const thirtieth = await evaluated(aTransaction({ externalCustomerId }));
    expect(thirtieth).toMatchObject({
      outcome: 'APPROVED',
      riskScore: 30,
      riskLevel: 'MEDIUM',
      components: { VELOCITY: { state: 'HIT', points: 30 } },
      reasons: [
        {
          ruleId: 'BR-VEL-01',
          observed: 'outgoing.count24h = 30, incoming.count24h = 0',
          threshold: 'count = 30',
          window: '24h',
        },
      ],
    });
    const earlier = await Promise.all(batch.map((body) => api.settled(body.transactionId)));
    expect(earlier.map(({ riskScore }) => riskScore)).toEqual(Array<number>(29).fill(0));
  });

  it('velocity counts the 24 hours before the transaction occurred, in whatever order they arrive', async () => {
    const externalCustomerId = 'unordered-customer';
    const noon = Date.parse('2026-11-10T12:00:00Z');
    const at = (hours: number): string => new Date(noon + hours * 3_600_000).toISOString();
    const within = Array.from({ length: 29 }, (_, i) =>
      aTransaction({ externalCustomerId, occurredAt: at(-i / 2) }),
    );
    const outside = [
      aTransaction({ externalCustomerId, occurredAt: at(-24) }),
      aTransaction({ externalCustomerId, occurredAt: at(1) }),
    ];
    const [first, ...rest] = within;
    await api.ingestBatch([...outside, ...rest]).expect(207);
    expect(await evaluated(first!)).toMatchObject({ riskScore: 0, reasons: [] });
    const last = await evaluated(aTransaction({ externalCustomerId, occurredAt: at(0) }));
    expect(last.reasons).toMatchObject([
      { ruleId: 'BR-VEL-01', observed: 'outgoing.count24h = 30, incoming.count24h = 0' },
    ]);
  });

  it('velocity of one organisation does not count for another', async () => {
    const externalCustomerId = 'shared-name';
    await api.ingestBatch(Array.from({ length: 30 }, () => aTransaction({ externalCustomerId }))).expect(207);
    const other = t.api.as(await t.client());
    expect(await evaluated(aTransaction({ externalCustomerId }), other)).toMatchObject({ riskScore: 0 });
  });
});

describe('Direction', () => {
  it.each<[string, Record<string, unknown>, [string | null, string], string]>([
    ['metadata says so', { metadata: { direction: 'IN' } }, ['IN', 'METADATA'], 'NO_HIT'],
    ['the documents tell', {}, ['OUT', 'DOCUMENTS'], 'NO_HIT'],
    [
      'the documents tell the other way',
      { origin: { cpfCnpj: CPF.payee }, destination: { cpfCnpj: CPF.customer } },
      ['IN', 'DOCUMENTS'],
      'NO_HIT',
    ],
    ['the type assumes', { cpfCnpj: null, origin: {} }, ['OUT', 'TYPE_DEFAULT'], 'PARTIAL'],
    ['nobody knows', { type: 'PIX_REFUND', cpfCnpj: null, origin: {} }, [null, 'UNKNOWN'], 'MISSING_INPUT'],
  ])('%s', async (_how, fields, direction, counterparty) => {
    const body = aTransaction(fields);
    const result = await evaluated(body);
    const { rows } = await t.owner.query(
      'SELECT direction, direction_source FROM kyt_transactions WHERE transaction_id = $1',
      [body.transactionId],
    );
    expect(rows).toEqual([{ direction: direction[0], direction_source: direction[1] }]);
    expect(result.components?.['COUNTERPARTY']?.state).toBe(counterparty);
  });
});

describe('Decision receipt', () => {
  it('holds what was read and decided, under its hash, and nothing of the person', async () => {
    const body = aTransaction({ amount: 70_000 });
    const result = await evaluated(body);
    const { rows } = await t.owner.query<{ receipt: Buffer }>(
      `SELECT e.receipt FROM kyt_evaluations e JOIN kyt_transactions t ON t.id = e.transaction_ref WHERE t.transaction_id = $1`,
      [body.transactionId],
    );
    const receipt = receiptText(rows[0]!.receipt);
    expect(createHash('sha256').update(receipt).digest('hex')).toBe(result.receiptHash);
    expect(JSON.parse(receipt)).toMatchObject({
      formula: 5,
      inputHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      factsHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      ruleCount: 3,
      ruleset: { key: 'br-first', version: 1, contentHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      verdicts: [
        {
          ruleId: 'BR-AMOUNT-01',
          result: 'HIT',
          effect: 'COUNTED',
          points: 60,
          explanation: [
            {
              expr: 'amountBrl >= param.limit',
              result: 'TRUE',
              values: { amountBrl: 70_000, 'param.limit': 50_000 },
            },
          ],
        },
      ],
      required: ['IDENTITY', 'VELOCITY', 'RULES'],
      score: 60,
      trail: { seq: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(receipt).not.toMatch(/Exemplo|5299822|1114447|customer-|device-1|203\.0\.113/);
  });
});

describe('GET /metrics', () => {
  /** The samples of the text format by their line up to the value. */
  async function samples(): Promise<Map<string, number>> {
    const response = await t.api.get('/metrics').expect(200);
    expect(response.headers['content-type']).toMatch(/^text\/plain/);
    const lines = response.text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(
      lines.map((line) => [
        line.slice(0, line.lastIndexOf(' ')),
        Number(line.slice(line.lastIndexOf(' ') + 1)),
      ]),
    );
  }

  const moved = (before: Map<string, number>, after: Map<string, number>, name: string): number =>
    (after.get(name) ?? 0) - (before.get(name) ?? 0);

  it('every metric has a name of its own, a help text and a type', async () => {
    const { text } = await t.api.get('/metrics').expect(200);
    const names = [...text.matchAll(/^# TYPE (\S+) (counter|gauge|histogram)$/gm)].map(([, name]) => name);
    const helped = [...text.matchAll(/^# HELP (\S+) .{10,}$/gm)].map(([, name]) => name);
    expect(helped.sort()).toEqual([...names].sort());
    expect(names).toEqual(
      expect.arrayContaining([
        'vigia_http_request_duration_seconds',
        'vigia_kyt_accepted_total',
        'vigia_kyt_duplicates_total',
        'vigia_kyt_conflicts_total',
        'vigia_kyt_overloaded_total',
        'vigia_kyt_ingest_batch_rows',
        'vigia_kyt_completed_total',
        'vigia_kyt_dead_lettered_total',
        'vigia_kyt_retries_total',
        'vigia_kyt_fenced_total',
        'vigia_kyt_completion_seconds',
        'vigia_kyt_work',
        'vigia_kyt_oldest_queued_seconds',
        'vigia_outbox_relayed_total',
        'vigia_outbox_relay_failures_total',
        'vigia_queue_requeued_total',
        'vigia_webhook_attempts_total',
        'vigia_webhook_attempt_duration_seconds',
        'vigia_webhook_delivery_duration_seconds',
        'vigia_webhook_in_flight',
        'vigia_webhook_waiting',
      ]),
    );
  });

  it('they count what their names say', async () => {
    const before = await samples();
    const [approved, review] = [aTransaction(), aMinimalTransaction()];
    await evaluated(approved);
    await evaluated(review);
    await api.ingest(approved).expect(200);
    await api.ingest(approved).expect(200);
    await api.ingest({ ...approved, amount: 1 }).expect(409);
    const after = await eventually('both completions are counted', async () => {
      const now = await samples();
      return moved(before, now, 'vigia_kyt_completion_seconds_count') === 2 && now;
    });
    expect({
      accepted: moved(before, after, 'vigia_kyt_accepted_total'),
      duplicates: moved(before, after, 'vigia_kyt_duplicates_total'),
      conflicts: moved(before, after, 'vigia_kyt_conflicts_total'),
      approved: moved(before, after, 'vigia_kyt_completed_total{outcome="APPROVED",defensible="true"}'),
      review: moved(before, after, 'vigia_kyt_completed_total{outcome="REVIEW",defensible="false"}'),
      // Two new ones, two duplicates and a conflict: five rows in at most five flushes.
      rows: moved(before, after, 'vigia_kyt_ingest_batch_rows_sum'),
      posts: moved(
        before,
        after,
        'vigia_http_request_duration_seconds_count{method="POST",route="/kyt/transactions/ingest",status="202"}',
      ),
      queued: after.get('vigia_kyt_work{status="QUEUED"}'),
      dead: after.get('vigia_kyt_work{status="DEAD_LETTERED"}'),
    }).toEqual({
      accepted: 2,
      duplicates: 2,
      conflicts: 1,
      approved: 1,
      review: 1,
      rows: 5,
      posts: 2,
      queued: 0,
      dead: 0,
    });
  });

  it('no label holds what a caller sent', async () => {
    await t.api.get('/client-apps/public/CANARY-app').expect(404);
    await t.api.get('/CANARY/path?CANARY=1').expect(404);
    await api.transaction('CANARY-transaction').expect(404);
    const { text } = await t.api.get('/metrics').expect(200);
    expect(text).not.toMatch(/CANARY|app-/);
    expect(text).toContain('route="/kyt/transactions/:transactionId"');
    expect(text).toContain('route="unmatched"');
  });
});

describe('Health', () => {
  it('live and ready say so', async () => {
    const { rows: found } = await t.owner.query('SELECT subject_type, status, gaps FROM audit_findings');
    expect(found).toEqual([]);
    // Entries that waited in the copied database are sealed first; until the next look the log is said to wait.
    await eventually('nothing is degraded', async () => {
      const { degraded } = (await t.api.get('/health/ready').expect(200)).body as { degraded: string[] };
      return degraded.length === 0;
    });
    for (const path of ['/health/live', '/health/ready']) {
      const { body } = await t.api.get(path).expect(200);
      expect(body).toEqual({ status: 'ok', degraded: [], unavailable: [] });
    }
  });
});

it('every event that these tests stored is as its document says, to the last member', async () => {
  const { types, violations } = await storedEvents(t);
  expect(violations).toEqual([]);
  expect(types.get('kyt.transaction.pipeline.completed')).toBeGreaterThan(0);
});
