import { once } from 'node:events';
import { request as send, type ClientRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { DecryptedTransaction } from '../../src/features/kyt/domain/claimed.js';
import { verifyReceipt } from '../../src/features/kyt/domain/replay.js';
import { PendingDecisions } from '../../src/features/kyt/ingest/pending-decisions.js';
import { PipelineService } from '../../src/features/kyt/pipeline/pipeline.service.js';
import { ReceiptExportService } from '../../src/features/kyt/replay/receipt-export.service.js';
import { detailsOf, expectError } from '../support/answers.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { expectEvaluatedOnce } from '../support/evaluated-once.js';
import { eventually } from '../support/eventually.js';
import { later, laterBlock } from '../support/needs.js';

const LONGEST = 10_000;
/** Neither evaluates nor has workers, so that nothing is ever decided in it. */
const undecided = { role: 'api', screeningIndex: false } as const;

type Body = ReturnType<typeof aTransaction>;
interface Answered {
  readonly status: number;
  readonly body: { readonly data: Record<string, unknown> | null };
}

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

const waited = (body: object, ms = LONGEST, as = api) =>
  as.post(`/kyt/transactions/ingest?wait=${ms}`).send(body);

/** The answer of a transaction that was decided in the call: a busy machine may take longer for some. */
const decidedInCall = (as = api, make = (): Body => aTransaction()): Promise<Answered> =>
  eventually('a decision comes in the call', async () => {
    const answer = await waited(make(), LONGEST, as);
    expect([200, 202]).toContain(answer.status);
    return answer.status === 200 && answer;
  });

async function expectReadBack({ body }: Answered, as = api): Promise<void> {
  const readBack = await as.transaction(String(body.data?.['transactionId'])).expect(200);
  expect(body).toEqual(readBack.body);
  expect(body.data).toMatchObject({ status: 'COMPLETED', evaluationVersion: 1 });
}

/** A call whose caller can hang up. */
function open(app: TestApp, own: TestClient, body: object): ClientRequest {
  const call = send(`${app.url}/kyt/transactions/ingest?wait=${LONGEST}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-client-id': own.clientId,
      'x-client-secret': own.clientSecret,
    },
  });
  call.on('error', () => undefined);
  call.end(JSON.stringify(body));
  return call;
}

const waiting = (app: TestApp): number => app.app.get(PendingDecisions).size;
const whenWaiting = (app: TestApp, many: number): Promise<boolean> =>
  eventually(`${many} wait`, () => waiting(app) === many);

describe('the decision in the call', () => {
  it('is what the transaction reads as, also with a case and with half of the facts', async () => {
    await expectReadBack(await decidedInCall());
    await expectReadBack(await decidedInCall(api, () => aTransaction({ amount: 900_000 })));
    await expectReadBack(await decidedInCall(api, () => aTransaction({ type: 'PIX_TRANSFERENCIA' })));
  });

  it('has a receipt that replays from what is stored', async () => {
    const { body } = await decidedInCall(api, () => aTransaction({ externalCustomerId: null, amount: 1e3 }));
    const { rows } = await t.owner.query<{ id: string }>(
      'SELECT id FROM kyt_transactions WHERE transaction_id = $1',
      [body.data?.['transactionId']],
    );
    const bundle = await t.app.get(ReceiptExportService).createBundle(client.organisationId, rows[0]!.id, 1);
    expect(verifyReceipt(bundle).problems).toEqual([]);
  });

  it('is claimed in the commit that stores it; a process that dies loses the lease, and one that comes back the fence', async () => {
    const held: DecryptedTransaction[] = [];
    const pipeline = t.app.get(PipelineService);
    const stalled = jest.spyOn(pipeline, 'processHeld').mockImplementation((batch) => {
      held.push(...batch);
      return Promise.resolve();
    });
    const body = aTransaction();
    const call = waited(body).then((answer) => answer);
    await eventually('it is stored', () => held.length === 1);
    stalled.mockRestore();
    const { rows } = await t.owner.query(
      `SELECT status, attempts, fence, lease_owner, due_at > now() + interval '5 seconds' AS leased
       FROM kyt_work WHERE transaction_ref = $1`,
      [held[0]!.id],
    );
    const owner = pipeline.lease.owner;
    expect(rows).toEqual([{ status: 'PROCESSING', attempts: 0, fence: 1, lease_owner: owner, leased: true }]);
    await t.owner.query(`UPDATE kyt_work SET due_at = now() WHERE transaction_ref = $1`, [held[0]!.id]);
    await expectReadBack(await call);
    await pipeline.processHeld(held);
    await expectEvaluatedOnce(t, [body.transactionId]);
  });

  it('is drawn once, whoever comes first: this call, the job or both', async () => {
    const bodies = Array.from({ length: 60 }, () => aTransaction());
    const answers = await Promise.all(bodies.map((body) => waited(body)));
    for (const answer of answers) if (answer.status === 200) await expectReadBack(answer);
    for (const { transactionId } of bodies) await api.settled(transactionId);
    await expectEvaluatedOnce(
      t,
      bodies.map(({ transactionId }) => transactionId),
    );
    expect(waiting(t)).toBe(0);
  });

  it('can be preferred by a header, which the answer names', async () => {
    const answer = await eventually('a decision comes in the call', async () => {
      const given = await api.ingest(aTransaction()).set('prefer', 'respond-async, Wait="30"; foo');
      expect(given.headers['preference-applied']).toBe('wait=10');
      return given.status === 200 && given;
    });
    await expectReadBack(answer);
    const ignored = await api.ingest(aTransaction()).set('prefer', 'wait=soon, handling=lenient').expect(202);
    expect(ignored.headers['preference-applied']).toBeUndefined();
    expect(ignored.body.data).toMatchObject({ status: 'QUEUED', accepted: true });
  });

  it.each(['0', '10001', '-5', '1.5', 'x', ''])('wait=%s is refused', async (wait) => {
    const answer = await api.post(`/kyt/transactions/ingest?wait=${wait}`).send(aTransaction());
    const [detail] = detailsOf(expectError(answer, 400, 'VALIDATION_FAILED'));
    expect(detail).toMatch(/^wait /);
  });

  it('of a duplicate is that of the first submission', async () => {
    const body = aTransaction();
    await api.ingest(body).expect(202);
    await api.settled(body.transactionId);
    await expectReadBack(await waited(body).expect(200));
    await expectEvaluatedOnce(t, [body.transactionId]);
    await waited({ ...body, amount: 7 }).expect(409);
  });

  it('comes item by item in a batch, each as it reads', async () => {
    const earlier = aTransaction();
    await api.ingest(earlier).expect(202);
    await api.settled(earlier.transactionId);
    const results = await eventually('a batch is decided in the call', async () => {
      const items = [aTransaction(), earlier, aTransaction({ amount: -1 }), aTransaction()];
      const answer = await api.post(`/kyt/transactions/ingest/batch?wait=${LONGEST}`).send(items).expect(207);
      expect(answer.body.data.summary).toEqual({ accepted: 2, duplicates: 1, failed: 1 });
      const found = answer.body.data.results as { status: number; data: Answered['body']['data'] }[];
      expect(found[2]).toMatchObject({ status: 400, data: null, error: { code: 'VALIDATION_FAILED' } });
      return found.every(({ status }) => status !== 202) && found;
    });
    expect(results.map(({ status }) => status)).toEqual([200, 200, 400, 200]);
    for (const { status, data } of results) {
      if (status === 200) await expectReadBack({ status, body: { error: null, data } as never });
    }
  });
});

describe('without a decision in time', () => {
  let front: TestApp;
  let own: TestClient;
  let as: TestApi;

  beforeAll(async () => {
    front = await startTestApp({ settings: { ...undecided, ingestWaitLimit: 1 } });
    own = await front.client();
    as = front.api.as(own);
  });

  afterAll(async () => {
    await front.close();
  });

  it('the answer is the receipt, of a duplicate too', async () => {
    const body = aTransaction();
    const first = await waited(body, 50, as).expect(202);
    expect(first.body.data).toMatchObject({ accepted: true, duplicate: false, status: 'QUEUED' });
    expect(first.body.data).not.toHaveProperty('ref');
    const again = await waited(body, 50, as).expect(200);
    expect(again.body.data).toMatchObject({ accepted: true, duplicate: true, status: 'QUEUED' });
    expect(waiting(front)).toBe(0);
  });

  it('too many do not wait at all, and who hangs up makes room', async () => {
    const first = open(front, own, aTransaction());
    await whenWaiting(front, 1);
    const many = await as
      .post(`/kyt/transactions/ingest/batch?wait=${LONGEST}`)
      .send([aTransaction(), aTransaction()])
      .expect(207);
    expect(many.body.data.summary).toEqual({ accepted: 2, duplicates: 0, failed: 0 });
    await waited(aTransaction(), LONGEST, as).expect(202);
    // The one who came before them is still waiting: their answers did not wait for anything.
    expect(waiting(front)).toBe(1);
    first.destroy();
    await whenWaiting(front, 0);
    const next = open(front, own, aTransaction());
    await whenWaiting(front, 1);
    next.destroy();
    await whenWaiting(front, 0);
  });

  later('one that is in no process of this one is noticed when a worker commits it', async () => {
    const worker = await startTestApp({ like: front, settings: { role: 'worker', screeningIndex: true } });
    try {
      await expectReadBack(await decidedInCall(as), as);
    } finally {
      await worker.close();
    }
  });

  later('a process that stops acknowledges what it accepted', async () => {
    const stopping = await startTestApp({ like: front });
    const body = aTransaction();
    const call = open(stopping, own, body);
    const answered = once(call, 'response') as Promise<[IncomingMessage]>;
    await whenWaiting(stopping, 1);
    await stopping.close();
    const [response] = await answered;
    expect(response.statusCode).toBe(202);
    expect(await json(response)).toMatchObject({ data: { accepted: true, status: 'QUEUED' } });
    await as.transaction(body.transactionId).expect(200);
  });
});

// The first stage has it in arrival.spec.ts.
laterBlock('without Redis', () => {
  it.each(['all', 'api'] as const)('role %s decides in the call what it accepts', async (role) => {
    const cutOff = await startTestApp({ settings: { redisUrl: 'redis://127.0.0.1:9', role } });
    try {
      const as = cutOff.api.as(await cutOff.client());
      const answer = await decidedInCall(as);
      await expectReadBack(answer, as);
      await expectEvaluatedOnce(cutOff, [String(answer.body.data?.['transactionId'])]);
    } finally {
      await cutOff.close();
    }
  });

  it('a process that was never given one does as well', async () => {
    const alone = await startTestApp({ withoutRedis: true });
    try {
      const as = alone.api.as(await alone.client());
      await expectReadBack(await decidedInCall(as), as);
    } finally {
      await alone.close();
    }
  });
});
