import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publicId } from '../../src/platform/kernel/index.js';
import { RequestLog } from '../../src/platform/http/request-log/request-log.service.js';
import { expectError } from '../support/answers.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aMinimalTransaction, aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';

interface Logged {
  readonly requestId: string;
  readonly correlationId: string;
  readonly at: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly code: string | null;
  readonly durationMs: number;
  readonly bytesIn: number | null;
  readonly fields: readonly string[];
  readonly faults: readonly { readonly path: string; readonly code: string }[];
}

// The ingest route has two ways in; both are logged.
describe.each([true, false])('the request log, ingest lane %s', (ingestLane) => {
  let t: TestApp;
  let client: TestClient;
  let api: TestApi;

  beforeAll(async () => {
    t = await startTestApp({ settings: { ingestLane } });
    client = await t.client({ scopes: ['kyt:ingest', 'kyt:read', 'requests:read'] });
    api = t.api.as(client);
  });

  afterAll(async () => {
    await t.close();
  });

  const asked = async (query: string, as = api): Promise<Logged[]> =>
    ((await as.get(`/requests?${query}`).expect(200)).body as { data: Logged[] }).data;

  const found = (requestId: string): Promise<Logged> =>
    eventually(`${requestId} is in the log`, async () => (await asked(`requestId=${requestId}`))[0]);

  it('shows what a body had and how it was answered, and no value of it', async () => {
    const body = aTransaction({
      metadata: { dict: {}, '529.982.247-25': 'x', 'Maria Exemplo': 1, secretOfTheirs: 2 },
      theirSecret: 3,
      walletReference: null,
    });
    const answer = await api.ingest({ ...body, amount: -1 }).set('x-correlation-id', 'order-1');
    const one = await found(String(answer.headers['x-request-id']));
    expect(one).toEqual({
      requestId: answer.headers['x-request-id'],
      correlationId: 'order-1',
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      method: 'POST',
      route: '/kyt/transactions/ingest',
      status: 400,
      code: 'VALIDATION_FAILED',
      durationMs: expect.any(Number),
      bytesIn: Buffer.byteLength(JSON.stringify({ ...body, amount: -1 })),
      fields: expect.arrayContaining([
        'transactionId',
        'amount',
        'origin',
        'origin.name',
        'metadata',
        'metadata.dict',
        // Callers made these up: names are data too.
        'metadata.*',
        '*',
      ]),
      faults: [
        { path: 'amount', code: 'AMOUNT_NOT_POSITIVE' },
        { path: '*', code: 'UNKNOWN_FIELD' },
        { path: 'walletReference', code: 'UNKNOWN_FIELD' },
      ],
    });
    expect(one.fields).not.toContain('walletReference');
    expect(JSON.stringify(one)).not.toMatch(/529|Maria|Exemplo|João|ecretOfTheirs|theirSecret/);
    const { rows } = await t.owner.query<{ line: string }>('SELECT r::text AS line FROM request_log r');
    for (const { line } of rows) {
      expect(line).not.toMatch(/529\.?982|Maria|Exemplo|João|ecretOfTheirs|theirSecret/);
    }
  });

  it('knows a request by the name that the caller gave it, as often as it was given', async () => {
    for (const amount of [1, 2]) {
      await api.ingest(aMinimalTransaction({ amount })).set('x-request-id', 'mine-1').expect(202);
    }
    const both = await eventually('both are there', async () => {
      const all = await asked('requestId=mine-1');
      return all.length === 2 && all;
    });
    expect(both.map(({ requestId, status, code, faults }) => [requestId, status, code, faults])).toEqual([
      ['mine-1', 202, null, []],
      ['mine-1', 202, null, []],
    ]);
  });

  it('has reads, refusals before the body, and whatever stands in no contract', async () => {
    const absent = await api.transaction('never');
    const media = await api.post('/kyt/transactions/ingest').set('content-type', 'text/plain').send('x');
    const broken = await api.ingest('{');
    const rows = [];
    for (const answer of [absent, media, broken]) {
      rows.push(await found(String(answer.headers['x-request-id'])));
    }
    expect(
      rows.map(({ method, route, status, code, fields }) => [method, route, status, code, fields]),
    ).toEqual([
      ['GET', '/kyt/transactions/:transactionId', 404, 'TRANSACTION_NOT_FOUND', []],
      ['POST', '/kyt/transactions/ingest', 415, 'MEDIA_TYPE_UNSUPPORTED', []],
      ['POST', '/kyt/transactions/ingest', 400, 'MALFORMED_JSON', []],
    ]);
  });

  it('is read page by page, the newest first, and by route, status, code and time', async () => {
    const since = new Date().toISOString();
    for (const amount of [1, -1, 2, -2]) await api.ingest(aMinimalTransaction({ amount }));
    const path = encodeURIComponent('/kyt/transactions/ingest');
    const all = await eventually('all four are there', async () => {
      const rows = await asked(`since=${since}&route=${path}`);
      return rows.length === 4 && rows;
    });
    expect(all.map(({ status }) => status)).toEqual([400, 202, 400, 202]);
    expect(await asked(`since=${since}&route=${path}&status=400`)).toEqual([all[0], all[2]]);
    expect(await asked(`since=${since}&code=VALIDATION_FAILED`)).toEqual([all[0], all[2]]);
    const first = await api.get(`/requests?since=${since}&route=${path}&limit=3`).expect(200);
    const { page } = first.body as { page: { nextCursor: string } };
    expect(await asked(`since=${since}&route=${path}&limit=3&cursor=${page.nextCursor}`)).toEqual([all[3]]);
    expect(await asked(`until=${since}&route=${path}&status=400`)).not.toContainEqual(all[0]);
  });

  it('shows an application its own requests, an operator those of the organisation, and nobody else any', async () => {
    const { headers } = await api.ingest(aMinimalTransaction());
    const id = String(headers['x-request-id']);
    const mine = await found(id);
    const sibling = await t.client({
      organisationId: client.organisationId,
      rules: false,
      scopes: ['requests:read'],
    });
    expect(await asked(`requestId=${id}`, t.api.as(sibling))).toEqual([]);
    expectError(await t.api.as(await t.client()).get('/requests'), 403, 'SCOPE_INSUFFICIENT');
    const query = `/operator/requests?clientAppId=${publicId('app', client.id)}&requestId=${id}`;
    const [own, other] = [
      await t.operator({ roles: ['DEVELOPER'], organisationId: client.organisationId }),
      await t.operator({ roles: ['DEVELOPER'] }),
    ];
    const shown = await t.api.asOperator(own).get(query).expect(200);
    expect((shown.body as { data: Logged[] }).data).toEqual([mine]);
    const hidden = await t.api.asOperator(other).get(query).expect(200);
    expect((hidden.body as { data: Logged[] }).data).toEqual([]);
  });

  it('keeps thirty days', async () => {
    const { headers } = await api.ingest(aMinimalTransaction());
    await found(String(headers['x-request-id']));
    await t.app.get(RequestLog).flush();
    await t.owner.query(`UPDATE request_log SET second = second - interval '31 days' WHERE status = 202`);
    await t.app.get(RequestLog).sweep();
    const { rows } = await t.owner.query<{ status: number }>('SELECT DISTINCT status FROM request_log');
    expect(rows.map(({ status }) => status)).not.toContain(202);
    expect(rows.length).toBeGreaterThan(0);
  });
});
