import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { DecryptedTransaction } from '../../src/features/kyt/domain/claimed.js';
import { IngestBatcher } from '../../src/features/kyt/ingest/ingest-batcher.js';
import { PipelineService } from '../../src/features/kyt/pipeline/pipeline.service.js';
import { SearchIndexService } from '../../src/features/screening/index.js';
import { EventLoopUtilisation } from '../../src/platform/kernel/index.js';
import { QueueTransport } from '../../src/platform/queue/index.js';
import type { TestApi, TestClient } from '../support/api.js';
import { ApiProcess } from '../support/api-process.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { expectEvaluatedOnce } from '../support/evaluated-once.js';
import { eventually } from '../support/eventually.js';
import { again, later, laterBlock, someInFirst } from '../support/needs.js';

// As many as one process evaluates without a waiting caller.
const MOST = 8;

let t: TestApp;
let client: TestClient;
let api: TestApi;

beforeAll(async () => {
  // The reconciler takes what a test holds back for longer than a lease, as nothing renews it.
  t = await startTestApp({ settings: { pipelineLeaseMs: 120_000 } });
  client = await t.client();
  api = t.api.as(client);
});

afterEach(() => {
  jest.restoreAllMocks();
});

afterAll(async () => {
  await t.close();
});

/** A busy machine would hand over what a quiet one evaluates. */
function withTime(busy = 0): void {
  jest.spyOn(EventLoopUtilisation.prototype, 'now', 'get').mockReturnValue(busy);
}

/** Holds back what the process would evaluate at once. */
function stalled(app = t): { readonly held: DecryptedTransaction[]; readonly goOn: () => Promise<void> } {
  const held: DecryptedTransaction[] = [];
  const pipeline = app.app.get(PipelineService);
  const spy = jest.spyOn(pipeline, 'processHeld').mockImplementation((batch) => {
    held.push(...batch);
    return Promise.resolve();
  });
  return {
    held,
    goOn: () => {
      spy.mockRestore();
      return pipeline.processHeld(held);
    },
  };
}

interface Work {
  readonly id: string;
  readonly status: string;
  readonly fence: number;
  readonly owner: string | null;
}

const workOf = async (transactionIds: readonly string[], app = t): Promise<Work[]> =>
  (
    await app.owner.query<Work>(
      `SELECT t.transaction_id AS id, w.status, w.fence, w.lease_owner AS owner
       FROM kyt_work w JOIN kyt_transactions t ON t.id = w.transaction_ref WHERE t.transaction_id = ANY ($1)`,
      [transactionIds],
    )
  ).rows;

describe('a transaction that comes alone', () => {
  it('is claimed in the commit that stores it, and answered before it is evaluated', async () => {
    withTime();
    const { held, goOn } = stalled();
    const sent = jest.spyOn(t.app.get(QueueTransport), 'send');
    const body = aTransaction();
    const { body: answer } = await api.ingest(body).expect(202);
    expect(answer.data).toMatchObject({ status: 'QUEUED', accepted: true });
    await eventually('its evaluation begins', () => held.length === 1);
    const { owner } = t.app.get(PipelineService).lease;
    expect(await workOf([body.transactionId])).toEqual([
      { id: body.transactionId, status: 'PROCESSING', fence: 1, owner },
    ]);
    await goOn();
    await expectEvaluatedOnce(t, [body.transactionId]);
    const queues = sent.mock.calls.flatMap(([jobs]) => jobs.map(({ queue }) => queue));
    expect(queues).not.toContain('kyt.pipeline');
  });

  again.each(someInFirst(['api', 'all'] as const, 1))(
    'needs neither relay nor queue where the role is %s',
    async (role) => {
      withTime();
      const settings = { redisUrl: 'redis://127.0.0.1:9', role, evaluateOnArrival: true };
      const cutOff = await startTestApp({ settings });
      try {
        const as = cutOff.api.as(await cutOff.client());
        const body = aTransaction();
        await as.ingest(body).expect(202);
        await as.settled(body.transactionId);
        await expectEvaluatedOnce(cutOff, [body.transactionId]);
        const { rows } = await cutOff.owner.query(`SELECT FROM outbox WHERE queue = 'kyt.pipeline'`);
        expect(rows).toEqual([]);
      } finally {
        await cutOff.close();
      }
    },
  );
});

describe('the queue takes', () => {
  const sendAll = async (many: number): Promise<string[]> => {
    const bodies = Array.from({ length: many }, () => aTransaction());
    await Promise.all(bodies.map((body) => api.ingest(body).expect(202)));
    return bodies.map(({ transactionId }) => transactionId);
  };

  it('what is more than the process can do at once', async () => {
    withTime();
    // The evaluation never ends, because only evaluations under way count.
    const pipeline = t.app.get(PipelineService);
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const advance = pipeline.processHeld.bind(pipeline);
    jest.spyOn(pipeline, 'processHeld').mockImplementation(async (batch) => {
      await ended;
      await advance(batch);
    });
    const ids = await sendAll(3 * MOST);
    await eventually('the others are evaluated', async () => (await workOf(ids)).length <= MOST);
    const left = await workOf(ids);
    expect(left.map(({ owner }) => owner)).toEqual(left.map(() => pipeline.lease.owner));
    expect(left).toHaveLength(MOST);
    end();
    await eventually('these are too', async () => (await workOf(ids)).length === 0);
    await expectEvaluatedOnce(t, ids);
  });

  it.each<[string, () => void]>([
    [
      'what comes while the process is busy',
      () => {
        withTime(0.9);
      },
    ],
    [
      'what comes while it works on a large job',
      () => {
        withTime();
        jest.spyOn(t.app.get(PipelineService), 'fromQueue', 'get').mockReturnValue(MOST);
      },
    ],
    [
      'what comes before its lists are loaded',
      () => {
        withTime();
        jest.spyOn(t.app.get(SearchIndexService), 'isLoaded', 'get').mockReturnValue(false);
      },
    ],
  ])('%s', async (_, arrange) => {
    arrange();
    const { held } = stalled();
    const ids = await sendAll(3);
    await eventually('a job has evaluated them', async () => (await workOf(ids)).length === 0);
    expect(held).toEqual([]);
    await expectEvaluatedOnce(t, ids);
  });

  later('what comes while it stores many others', async () => {
    withTime();
    const { held } = stalled();
    const isLoaded = jest.spyOn(t.app.get(SearchIndexService), 'isLoaded', 'get').mockReturnValue(false);
    const batcher = t.app.get(IngestBatcher);
    const submit = batcher.submit.bind(batcher);
    let store = (): void => undefined;
    const stored = new Promise<void>((resolve) => {
      store = resolve;
    });
    const submitted = jest.spyOn(batcher, 'submit').mockImplementation(async (draft) => {
      await stored;
      return submit(draft);
    });
    const others = sendAll(MOST);
    await eventually('the others are being stored', () => submitted.mock.calls.length === MOST);
    isLoaded.mockRestore();
    const one = sendAll(1);
    await eventually('it is being stored', () => submitted.mock.calls.length === MOST + 1);
    store();
    const ids = [...(await others), ...(await one)];
    await eventually('a job has evaluated them', async () => (await workOf(ids)).length === 0);
    expect(held).toEqual([]);
    await expectEvaluatedOnce(t, ids);
  });

  later('what comes to a process that cannot evaluate, and another one takes it', async () => {
    const settings = { role: 'api', screeningIndex: false, evaluateOnArrival: true } as const;
    const front = await startTestApp({ settings });
    try {
      withTime();
      const as = front.api.as(await front.client());
      const body = aTransaction();
      await as.ingest(body).expect(202);
      expect(await workOf([body.transactionId], front)).toEqual([
        { id: body.transactionId, status: 'QUEUED', fence: 0, owner: null },
      ]);
      const worker = await startTestApp({ like: front, settings: { role: 'worker', screeningIndex: true } });
      try {
        await as.settled(body.transactionId);
        await expectEvaluatedOnce(front, [body.transactionId]);
      } finally {
        await worker.close();
      }
    } finally {
      await front.close();
    }
  });
});

// The first stage has it in test/crash/kill.spec.ts.
laterBlock('a process that is killed between the commit and the evaluation', () => {
  it('loses its lease, and another one evaluates the transaction, once', async () => {
    const killed = await ApiProcess.start(t, { PIPELINE_LEASE_MS: '1000' });
    const lock = await t.owner.connect();
    let isKilled = false;
    try {
      // A lock on the customers stops the evaluation after it began.
      await lock.query('BEGIN');
      await lock.query('LOCK TABLE customers IN ACCESS EXCLUSIVE MODE');
      const ids: string[] = [];
      const isHeld = async (): Promise<boolean> => {
        const body = aTransaction();
        const answer = await fetch(`${killed.url}/kyt/transactions/ingest`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-client-id': client.clientId,
            'x-client-secret': client.clientSecret,
          },
          body: JSON.stringify(body),
        });
        expect(answer.status).toBe(202);
        ids.push(body.transactionId);
        // A process that has just started may still be too busy.
        const [work] = await workOf([body.transactionId]);
        return work?.owner?.endsWith(`:${killed.pid}:stored`) === true;
      };
      await eventually('it holds a transaction', isHeld);
      await killed.kill();
      isKilled = true;
      await lock.query('ROLLBACK');
      await eventually('all are evaluated', async () => (await workOf(ids)).length === 0);
      await expectEvaluatedOnce(t, ids);
    } finally {
      lock.release(true);
      if (!isKilled) await killed.kill();
    }
  });
});

laterBlock('many that come at once, with callers who wait and without', () => {
  it('are evaluated once each, by two processes that share the work', async () => {
    const other = await startTestApp({ like: t });
    try {
      const bodies = Array.from({ length: 120 }, () => aTransaction());
      await Promise.all(
        bodies.map(async (body, i) => {
          const as = (i % 2 === 0 ? t : other).api.as(client);
          const isWaitedFor = i % 3 === 0;
          const { status } = await as
            .post(`/kyt/transactions/ingest${isWaitedFor ? '?wait=10000' : ''}`)
            .send(body);
          expect(isWaitedFor ? [200, 202] : [202]).toContain(status);
        }),
      );
      const ids = bodies.map(({ transactionId }) => transactionId);
      await eventually('nothing is left', async () => (await workOf(ids)).length === 0);
      await expectEvaluatedOnce(t, ids);
    } finally {
      await other.close();
    }
  });
});
