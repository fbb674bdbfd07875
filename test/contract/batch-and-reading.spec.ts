import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Test as Call } from 'supertest';
import { detailsOf, expectError, type ErrorBody } from '../support/answers.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aMinimalTransaction, aTransaction } from '../support/builders.js';

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

interface Result {
  readonly index: number;
  readonly status: number;
  readonly data: {
    readonly transactionId: string;
    readonly duplicate: boolean;
    readonly status: string;
  } | null;
  readonly error: ErrorBody | null;
}
interface BatchAnswer {
  readonly summary: { readonly accepted: number; readonly duplicates: number; readonly failed: number };
  readonly results: readonly Result[];
}

const ndjson = (lines: readonly string[], as = api): Call =>
  as
    .post('/kyt/transactions/ingest/batch')
    .set('content-type', 'application/x-ndjson')
    .send(lines.join('\n'));

const asBatch = (response: { body: unknown }): BatchAnswer => (response.body as { data: BatchAnswer }).data;
const statusesOf = ({ results }: BatchAnswer): number[] => results.map(({ status }) => status);

/** A batch with one of each fate, and what is to become of its items. */
async function mixedItems(): Promise<{
  items: unknown[];
  statuses: number[];
  codes: (string | undefined)[];
}> {
  const earlier = aTransaction();
  await api.ingest(earlier).expect(202);
  return {
    items: [
      aTransaction(),
      aTransaction({ amount: -1 }),
      earlier,
      { ...earlier, amount: 7 },
      'no object',
      aMinimalTransaction(),
      { ...aMinimalTransaction(), surprise: 1 },
    ],
    statuses: [202, 400, 200, 409, 400, 202, 400],
    codes: [
      undefined,
      'VALIDATION_FAILED',
      undefined,
      'TRANSACTION_ID_CONFLICT',
      'VALIDATION_FAILED',
      undefined,
      'VALIDATION_FAILED',
    ],
  };
}

describe('POST /kyt/transactions/ingest/batch', () => {
  it('a JSON array: one result per item, in order, partial failures included', async () => {
    const { items, statuses, codes } = await mixedItems();
    const response = await api.ingestBatch(items).expect(207);
    const batch = asBatch(response);
    expect(statusesOf(batch)).toEqual(statuses);
    expect(batch.results.map(({ index }) => index)).toEqual(items.map((_, i) => i));
    expect(batch.results.map(({ error }) => error?.code)).toEqual(codes);
    expect(batch.summary).toEqual({ accepted: 2, duplicates: 1, failed: 4 });
    expect(response.body.error).toBeNull();
  });

  it('NDJSON: the same results', async () => {
    const { items, statuses, codes } = await mixedItems();
    const batch = asBatch(await ndjson(items.map((item) => JSON.stringify(item))).expect(207));
    expect(statusesOf(batch)).toEqual(statuses);
    expect(batch.results.map(({ error }) => error?.code)).toEqual(codes);
  });

  it('each result is what the item alone would have been answered with', async () => {
    const [good, bad] = [aTransaction(), aTransaction({ origin: null })];
    const batch = asBatch(await api.ingestBatch([good, bad]).set('x-correlation-id', 'batch-1').expect(207));
    const alone = await api.ingest(bad).set({ 'x-correlation-id': 'batch-1' }).expect(400);
    expect(batch.results[0]?.data).toEqual({
      transactionId: good.transactionId,
      status: 'QUEUED',
      accepted: true,
      duplicate: false,
      requestId: expect.any(String),
      correlationId: 'batch-1',
    });
    expect({ ...batch.results[1]?.error, requestId: null }).toEqual({ ...alone.body.error, requestId: null });
  });

  it('one broken line of NDJSON fails alone', async () => {
    const lines = [
      JSON.stringify(aTransaction()),
      '{"transactionId": "t-broken", ',
      '',
      '  \r',
      JSON.stringify(aTransaction()),
      '{"a":1e400}',
      '['.repeat(10_000),
      '',
    ];
    const batch = asBatch(await ndjson(lines).expect(207));
    expect(statusesOf(batch)).toEqual([202, 400, 202, 400, 400]);
    expect(batch.results.map(({ error }) => error?.code)).toEqual([
      undefined,
      'MALFORMED_JSON',
      undefined,
      'VALIDATION_FAILED',
      'VALIDATION_FAILED',
    ]);
  });

  it('1,000 items are accepted, every one of them evaluated', async () => {
    const items = Array.from({ length: 1_000 }, () => aMinimalTransaction());
    const batch = asBatch(await api.ingestBatch(items).expect(207));
    expect(batch.summary).toEqual({ accepted: 1_000, duplicates: 0, failed: 0 });
    expect(batch.results.map(({ data }) => data?.transactionId)).toEqual(
      items.map((item) => item.transactionId),
    );
    await Promise.all(items.filter((_, i) => i % 100 === 99).map((item) => api.settled(item.transactionId)));
    await api.settled(items[0]!.transactionId);
  });

  it.each<[string, (api: TestApi) => Call]>([
    ['1,001 items', (as) => as.ingestBatch(Array.from({ length: 1_001 }, () => ({})))],
    ['1,001 lines', (as) => ndjson(Array<string>(1_001).fill('{}'), as)],
  ])('%s: 400 TOO_MANY_ITEMS, and nothing is accepted', async (_what, send) => {
    expect(detailsOf(expectError(await send(api), 400, 'VALIDATION_FAILED'))).toEqual(['TOO_MANY_ITEMS']);
  });

  it.each<[string, (api: TestApi) => Call]>([
    ['an empty array', (as) => as.ingestBatch([])],
    ['no line at all', (as) => ndjson(['', ' ', '\r'], as)],
  ])('%s: 400 TOO_FEW_ITEMS', async (_what, send) => {
    expect(detailsOf(expectError(await send(api), 400, 'VALIDATION_FAILED'))).toEqual(['TOO_FEW_ITEMS']);
  });

  it.each(['{}', '"text"', 'null', '7'])('%s for a batch: 400 TYPE_INVALID', async (body) => {
    const answer = await api
      .post('/kyt/transactions/ingest/batch')
      .set('content-type', 'application/json')
      .send(body);
    expect(detailsOf(expectError(answer, 400, 'VALIDATION_FAILED'))).toEqual(['TYPE_INVALID']);
  });

  it('JSON that is broken anywhere refuses the whole array', async () => {
    const body = `[${JSON.stringify(aTransaction())},{]`;
    const answer = await api
      .post('/kyt/transactions/ingest/batch')
      .set('content-type', 'application/json')
      .send(body);
    expectError(answer, 400, 'MALFORMED_JSON');
  });

  it('of the same item twice, the first is new and the second its duplicate; with other content, a conflict', async () => {
    const [one, two] = [aTransaction(), aTransaction()];
    const batch = asBatch(await api.ingestBatch([one, two, one, { ...two, amount: 3 }, one]).expect(207));
    expect(statusesOf(batch)).toEqual([202, 202, 200, 409, 200]);
    expect(batch.results.map(({ data }) => data?.duplicate)).toEqual([false, false, true, undefined, true]);
    const { rows } = await t.owner.query(
      `SELECT count(*)::int AS stored, count(DISTINCT e.transaction_ref)::int AS evaluated FROM kyt_transactions t
       LEFT JOIN kyt_evaluations e ON e.transaction_ref = t.id WHERE t.transaction_id = ANY($1)`,
      [
        [
          (await api.settled(one.transactionId)).transactionId,
          (await api.settled(two.transactionId)).transactionId,
        ],
      ],
    );
    expect(rows).toEqual([{ stored: 2, evaluated: 2 }]);
  });

  it('the same batch again: every accepted item is a duplicate, so that a retry is safe', async () => {
    const items = Array.from({ length: 5 }, () => aTransaction());
    await api.ingestBatch(items).expect(207);
    expect(asBatch(await api.ingestBatch(items).expect(207)).summary).toEqual({
      accepted: 0,
      duplicates: 5,
      failed: 0,
    });
  });

  // Buckets are so large that a slow machine does not fill them again in between.
  const some = (count: number): object[] => Array.from({ length: count }, () => aMinimalTransaction());
  const broken = (count: number): object[] => Array.from({ length: count }, () => ({}));

  it('costs one token per item', async () => {
    const limited = t.api.as(await t.client({ perSecond: 1, burst: 400 }));
    const response = await limited.ingestBatch([...some(12), ...broken(300)]).expect(207);
    expect(response.headers).toMatchObject({ 'x-ratelimit-limit': '400', 'x-ratelimit-remaining': '88' });
    expectError(await limited.ingestBatch(broken(390)), 429, 'RATE_LIMITED');
  });

  it('larger than the burst passes a full bucket, and leaves a debt', async () => {
    const limited = t.api.as(await t.client({ perSecond: 1, burst: 10 }));
    const response = await limited.ingestBatch([...some(25), ...broken(375)]).expect(207);
    expect(asBatch(response).summary.accepted).toBe(25);
    expect(response.headers['x-ratelimit-remaining']).toBe('0');
    const refused = await limited.ingestBatch(some(1));
    expectError(refused, 429, 'RATE_LIMITED');
    // 400 tokens at one a second, of which the burst may be spent before they are there.
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(300);
  });

  it('larger than the burst is 429 when the bucket is not full', async () => {
    const limited = t.api.as(await t.client({ perSecond: 1, burst: 300 }));
    await limited.ingestBatch(broken(300)).expect(207);
    expectError(await limited.ingestBatch(broken(310)), 429, 'RATE_LIMITED');
  });
});

describe('GET /kyt/transactions/{transactionId}', () => {
  it('shows the whole result once there is one, and nothing of the person', async () => {
    const body = aTransaction();
    const { data } = (await api.ingest(body).expect(202)).body;
    const settled = await api.settled(body.transactionId);
    expect(settled).toEqual({
      transactionId: body.transactionId,
      status: 'COMPLETED',
      receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      occurredAt: body['occurredAt'],
      requestId: data.requestId,
      correlationId: data.correlationId,
      warnings: [],
      verdict: 'RELEASE',
      nextAction: null,
      outcome: 'APPROVED',
      recommendedAction: 'NONE',
      riskScore: 0,
      riskLevel: 'LOW',
      defensible: true,
      composition: 'COMPLETE',
      components: expect.objectContaining({ IDENTITY: expect.anything(), VELOCITY: expect.anything() }),
      notEvaluated: [],
      exempt: [],
      withoutInputs: [],
      nonDefensibleReasons: [],
      reasons: [],
      reviewRequired: false,
      reviewId: null,
      decision: null,
      requestedActions: [],
      groups: [],
      dampening: 0,
      flags: [],
      rulesetVersion: 'br-first@1',
      rulesetHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      evaluationVersion: 1,
      evaluatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      receiptHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(JSON.stringify(settled)).not.toMatch(/Exemplo|5299822|1114447/);
  });

  it('before the evaluation its fields are null, never zero', async () => {
    const body = aTransaction();
    const holder = await t.owner.connect();
    try {
      // No evaluation can be stored while this lock is held.
      await holder.query('BEGIN');
      await holder.query('LOCK TABLE kyt_evaluations IN SHARE MODE');
      await api.ingest(body).expect(202);
      const { data } = (await api.transaction(body.transactionId).expect(200)).body;
      expect(['QUEUED', 'PROCESSING']).toContain(data.status);
      expect(data).toMatchObject({
        verdict: null,
        nextAction: null,
        outcome: null,
        recommendedAction: null,
        riskScore: null,
        riskLevel: null,
        defensible: null,
        composition: null,
        components: null,
        reviewRequired: null,
        rulesetVersion: null,
        evaluationVersion: null,
        evaluatedAt: null,
        receiptHash: null,
      });
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    expect(await api.settled(body.transactionId)).toMatchObject({ status: 'COMPLETED', riskScore: 0 });
  });

  it('of another application, of another organisation, and never existing: the same 404', async () => {
    const body = aTransaction();
    await api.ingest(body).expect(202);
    const other = await t.client();
    const sibling = await t.client({ organisationId: client.organisationId, rules: false });
    const asked: [TestClient, string][] = [
      [other, body.transactionId],
      [sibling, body.transactionId],
      [client, 'never-existed'],
      [other, 'never-existed'],
    ];
    const texts = [];
    for (const [caller, id] of asked) {
      const response = await t.api.as(caller).transaction(id);
      const error = expectError(response, 404, 'TRANSACTION_NOT_FOUND');
      texts.push(response.text.replaceAll(error.requestId, ''));
    }
    expect(new Set(texts).size).toBe(1);
    await api.transaction(body.transactionId).expect(200);
  });

  it.each(['t:1.2-3_4', 'ingest'])('finds the id %s as it was sent', async (transactionId) => {
    await api.ingest(aTransaction({ transactionId })).expect(202);
    const { data } = (await api.transaction(transactionId).expect(200)).body;
    expect(data.transactionId).toBe(transactionId);
  });

  it('its events in their order, to applications that may read events and to nobody else', async () => {
    const reader = await t.client({ scopes: ['kyt:ingest', 'kyt:read', 'events:read'] });
    const own = t.api.as(reader);
    const { transactionId } = aTransaction();
    await own.ingest(aTransaction({ transactionId })).expect(202);
    await own.settled(transactionId);
    const answer = await own.get(`/kyt/transactions/${transactionId}/events`).expect(200);
    const events = (answer.body as { data: { type: string; sequence: number; data: object }[] }).data;
    expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([
      ['kyt.transaction.queued', 1],
      ['kyt.transaction.pipeline.completed', 2],
    ]);
    for (const { data } of events) expect(data).toMatchObject({ transactionId });
    expectError(await own.get('/kyt/transactions/never/events'), 404, 'TRANSACTION_NOT_FOUND');
    const path = `/kyt/transactions/${transactionId}/events`;
    const other = t.api.as(await t.client({ scopes: ['events:read'] }));
    expectError(await other.get(path), 404, 'TRANSACTION_NOT_FOUND');
    expectError(await t.api.as(await t.client()).get(path), 403, 'SCOPE_INSUFFICIENT');
  });

  it('an id of the service itself (txn_…) finds nothing', async () => {
    const body = aTransaction();
    await api.ingest(body).expect(202);
    const { rows } = await t.owner.query<{ id: string }>(
      'SELECT id FROM kyt_transactions WHERE transaction_id = $1',
      [body.transactionId],
    );
    for (const id of [rows[0]!.id, `txn_${rows[0]!.id.replaceAll('-', '')}`]) {
      expectError(await api.transaction(id), 404, 'TRANSACTION_NOT_FOUND');
    }
  });
});
