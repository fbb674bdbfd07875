import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as send } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { getQueueToken, Process, Processor } from '@nestjs/bull';
import { Controller, Get, Injectable, Logger, Module, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Queue } from 'bull';
import fc from 'fast-check';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { AppModule } from '../../src/app.module.js';
import {
  AuditTrail,
  OPERATIONS,
  type AuditSubject,
  type TrailVerdict,
} from '../../src/features/audit/index.js';
import { readSettings, Settings, SettingsError } from '../../src/platform/config/index.js';
import { composite, selectIds, system, UnitOfWork } from '../../src/platform/database/index.js';
import type { EvaluatedTransaction } from '../../src/features/kyt/domain/stored/evaluated-transaction.js';
import { EvaluationService } from '../../src/features/kyt/pipeline/evaluation.service.js';
import { DeadLettersService } from '../../src/features/kyt/operations/dead-letters.service.js';
import type { ClaimedTransaction, DecryptedTransaction } from '../../src/features/kyt/domain/claimed.js';
import { transactionFlow, type TransactionStatus } from '../../src/features/kyt/domain/status.js';
import { BodyEncryption } from '../../src/features/kyt/ingest/body-encryption.js';
import { PipelineService } from '../../src/features/kyt/pipeline/pipeline.service.js';
import { DeadLetterRepository } from '../../src/features/kyt/store/work/dead-letter.repository.js';
import {
  concludeClause,
  TransactionWorkRepository,
} from '../../src/features/kyt/store/work/transaction-work.repository.js';
import { VelocityFactProvider } from '../../src/features/kyt/facts/windows/velocity.fact-provider.js';
import { BlindIndex, Vault } from '../../src/platform/privacy/index.js';
import type { TransactionEvidence } from '../../src/features/kyt/domain/facts/evidence.js';
import { startService } from '../../src/bootstrap/service.js';
import { MetricsRegistry, StructuredLogger } from '../../src/platform/telemetry/index.js';
import { expectError, type Answer } from '../support/answers.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { fromSource } from '../support/engine-flags.js';
import { eventually } from '../support/eventually.js';
import { promised } from '../support/needs.js';
import { expectWithin } from '../support/timing.js';
import { Wire } from '../support/wire.js';

/** Evaluates as the real one does, unless a test has told it what to do first. */
@Injectable()
class ScriptedConclusions extends EvaluationService {
  readonly batches: (readonly string[])[] = [];
  before: ((batch: readonly DecryptedTransaction[]) => Promise<void> | void) | null = null;

  override async evaluate(
    batch: readonly DecryptedTransaction[],
    evidence: readonly TransactionEvidence[],
    triggerOf: Parameters<EvaluationService['evaluate']>[2],
  ): Promise<EvaluatedTransaction[]> {
    this.batches.push(batch.map(({ transactionId }) => transactionId));
    await this.before?.(batch);
    return super.evaluate(batch, evidence, triggerOf);
  }
}

class Passing extends Error {
  override readonly name = 'PassingTrouble';
}

const MAX_ATTEMPTS = 3;
// Most of this is about the queue, which never sees a transaction that is evaluated where it arrived.
const quick = {
  pipelineMaxAttempts: MAX_ATTEMPTS,
  pipelineLeaseMs: 900,
  reconcileIntervalMs: 100,
  evaluateOnArrival: false,
};

let t: TestApp;
let client: TestClient;
let api: TestApi;
let conclusions: ScriptedConclusions;

beforeAll(async () => {
  t = await startTestApp({
    settings: quick,
    override: (builder) => builder.overrideProvider(EvaluationService).useClass(ScriptedConclusions),
  });
  conclusions = t.app.get(EvaluationService);
  client = await t.client();
  api = t.api.as(client);
});

afterEach(() => {
  // Work left waiting by a failed test would keep the application from closing.
  for (const open of gates.splice(0)) open();
  conclusions.before = null;
  conclusions.batches.length = 0;
  jest.restoreAllMocks();
});

afterAll(async () => {
  await t.close();
});

async function query<Row extends object>(text: string, values: unknown[] = [], app = t): Promise<Row[]> {
  return (await app.owner.query<Row>(text, values)).rows;
}

async function count(text: string, values: unknown[] = [], app = t): Promise<number> {
  const [row] = await query<{ count: string }>(`SELECT count(*) AS count FROM ${text}`, values, app);
  return Number(row?.count);
}

async function refOf(transactionId: string, app = t): Promise<string> {
  const [row] = await query<{ id: string }>(
    `SELECT id FROM kyt_transactions WHERE transaction_id = $1`,
    [transactionId],
    app,
  );
  if (!row) throw new Error(`${transactionId} is not stored`);
  return row.id;
}

/** Everything that one transaction left behind, in order. */
async function traces(
  transactionId: string,
  app = t,
): Promise<{ events: string[]; actions: string[]; evaluations: number; trail: TrailVerdict }> {
  const id = await refOf(transactionId, app);
  const [owner] = await query<{ organisation_id: string }>(
    'SELECT organisation_id FROM kyt_transactions WHERE id = $1',
    [id],
    app,
  );
  const subject: AuditSubject = { organisationId: owner?.organisation_id ?? '', type: 'transaction', id };
  const events = await query<{ type: string }>(
    'SELECT type FROM events WHERE resource_id = $1 ORDER BY sequence',
    [id],
    app,
  );
  const entries = await query<{ action: string }>(
    `SELECT action FROM audit_entries WHERE subject_type = 'transaction' AND subject_id = $1 ORDER BY subject_seq`,
    [id],
    app,
  );
  return {
    events: events.map(({ type }) => type.replace('kyt.transaction.', '')),
    actions: entries.map(({ action }) => action.replace('transaction.', '')),
    evaluations: await count('kyt_evaluations WHERE transaction_ref = $1', [id], app),
    trail: await app.app.get(AuditTrail).trailStatus(subject),
  };
}

const evaluatedOnce = {
  events: ['queued', 'pipeline.completed'],
  actions: ['received', 'evaluated'],
  evaluations: 1,
  trail: { status: 'COMPLETE', length: 2, gaps: [] },
};
const buried = {
  events: ['queued', 'dead_lettered'],
  actions: ['received', 'dead_lettered'],
  evaluations: 0,
  trail: { status: 'COMPLETE', length: 2, gaps: [] },
};

/** The body that the entry of the transaction binds was damaged. */
const damaged = { ...buried, trail: { status: 'STATE_MISMATCH', length: 2 } };

async function metric(name: string, app = t): Promise<number> {
  const text = await app.app.get(MetricsRegistry).registry.metrics();
  const values = text
    .split('\n')
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
  return values.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

const pipelineQueue = (app = t): Queue =>
  app.app.get<Queue>(getQueueToken('kyt.pipeline'), { strict: false });

/** Nothing is evaluated while `work` runs; what was queued meanwhile comes as one job. */
async function whilePaused(work: () => Promise<void>): Promise<void> {
  const queue = pipelineQueue();
  await queue.pause();
  try {
    await work();
  } finally {
    await queue.resume();
  }
}

const inRedis = (jobs: number): Promise<unknown> =>
  eventually('the jobs are in Redis', async () => (await pipelineQueue().count()) >= jobs);

const someTransactions = (number: number): ReturnType<typeof aTransaction>[] =>
  Array.from({ length: number }, () => aTransaction());

async function accepted(bodies: readonly object[], as = api): Promise<void> {
  const { body } = await as.ingestBatch(bodies).expect(207);
  expect((body as { data: { summary: object } }).data.summary).toMatchObject({ accepted: bodies.length });
}

/** Every transaction is evaluated; says at once when one was given up, and why. */
async function allCompleted(bodies: readonly { transactionId: string }[], app = t): Promise<void> {
  const ids = bodies.map(({ transactionId }) => transactionId);
  await eventually(
    `${ids.length} transactions are evaluated`,
    async () => {
      const givenUp = await query(
        `SELECT w.failure_code, w.failure_stage, w.attempts, count(*)::int
         FROM kyt_work w JOIN kyt_transactions t ON t.id = w.transaction_ref
         WHERE t.transaction_id = ANY($1) AND w.status = 'DEAD_LETTERED' GROUP BY 1, 2, 3`,
        [ids],
        app,
      );
      expect(givenUp).toEqual([]);
      const evaluated = await count(
        `kyt_evaluations e JOIN kyt_transactions t ON t.id = e.transaction_ref WHERE t.transaction_id = ANY($1)`,
        [ids],
        app,
      );
      return evaluated === ids.length;
    },
    // A worker that is gone keeps its leases, and a busy machine is slow.
    280_000,
  );
}

const gates: (() => void)[] = [];

/** A promise and what settles it. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  gates.push(open);
  return { opened, open };
}

describe('a transaction that cannot be evaluated', () => {
  it('is tried again after a while, and completed when the trouble has passed', async () => {
    const body = aTransaction();
    const attempts: number[] = [];
    conclusions.before = ([first]) => {
      attempts.push(performance.now());
      if (attempts.length <= 2) throw new Passing();
      expect(first?.attempt).toBe(3);
    };
    await api.ingest(body).expect(202);
    expect(await api.settled(body.transactionId)).toMatchObject({ status: 'COMPLETED', outcome: 'APPROVED' });
    const [first = 0, second = 0, third = 0] = attempts;
    expect(attempts).toHaveLength(3);
    expect(second - first).toBeGreaterThanOrEqual(499);
    expect(third - second).toBeGreaterThanOrEqual(999);
    expect(await traces(body.transactionId)).toMatchObject(evaluatedOnce);
    expect(await metric('vigia_kyt_retries_total')).toBeGreaterThanOrEqual(2);
  });

  it('is dead-lettered after the last attempt, with one event and one audit entry', async () => {
    const body = aTransaction();
    conclusions.before = () => {
      throw new Passing();
    };
    await api.ingest(body).expect(202);
    expect(await api.settled(body.transactionId)).toMatchObject({
      status: 'DEAD_LETTERED',
      outcome: null,
      failure: { code: 'PASSING_TROUBLE', stage: 'EVALUATION', attempts: MAX_ATTEMPTS },
    });
    expect(await traces(body.transactionId)).toMatchObject(buried);
    // Sent again it is what it is; it is not queued behind the operator's back.
    const again = await api.ingest(body).expect(200);
    expect((again.body as { data: object }).data).toMatchObject({ duplicate: true, status: 'DEAD_LETTERED' });
  });

  it('is brought back by a replay, which its trail shows', async () => {
    const body = aTransaction();
    conclusions.before = () => {
      throw new Passing();
    };
    await api.ingest(body).expect(202);
    await api.settled(body.transactionId, ['DEAD_LETTERED']);
    conclusions.before = null;
    const letters = t.app.get(DeadLettersService);
    const ref = await refOf(body.transactionId);
    expect((await letters.listAll(100)).find((letter) => letter.transactionRef === ref)).toMatchObject({
      transactionId: body.transactionId,
      code: 'PASSING_TROUBLE',
      attempts: MAX_ATTEMPTS,
      generation: 1,
    });
    const answers = await Promise.all([letters.replay(ref, 'ana'), letters.replay(ref, 'ben')]);
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await api.settled(body.transactionId, ['COMPLETED'])).toMatchObject({
      outcome: 'APPROVED',
      defensible: true,
    });
    expect(await traces(body.transactionId)).toMatchObject({
      events: ['queued', 'dead_lettered', 'pipeline.completed'],
      actions: ['received', 'dead_lettered', 'replayed', 'evaluated'],
      evaluations: 1,
      trail: { status: 'COMPLETE' },
    });
    expect(await letters.replay(ref, 'ana')).toBe(false);
  });

  it('may die, be replayed and die again: each death has its own event', async () => {
    const body = aTransaction();
    conclusions.before = () => {
      throw new Passing();
    };
    await api.ingest(body).expect(202);
    await api.settled(body.transactionId, ['DEAD_LETTERED']);
    await t.app.get(DeadLettersService).replay(await refOf(body.transactionId), 'ana');
    await api.settled(body.transactionId, ['QUEUED', 'PROCESSING']);
    await api.settled(body.transactionId, ['DEAD_LETTERED']);
    expect(await traces(body.transactionId)).toMatchObject({
      events: ['queued', 'dead_lettered', 'dead_lettered'],
      actions: ['received', 'dead_lettered', 'replayed', 'dead_lettered'],
      trail: { status: 'COMPLETE' },
    });
  });

  it('holds up nobody: with a body that does not open it is buried alone', async () => {
    const bodies = someTransactions(20);
    const poison = bodies[7]?.transactionId ?? '';
    await whilePaused(async () => {
      await accepted(bodies);
      await overwriteBody(await refOf(poison), (bytes) => {
        bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
        return bytes;
      });
      await inRedis(1);
    });
    await allCompleted(bodies.filter(({ transactionId }) => transactionId !== poison));
    expect(await api.settled(poison)).toMatchObject({
      failure: { code: 'SEALED_BODY_BROKEN', stage: 'OPEN', attempts: 1 },
    });
    expect(await traces(poison)).toMatchObject(damaged);
    expect(conclusions.batches.map((batch) => batch.length)).toEqual([19]);
  });

  it.each([
    ['no submission', '{}'],
    ['no JSON', 'CANARY'],
  ])('holds up nobody: with a body that opens and is %s it is buried alone', async (_, content) => {
    const bodies = someTransactions(5);
    const poison = bodies[2]?.transactionId ?? '';
    await whilePaused(async () => {
      await accepted(bodies);
      const ref = await refOf(poison);
      const sealed = await sealedAs(content, ref);
      await overwriteBody(ref, () => sealed);
      await inRedis(1);
    });
    await allCompleted(bodies.filter(({ transactionId }) => transactionId !== poison));
    expect((await api.settled(poison)).failure).toMatchObject({ stage: 'OPEN', attempts: 1 });
    expect(await traces(poison)).toMatchObject(damaged);
  });

  it('holds up nobody: the rest of its batch is evaluated at once, one by one', async () => {
    const bodies = someTransactions(10);
    const poison = bodies[4]?.transactionId ?? '';
    conclusions.before = (batch) => {
      if (batch.some(({ transactionId }) => transactionId === poison)) throw new Passing();
    };
    await accepted(bodies);
    await allCompleted(bodies.filter(({ transactionId }) => transactionId !== poison));
    expect(await api.settled(poison)).toMatchObject({
      status: 'DEAD_LETTERED',
      failure: { attempts: MAX_ATTEMPTS },
    });
    for (const { transactionId } of bodies.filter((body) => body.transactionId !== poison)) {
      expect(await traces(transactionId)).toMatchObject(evaluatedOnce);
    }
  });

  it('is buried unseen when it was begun too often: it never came back to say why', async () => {
    const body = aTransaction();
    await whilePaused(async () => {
      await api.ingest(body).expect(202);
      await query(`UPDATE kyt_work SET attempts = $2 WHERE transaction_ref = $1`, [
        await refOf(body.transactionId),
        MAX_ATTEMPTS,
      ]);
      await inRedis(1);
    });
    expect(await api.settled(body.transactionId)).toMatchObject({
      status: 'DEAD_LETTERED',
      failure: { code: 'ATTEMPTS_EXHAUSTED', stage: 'CLAIM' },
    });
    expect(await traces(body.transactionId)).toMatchObject(buried);
    expect(conclusions.batches).toEqual([]);
  });

  it('is tried alone when it was begun before without an end, so that it could take nobody with it', async () => {
    const bodies = someTransactions(6);
    const suspect = bodies[3]?.transactionId ?? '';
    await whilePaused(async () => {
      await accepted(bodies);
      await query(`UPDATE kyt_work SET fence = 2 WHERE transaction_ref = $1`, [await refOf(suspect)]);
      await inRedis(1);
    });
    await allCompleted(bodies);
    expect(conclusions.batches.map((batch) => batch.length)).toEqual([5, 1]);
    expect(conclusions.batches[1]).toEqual([suspect]);
    expect(await traces(suspect)).toMatchObject(evaluatedOnce);
  });

  it('is found by halves when it ends its process each time, and takes nobody with it', async () => {
    const bodies = someTransactions(8);
    const culprit = bodies[5]?.transactionId ?? '';
    // As if the process had died: the lease ends, and nothing says why.
    conclusions.before = (batch) => {
      if (batch.some(({ transactionId }) => transactionId === culprit)) {
        throw Object.assign(new Error('gone'), { code: '57014' });
      }
    };
    await whilePaused(async () => {
      await accepted(bodies);
      await inRedis(1);
      await pipelineQueue().empty();
      const refs = await Promise.all(bodies.map(({ transactionId }) => refOf(transactionId)));
      for (let crash = 0; crash < 12; crash += 1) {
        await t.app.get(PipelineService).processTransactions(refs);
        await query(
          `UPDATE kyt_work SET due_at = now() - interval '1 second' WHERE status = 'PROCESSING' AND transaction_ref = ANY ($1)`,
          [refs],
        );
      }
    });
    const tries = conclusions.batches.filter((batch) => batch.includes(culprit));
    expect(tries.map((batch) => batch.length)).toEqual([8, 8, 4, 2, 1, 1, 1]);
    // Each half that is begun without it is evaluated whole.
    expect(conclusions.batches.length).toBeLessThan(2 * tries.length);
    expect(await api.settled(culprit)).toMatchObject({
      status: 'DEAD_LETTERED',
      failure: { code: 'ATTEMPTS_EXHAUSTED', stage: 'CLAIM', attempts: MAX_ATTEMPTS + 1 },
    });
    for (const { transactionId } of bodies.filter((body) => body.transactionId !== culprit)) {
      expect(await traces(transactionId)).toMatchObject(evaluatedOnce);
    }
  });

  it('is innocent however often a process dies that has it in a batch', async () => {
    const bodies = someTransactions(6);
    await whilePaused(async () => {
      await accepted(bodies);
      await inRedis(1);
      const refs = await Promise.all(bodies.map(({ transactionId }) => refOf(transactionId)));
      const work = t.app.get(TransactionWorkRepository);
      for (let deaths = 0; deaths < 2 * MAX_ATTEMPTS; deaths += 1) {
        expect(await work.claim(refs, 'gone:1', 8_000)).toHaveLength(6);
        await query(
          `UPDATE kyt_work SET due_at = now() - interval '1 second' WHERE transaction_ref = ANY ($1)`,
          [refs],
        );
      }
    });
    await allCompleted(bodies);
    for (const { transactionId } of bodies) expect(await traces(transactionId)).toMatchObject(evaluatedOnce);
    expect(conclusions.batches.map((batch) => batch.length)).toEqual([3, 3]);
  });

  async function overwriteBody(ref: string, change: (bytes: Buffer) => Buffer): Promise<void> {
    const [row] = await query<{ sealed_body: Buffer }>(
      'SELECT sealed_body FROM kyt_transactions WHERE id = $1',
      [ref],
    );
    if (!row) throw new Error('no such transaction');
    await query('ALTER TABLE kyt_transactions DISABLE TRIGGER kyt_transactions_insert_only');
    await query('UPDATE kyt_transactions SET sealed_body = $2 WHERE id = $1', [ref, change(row.sealed_body)]);
    await query('ALTER TABLE kyt_transactions ENABLE TRIGGER kyt_transactions_insert_only');
  }

  /** The text, sealed as the body of that transaction. */
  async function sealedAs(text: string, ref: string): Promise<Buffer> {
    const { organisationId } = client;
    const main = {
      organisationId,
      index: t.app.get(BlindIndex).computeIndex(organisationId, 'customer', 'somebody'),
    };
    await t.app.get(Vault).prepare([main]);
    const stringify = jest.spyOn(JSON, 'stringify').mockReturnValueOnce(text);
    const sealed = t.app
      .get(BodyEncryption)
      .seal({}, { main, origin: null, destination: null }, ref, organisationId);
    stringify.mockRestore();
    return sealed;
  }
});

describe('a source of evidence that fails', () => {
  it.each([
    ['throws', async () => Promise.reject(new Passing())],
    ['forgets a transaction', async () => Promise.resolve([])],
  ])('that %s makes the result one that cannot be defended, never a zero', async (_, find) => {
    jest.spyOn(t.app.get(VelocityFactProvider), 'find').mockImplementation(find);
    const body = aTransaction();
    await api.ingest(body).expect(202);
    const answer = await api.settled(body.transactionId);
    expect(answer).toMatchObject({
      status: 'COMPLETED',
      outcome: 'REVIEW',
      defensible: false,
      composition: 'PARTIAL',
    });
    expect(answer.nonDefensibleReasons).toContain('VELOCITY_ERROR');
    expect(answer.components?.['VELOCITY']).toMatchObject({ state: 'ERROR', reason: 'PROVIDER_FAILED' });
  });
});

describe('a worker that was taken for dead', () => {
  it('has no say any more: its late result is thrown away', async () => {
    const body = aTransaction();
    const [begun, goOn] = [gate(), gate()];
    conclusions.before = async () => {
      conclusions.before = null;
      begun.open();
      await goOn.opened;
    };
    const refused = await metric('vigia_kyt_fenced_total');
    await api.ingest(body).expect(202);
    await begun.opened;
    const ref = await refOf(body.transactionId);
    // Another worker takes over; this one does not know.
    await query(`UPDATE kyt_work SET due_at = now() - interval '1 second' WHERE transaction_ref = $1`, [ref]);
    await t.app.get(PipelineService).processTransactions([ref]);
    expect(await api.settled(body.transactionId)).toMatchObject({ status: 'COMPLETED' });
    const evaluated = await query('SELECT * FROM kyt_evaluations WHERE transaction_ref = $1', [ref]);
    goOn.open();
    await eventually(
      'its result was refused',
      async () => (await metric('vigia_kyt_fenced_total')) === refused + 1,
    );
    expect(await query('SELECT * FROM kyt_evaluations WHERE transaction_ref = $1', [ref])).toEqual(evaluated);
    expect(await traces(body.transactionId)).toMatchObject(evaluatedOnce);
  });

  it('cannot bury what another one has completed', async () => {
    const body = aTransaction();
    const [begun, goOn] = [gate(), gate()];
    conclusions.before = async () => {
      conclusions.before = null;
      begun.open();
      await goOn.opened;
      throw new Passing();
    };
    await whilePaused(async () => {
      await api.ingest(body).expect(202);
      await query('UPDATE kyt_work SET attempts = $2 WHERE transaction_ref = $1', [
        await refOf(body.transactionId),
        MAX_ATTEMPTS - 2,
      ]);
      await inRedis(1);
    });
    await begun.opened;
    const ref = await refOf(body.transactionId);
    await query(`UPDATE kyt_work SET due_at = now() - interval '1 second' WHERE transaction_ref = $1`, [ref]);
    await t.app.get(PipelineService).processTransactions([ref]);
    goOn.open();
    await allCompleted([body]);
    await eventually('no job is under way', async () => (await pipelineQueue().getActiveCount()) === 0);
    expect(await traces(body.transactionId)).toMatchObject(evaluatedOnce);
  });

  it('keeps its leases as long as it works on them', async () => {
    const body = aTransaction();
    const goOn = gate();
    conclusions.before = () => goOn.opened;
    await api.ingest(body).expect(202);
    const ref = await refOf(body.transactionId);
    const leases = new Set<string>();
    await eventually('the lease was renewed several times', async () => {
      const rows = await query<{ due_at: Date; fence: number }>(
        `SELECT due_at, fence FROM kyt_work WHERE transaction_ref = $1 AND status = 'PROCESSING'`,
        [ref],
      );
      // Not claimed yet.
      if (leases.size === 0 && rows.length === 0) return false;
      // Nobody else took it meanwhile.
      expect(rows).toMatchObject([{ fence: 1 }]);
      leases.add(rows[0]?.due_at.toISOString() ?? '');
      return leases.size > 6;
    });
    goOn.open();
    await api.settled(body.transactionId, ['COMPLETED']);
    expect(await traces(body.transactionId)).toMatchObject(evaluatedOnce);
  });

  it('leaves its transactions to the reconciler when its lease ends', async () => {
    const bodies = someTransactions(3);
    await whilePaused(async () => {
      await accepted(bodies);
      await inRedis(1);
      // The job is gone, and so is the worker that had claimed its rows.
      await pipelineQueue().empty();
      await query(
        `UPDATE kyt_work SET status = 'PROCESSING', attempts = 1, fence = 1, lease_owner = 'gone:1', due_at = now() + interval '400 ms'
         WHERE transaction_ref = ANY(SELECT id FROM kyt_transactions WHERE transaction_id = ANY($1))`,
        [bodies.map(({ transactionId }) => transactionId)],
      );
    });
    await allCompleted(bodies);
    expect(await metric('vigia_queue_requeued_total')).toBeGreaterThanOrEqual(3);
    for (const { transactionId } of bodies) expect(await traces(transactionId)).toMatchObject(evaluatedOnce);
  });
});

describe('an organisation whose batches take long', () => {
  it('leaves room for the others: theirs are evaluated meanwhile, though they came last', async () => {
    const others = await t.client();
    const busy = someTransactions(300);
    const goOn = gate();
    conclusions.before = async (batch) => {
      if (batch.some(({ organisationId }) => organisationId === client.organisationId)) await goOn.opened;
    };
    await whilePaused(async () => {
      await accepted(busy);
      await inRedis(2);
    });
    await eventually('both places are taken', () => conclusions.batches.length === 2);
    const more = someTransactions(20);
    await accepted(more);
    await eventually('more jobs wait', async () => (await pipelineQueue().getWaitingCount()) > 0);
    const theirs = someTransactions(3);
    await accepted(theirs, t.api.as(others));
    await allCompleted(theirs);
    expect(await count('kyt_evaluations WHERE organisation_id = $1', [others.organisationId])).toBe(3);
    expect(conclusions.batches.flat()).not.toContain(more[0]?.transactionId);
    goOn.open();
    await allCompleted([...busy, ...more]);
    for (const { transactionId } of theirs) expect(await traces(transactionId)).toMatchObject(evaluatedOnce);
  });
});

describe('a queue that lost its jobs', () => {
  const rebuilds = (): Promise<number> => count(`audit_entries WHERE action = 'ops.queue.rebuilt'`);
  const epochKey = (): string => `${t.settings.queuePrefix}:epoch`;

  it.each<[string, (queue: Queue) => Promise<unknown>]>([
    [
      'was emptied',
      async ({ client: redis }) =>
        redis.del(
          ...(await redis.keys(`${t.settings.queuePrefix}*`)).filter((key) => !key.includes('meta-paused')),
        ),
    ],
    [
      'is another one',
      async (queue) => Promise.all([queue.empty(), queue.client.set(epochKey(), 'of somebody else')]),
    ],
  ])('because it %s is filled again, and the trail says so', async (_, lose) => {
    const bodies = someTransactions(300);
    const before = await rebuilds();
    await whilePaused(async () => {
      await accepted(bodies);
      await inRedis(2);
      await lose(pipelineQueue());
    });
    await allCompleted(bodies);
    for (const { transactionId } of bodies.slice(0, 5)) {
      expect(await traces(transactionId)).toMatchObject(evaluatedOnce);
    }
    expect(await rebuilds()).toBe(before + 1);
    const [entry] = await query<{ canonical: Buffer }>(
      `SELECT canonical FROM audit_entries WHERE action = 'ops.queue.rebuilt' ORDER BY subject_seq DESC LIMIT 1`,
    );
    const { content } = JSON.parse(entry?.canonical.toString('utf8') ?? '{}') as {
      content: { 'kyt.pipeline': number };
    };
    expect(content['kyt.pipeline']).toBeGreaterThanOrEqual(1);
    expect(
      await t.app
        .get(AuditTrail)
        .trailStatus({ organisationId: OPERATIONS, type: 'operations', id: 'queue' }),
    ).toMatchObject({
      status: 'COMPLETE',
    });
  });

  it('evaluates nothing twice when the same work is queued many times', async () => {
    const bodies = someTransactions(50);
    await whilePaused(async () => {
      await accepted(bodies);
      const refs = await Promise.all(bodies.map(({ transactionId }) => refOf(transactionId)));
      for (let i = 0; i < 5; i += 1) await pipelineQueue().add({ refs });
      await inRedis(6);
    });
    await allCompleted(bodies);
    await eventually(
      'all jobs are done',
      async () => (await pipelineQueue().count()) === 0 && (await pipelineQueue().getActiveCount()) === 0,
    );
    for (const { transactionId } of bodies.slice(0, 10)) {
      expect(await traces(transactionId)).toMatchObject(evaluatedOnce);
    }
    expect(conclusions.batches.flat()).toHaveLength(50);
  });
});

describe('workers that are behind', () => {
  promised(
    'find fewer and larger jobs, and what is kept for one is kept for half a second at most',
    async () => {
      const bodies: ReturnType<typeof aTransaction>[] = [];
      const relayed = await metric('vigia_outbox_relayed_total');
      await whilePaused(async () => {
        const begin = performance.now();
        // Twenty at a time, as they come under load, so that the relay would have one job for each two.
        while (performance.now() - begin < 2_000) {
          const some = someTransactions(20);
          bodies.push(...some);
          await accepted(some);
        }
        const rounds = Math.ceil((performance.now() - begin) / 400);
        const jobs = await pipelineQueue().count();
        process.stdout.write(`${bodies.length} transactions in ${jobs} jobs\n`);
        // Two before anything is kept back, and one more for each 250 transactions of a round.
        expect(jobs).toBeLessThanOrEqual(2 + rounds + Math.ceil(bodies.length / 250));
        const last = performance.now();
        await eventually('all are handed over', async () => (await count('outbox')) === 0);
        expectWithin(2_000, last);
      });
      expect((await metric('vigia_outbox_relayed_total')) - relayed).toBeGreaterThan(0);
      await allCompleted(bodies);
    },
  );
});

describe('a database that goes away', () => {
  const connections = `FROM pg_stat_activity WHERE datname = current_database() AND usename = 'vigia_app'`;
  const cut = (): Promise<unknown> => query(`SELECT pg_terminate_backend(pid) ${connections}`);

  it('in the middle of everything costs nothing but a retry: 202, 200 or 503 and no other answer', async () => {
    const bodies = someTransactions(100);
    const statuses = new Set<number>();
    const deliver = async (body: object): Promise<void> => {
      for (;;) {
        const { status, headers } = await api.ingest(body);
        statuses.add(status);
        if (status === 503) expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
        if (status === 202 || status === 200) return;
        expect(status).toBe(503);
      }
    };
    const cutting = { on: true };
    const cuts = (async (): Promise<void> => {
      while (cutting.on) {
        await cut();
        // A machine that is slow to connect has the time of some connections between two cuts, or it would never get on.
        const begin = performance.now();
        const connection = new pg.Client(t.database.ownerUrl);
        connection.on('error', () => undefined);
        await connection.connect().catch(() => undefined);
        await connection.end().catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, 50 + 10 * (performance.now() - begin)));
      }
    })();
    for (let from = 0; from < bodies.length; from += 20) {
      await Promise.all(bodies.slice(from, from + 20).map(deliver));
    }
    cutting.on = false;
    await cuts;
    expect([...statuses].filter((status) => ![200, 202, 503].includes(status))).toEqual([]);
    await allCompleted(bodies);
    for (const { transactionId } of bodies) {
      const { evaluations, events, actions } = await traces(transactionId);
      expect({ evaluations, events, actions }).toEqual({
        evaluations: 1,
        events: evaluatedOnce.events,
        actions: evaluatedOnce.actions,
      });
    }
  });

  it('again and again is no attempt of the transactions that it interrupts', async () => {
    const body = aTransaction();
    const interruptions = 2 * MAX_ATTEMPTS;
    conclusions.before = async () => {
      if (conclusions.batches.length > interruptions) return;
      await t.app.get(DataSource).query('SELECT pg_terminate_backend(pg_backend_pid())');
    };
    await accepted([body]);
    await allCompleted([body]);
    expect(conclusions.batches).toHaveLength(interruptions + 1);
    expect(await traces(body.transactionId)).toMatchObject(evaluatedOnce);
  });

  promised('for a while is waited for, and what was queued goes on at once when it is back', async () => {
    const bodies = someTransactions(600);
    await accepted(someTransactions(1));
    await whilePaused(async () => {
      await accepted(bodies);
      await inRedis(3);
    });
    await query(`ALTER DATABASE ${databaseName()} CONNECTION LIMIT 0`);
    await cut();
    const { status, headers } = await api.ingest(aTransaction());
    expect(status).toBe(503);
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await query(`ALTER DATABASE ${databaseName()} CONNECTION LIMIT -1`);
    const back = performance.now();
    await api.ingest(aTransaction()).expect(202);
    await allCompleted(bodies);
    expectWithin(5_000, back);
    expect(await count(`kyt_work WHERE status = 'DEAD_LETTERED' AND failure_code LIKE 'DATABASE%'`)).toBe(0);
  });

  const databaseName = (): string => new URL(t.database.ownerUrl).pathname.slice(1);
});

describe('a service without Redis', () => {
  it('hands jobs over inside the process, and after a restart finishes what was queued', async () => {
    const first = await startTestApp({ withoutRedis: true, settings: quick });
    const own = await first.client();
    const early = someTransactions(10);
    await accepted(early, first.api.as(own));
    await allCompleted(early, first);
    expect(await traces(early[0]?.transactionId ?? '', first)).toMatchObject(evaluatedOnce);
    const late = someTransactions(1_000);
    await accepted(late, first.api.as(own));
    await first.close();
    const second = await startTestApp({ like: first, settings: quick });
    try {
      await allCompleted(late, second);
      await eventually('nothing is left', async () => (await count('kyt_work', [], second)) === 0);
      expect(await count('kyt_evaluations', [], second)).toBe(1_010);
      expect(await count(`events WHERE type = 'kyt.transaction.pipeline.completed'`, [], second)).toBe(1_010);
    } finally {
      await second.close();
    }
  });

  promised(
    'accepts while Redis does not answer, says so, stops in time, and evaluates when Redis is there',
    async () => {
      // Port 9 is "discard": nobody listens.
      const cutOff = await startTestApp({ settings: { ...quick, redisUrl: 'redis://127.0.0.1:9' } });
      const own = await cutOff.client();
      const bodies = someTransactions(20);
      await accepted(bodies, cutOff.api.as(own));
      // The entry of the migrations waits for its seal since the database was made, which may be a while ago.
      await eventually('the log is sealed and Redis is told as away', async () => {
        const { body } = await cutOff.api.get('/health/ready').expect(200);
        const { status, degraded } = body as { status: string; degraded: string[] };
        expect(status).toBe('ok');
        expect(degraded).toContain('redis');
        return degraded.length === 1;
      });
      expect(await count('kyt_evaluations', [], cutOff)).toBe(0);
      const begin = performance.now();
      await cutOff.close();
      expectWithin(5_000, begin);
      const connected = await startTestApp({
        like: cutOff,
        settings: { ...quick, redisUrl: t.settings.redisUrl },
      });
      try {
        await allCompleted(bodies, connected);
      } finally {
        await connected.close();
      }
    },
  );

  it('stops in order while it still waits for the first answer of Redis', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const open = new Set<Socket>();
    silent.on('connection', (socket) => open.add(socket.on('error', () => undefined)));
    try {
      // A rejection that nobody hears fails the test.
      const waiting = await startTestApp({ settings: { ...quick, redisUrl: `redis://127.0.0.1:${port}` } });
      await waiting.app.close();
      await pause(100);
      await waiting.owner.end();
    } finally {
      for (const socket of open) socket.destroy();
      silent.close();
    }
  });
});

describe('a service whose Redis goes away', () => {
  let wire: Wire;
  let wired: TestApp;
  let own: TestClient;
  let held: ScriptedConclusions;

  beforeEach(async () => {
    wire = new Wire(new URL(t.settings.redisUrl ?? ''));
    await wire.mend();
    wired = await startTestApp({
      settings: { ...quick, redisUrl: wire.url, shutdownTimeoutMs: 3_000 },
      override: (builder) => builder.overrideProvider(EvaluationService).useClass(ScriptedConclusions),
    });
    held = wired.app.get(EvaluationService);
    own = await wired.client();
  });

  afterEach(() => {
    wire.cut();
  });

  it('goes on accepting, and evaluates everything when Redis is back', async () => {
    const as = wired.api.as(own);
    const [before, meanwhile] = [someTransactions(50), someTransactions(300)];
    await accepted(before, as);
    wire.cut();
    for (let from = 0; from < meanwhile.length; from += 50) {
      await accepted(meanwhile.slice(from, from + 50), as);
    }
    await eventually('it says so', async () => {
      const { status, body } = await wired.api.get('/health/ready');
      return status === 200 && (body as { degraded: string[] }).degraded.includes('redis');
    });
    await wire.mend();
    await allCompleted([...before, ...meanwhile], wired);
    expect(await count('kyt_evaluations', [], wired)).toBe(350);
    await wired.close();
  });

  promised('stops in good order, with the work that is under way done', async () => {
    const body = aTransaction();
    const [begun, goOn] = [gate(), gate()];
    held.before = async () => {
      begun.open();
      await goOn.opened;
    };
    await wired.api.as(own).ingest(body).expect(202);
    await begun.opened;
    wire.cut();
    const begin = performance.now();
    const closed = wired.close();
    setTimeout(goOn.open, 1_000);
    await closed;
    expectWithin(8_000, begin);
    const next = await startTestApp({ like: wired, settings: { redisUrl: t.settings.redisUrl } });
    try {
      await allCompleted([body], next);
      expect(await traces(body.transactionId, next)).toMatchObject(evaluatedOnce);
    } finally {
      await next.close();
    }
  });
});

describe('an API and a worker of their own', () => {
  let front: TestApp;
  let own: TestClient;

  beforeAll(async () => {
    front = await startTestApp({
      settings: { ...quick, role: 'api', ingestQueueLimit: 1_000, databaseStatementTimeoutMs: 60_000 },
    });
    own = await front.client();
  });

  afterAll(async () => {
    await front.close();
  });

  /**
   * Every order of what workers, reconcilers and operators may do to one transaction, also with fences that are no
   * longer valid, against a model of what must come of it. On the API's own database: no worker interferes.
   */
  it('agree on the life of a transaction, whatever happens in whatever order', async () => {
    const uow = front.app.get(UnitOfWork);
    const work = front.app.get(TransactionWorkRepository);
    const letters = front.app.get(DeadLetterRepository);
    const conclude = composite('test-conclude', {
      clauses: ({ claims }: { claims: readonly Pick<ClaimedTransaction, 'id' | 'fence'>[] }) => [
        concludeClause(claims),
      ],
      every: { claims: [[]] },
      result: selectIds('concluded'),
      shape: { id: 'uuid' },
      prepared: false,
    });
    const body = aTransaction();
    await front.api.as(own).ingest(body).expect(202);
    const ref = await refOf(body.transactionId, front);
    type Op =
      'claim' | 'claim-alone' | 'expire' | 'conclude' | 'release' | 'bury' | 'revive' | 'overdue' | 'all';
    const op = fc.constantFrom<Op>(
      'claim',
      'claim',
      'claim-alone',
      'expire',
      'conclude',
      'release',
      'bury',
      'revive',
      'overdue',
      'all',
    );
    const script = fc.array(fc.record({ op, age: fc.constantFrom(0, 0, 1, 2) }), { maxLength: 25 });

    await fc.assert(
      fc.asyncProperty(script, async (steps) => {
        await query(`DELETE FROM kyt_work WHERE transaction_ref = $1`, [ref], front);
        await query(
          `INSERT INTO kyt_work (transaction_ref, organisation_id, due_at) VALUES ($1, $2, now() + interval '60 seconds')`,
          [ref, own.organisationId],
          front,
        );
        let model = {
          status: 'QUEUED' as TransactionStatus,
          attempts: 0,
          /** The number of the attempt under way: one together with others counts when it fails, one alone at once. */
          attempt: 0,
          fence: 0,
          generation: 1,
          overdue: false,
        };
        for (const { op: step, age } of steps) {
          const claim = { id: ref, fence: model.fence - age, attempt: model.attempt };
          const holds = model.status === 'PROCESSING' && age === 0;
          const failure = { code: 'X', stage: 'Y' };
          const free = model.status === 'QUEUED' || (model.status === 'PROCESSING' && model.overdue);
          const unfinished = model.status === 'QUEUED' || model.status === 'PROCESSING';
          const before = model;
          switch (step) {
            case 'claim':
            case 'claim-alone': {
              const isAlone = step === 'claim-alone';
              const claimed = isAlone
                ? await work.claimAlone(ref, `worker-${age}`, 60_000)
                : await work.claim([ref], `worker-${age}`, 60_000);
              expect(claimed).toHaveLength(free ? 1 : 0);
              if (free) {
                model = {
                  ...model,
                  status: 'PROCESSING',
                  attempts: model.attempts + (isAlone ? 1 : 0),
                  attempt: model.attempts + 1,
                  fence: model.fence + 1,
                  overdue: false,
                };
                expect(claimed[0]).toMatchObject({ fence: model.fence, attempt: model.attempt });
              }
              break;
            }
            case 'expire':
              if (unfinished) {
                await query(
                  `UPDATE kyt_work SET due_at = now() - interval '1 second' WHERE transaction_ref = $1`,
                  [ref],
                  front,
                );
                model = { ...model, overdue: true };
              }
              break;
            case 'conclude':
              expect(await uow.write(system('kyt.claim'), ...conclude({ claims: [claim] }))).toEqual(
                holds ? [{ id: ref }] : [],
              );
              if (holds) model = { ...model, status: 'COMPLETED' };
              break;
            case 'release':
              expect(
                await uow.run(system('queue.reconcile'), (tx) => work.release(tx, claim, failure, 60_000)),
              ).toBe(holds);
              if (holds) model = { ...model, status: 'QUEUED', attempts: model.attempt, overdue: false };
              break;
            case 'bury':
              expect(
                await uow.run(system('queue.reconcile'), (tx) => work.deadLetter(tx, claim, failure)),
              ).toBe(holds);
              if (holds) {
                model = { ...model, status: 'DEAD_LETTERED', attempts: model.attempt, overdue: false };
              }
              break;
            case 'revive': {
              const revived = await uow.run(system('queue.reconcile'), (tx) => letters.replay(tx, [ref]));
              expect(revived.length === 1).toBe(model.status === 'DEAD_LETTERED');
              if (revived.length === 1) {
                model = { ...model, status: 'QUEUED', attempts: 0, generation: model.generation + 1 };
              }
              break;
            }
            case 'overdue':
            case 'all': {
              const taken = await uow.run(system('queue.reconcile'), (tx) =>
                work.requeueUnfinished(tx, step, 100),
              );
              const expected = unfinished && (model.overdue || (step === 'all' && model.status === 'QUEUED'));
              expect(taken.includes(ref)).toBe(expected);
              if (expected) model = { ...model, status: 'QUEUED', overdue: false };
              break;
            }
          }
          if (model.status !== before.status) {
            expect(transactionFlow.allows(before.status, model.status)).toBe(true);
          }
          const [row] = await query<{ status: string; attempts: number; fence: number; generation: number }>(
            'SELECT status, attempts, fence, generation FROM kyt_work WHERE transaction_ref = $1',
            [ref],
            front,
          );
          if (model.status === 'COMPLETED') expect(row).toBeUndefined();
          else {
            expect(row).toMatchObject({
              status: model.status,
              attempts: model.attempts,
              fence: model.fence,
              generation: model.generation,
            });
          }
        }
      }),
      { numRuns: 60 },
    );
    await query(`DELETE FROM kyt_work WHERE transaction_ref = $1`, [ref], front);
  });

  it('refuse with OVERLOADED what finds the queue before the database full, and take it later', async () => {
    const narrow = await startTestApp({ like: front, settings: { role: 'api', ingestQueueLimit: 5 } });
    try {
      const uow = narrow.app.get(UnitOfWork);
      const write = uow.write.bind(uow);
      const { opened, open } = gate();
      let held = 0;
      jest.spyOn(uow, 'write').mockImplementation(async (...given) => {
        held += 1;
        await opened;
        return write(...given);
      });
      const as = narrow.api.as(own);
      // supertest sends when somebody waits for the answer.
      const sent = (body: object): Promise<Answer> => as.ingest(body).then((answer) => answer);
      const bodies = someTransactions(12);
      const answers: Promise<Answer>[] = [];
      // Two flushes are under way, with one submission each; of ten more five wait and five find no room.
      for (const flushes of [1, 2]) {
        answers.push(sent(bodies[flushes - 1] ?? {}));
        await eventually('a flush is under way', () => held === flushes);
      }
      answers.push(...bodies.slice(2).map(sent));
      await eventually(
        'five are refused',
        async () => (await metric('vigia_kyt_overloaded_total', narrow)) === 5,
      );
      open();
      const settled = await Promise.all(answers);
      const refused = bodies.filter((_, i) => settled[i]?.status === 503);
      expect(settled.map(({ status }) => status).sort()).toEqual([
        ...Array<number>(7).fill(202),
        ...Array<number>(5).fill(503),
      ]);
      for (const answer of settled.filter(({ status }) => status === 503)) {
        expectError(answer, 503, 'OVERLOADED');
        expect(answer.headers['retry-after']).toBe('1');
      }
      const ids = (some: typeof bodies): string[] => some.map(({ transactionId }) => transactionId);
      const stored = (some: typeof bodies): Promise<number> =>
        count('kyt_transactions WHERE transaction_id = ANY($1)', [ids(some)], front);
      expect([await stored(bodies), await stored(refused)]).toEqual([7, 0]);
      for (const body of refused) await as.ingest(body).expect(202);
      expect(await stored(bodies)).toBe(12);
    } finally {
      await narrow.close();
    }
  });

  it('work together: what the one accepts, the other evaluates', async () => {
    const bodies = someTransactions(200);
    await accepted(bodies, front.api.as(own));
    expect(await count('kyt_evaluations', [], front)).toBe(0);
    const worker = await startTestApp({ like: front, settings: { role: 'worker' } });
    try {
      await allCompleted(bodies, front);
      await eventually(
        'what was accepted before is evaluated too',
        async () => (await count('kyt_work', [], front)) === 0,
      );
      expect(await traces(bodies[0]?.transactionId ?? '', front)).toMatchObject(evaluatedOnce);
    } finally {
      await worker.close();
    }
  });
});

describe('a shutdown', () => {
  it('in the middle of 500 submissions loses none that was acknowledged', async () => {
    const stopping = await startTestApp({ settings: quick });
    const own = await stopping.client();
    const bodies = someTransactions(500);
    const acknowledged: string[] = [];
    const agent = new Agent({ keepAlive: true, maxSockets: 100 });
    const first = gate();
    const all = bodies.map(async (body) => {
      const status = await post(agent, stopping.url, own, body);
      if (status === 202) acknowledged.push(body.transactionId);
      first.open();
    });
    await first.opened;
    await stopping.close();
    await Promise.all(all);
    agent.destroy();
    expect(acknowledged.length).toBeGreaterThan(0);
    const next = await startTestApp({ like: stopping });
    try {
      await allCompleted(
        acknowledged.map((transactionId) => ({ transactionId })),
        next,
      );
      await eventually('nothing is left', async () => (await count('kyt_work', [], next)) === 0);
      const stored = await count('kyt_transactions', [], next);
      expect(stored).toBeGreaterThanOrEqual(acknowledged.length);
      expect(await count('kyt_evaluations', [], next)).toBe(stored);
      expect(await count(`events WHERE type = 'kyt.transaction.pipeline.completed'`, [], next)).toBe(stored);
      // Some are late for each other, of one device and within milliseconds, and are answered afterwards.
      await eventually('nothing is left to do', async () => (await count('outbox', [], next)) === 0);
    } finally {
      await next.close();
    }
  });

  promised('does not wait for callers that always have one more request', async () => {
    const service = await startService(Settings.of({ ...t.settings, logLevel: 'silent', role: 'api' }));
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const statuses = new Set<number>();
    let stopped = false;
    const callers = Array.from({ length: 8 }, async () => {
      while (!stopped) {
        const status = await post(agent, service.url, client, aTransaction());
        statuses.add(status);
        if (status === 0) return;
      }
    });
    await eventually('they are served', () => statuses.has(202));
    const begin = performance.now();
    await service.close();
    stopped = true;
    await Promise.all(callers);
    agent.destroy();
    expectWithin(3_000, begin);
    // 0: the connection was refused, after the last answer.
    expect([...statuses].filter((status) => ![0, 202, 200].includes(status))).toEqual([]);
  });

  function post(agent: Agent, url: string, as: TestClient, body: object): Promise<number> {
    return new Promise((resolve) => {
      const request = send(`${url}/kyt/transactions/ingest`, {
        agent,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-client-id': as.clientId,
          'x-client-secret': as.clientSecret,
        },
      });
      request.on('response', (response) => {
        response.resume();
        response.on('close', () => {
          resolve(response.statusCode ?? 0);
        });
      });
      request.on('error', () => {
        resolve(0);
      });
      request.end(JSON.stringify(body));
    });
  }
});

describe('a start', () => {
  const boot = async (
    extra: { controllers?: Type[]; imports?: Type[] },
    changes: Partial<Settings> = {},
  ): Promise<void> => {
    const settings = Settings.of({ ...t.settings, redisUrl: null, ...changes });
    const logger = new StructuredLogger({ level: 'silent', file: '/dev/null', name: 'Vigia', role: 'all' });
    const builder = Test.createTestingModule({
      controllers: extra.controllers ?? [],
      imports: [AppModule.with(settings, logger), ...(extra.imports ?? [])],
    }).setLogger(logger);
    const app = (await builder.compile()).createNestApplication({ logger });
    try {
      await app.init();
    } finally {
      await app.close();
    }
  };

  it('is refused when a route does not say who may call it', async () => {
    @Controller('forgotten')
    class ForgottenController {
      // oxlint-disable-next-line house/routes-declare-access -- what the boot has to refuse
      @Get('door')
      open(): string {
        return 'open';
      }
    }
    await expect(boot({ controllers: [ForgottenController] })).rejects.toThrow(
      'Routes without an access declaration: GET /forgotten/door (ForgottenController.open)',
    );
  });

  it('is refused when a queue has two processors', async () => {
    @Processor('kyt.pipeline')
    class SecondProcessor {
      @Process('second')
      run(): void {
        new Logger('never').log('never');
      }

      async findUnfinished(): Promise<string[]> {
        return [];
      }
    }
    @Module({ providers: [SecondProcessor] })
    class SecondModule {}
    await expect(boot({ imports: [SecondModule] })).rejects.toThrow(
      /kyt\.pipeline has 2 processors \(.*SecondProcessor\.run/,
    );
  });

  it('is refused as the owner of the tables, who could rewrite the audit trail', async () => {
    await expect(boot({}, { databaseUrl: t.database.ownerUrl })).rejects.toThrow(
      'could rewrite the audit trail',
    );
  });

  it('is refused in production on a database that acknowledges what is not on the disk', async () => {
    const [row] = await query<{ fsync: string }>('SHOW fsync');
    if (row?.fsync === 'on') return; // the database is somebody's own, and safe
    await expect(boot({}, { nodeEnv: 'production' })).rejects.toThrow('fsync=off');
  });

  it('is refused with wrong settings, all of them named, none of them quoted', () => {
    const env = {
      DATABASE_URL: 'mysql://root:CANARY-password@db/x',
      REDIS_URL: 'CANARY-redis',
      KEY_RING: 'k1:CANARY-ring',
      INDEX_KEY: 'CANARY-index',
      PORT: 'CANARY-port',
      PIPELINE_MAX_ATTEMPTS: '-1',
      WEBHOOK_REQUIRE_HTTPS: 'CANARY-maybe',
    };
    const refusal = ((): unknown => {
      try {
        return readSettings(env);
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toBeInstanceOf(SettingsError);
    const { message } = refusal as SettingsError;
    for (const name of [...Object.keys(env), 'CLIENT_SECRET_PEPPER']) expect(message).toContain(name);
    expect(message).not.toContain('CANARY');
  });

  it('that is refused ends the process with code 1 and says why on standard error', () => {
    const env = { PATH: process.env['PATH'], NODE_ENV: 'development', KEY_RING: 'CANARY' };
    const { status, stderr, stdout } = spawnSync(process.execPath, fromSource('main.ts'), {
      env,
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr).toContain('KEY_RING must be distinct entries');
    expect(stderr).toContain('INDEX_KEY is required');
    expect(stderr + stdout).not.toContain('CANARY');
  });
});
