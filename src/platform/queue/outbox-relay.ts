import { randomUUID } from 'node:crypto';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CommitMarks, noOrganisation, UnitOfWork, type QuietCheck, type Tx } from '../database/index.js';
import { describeFailure } from '../kernel/index.js';
import { QueueMetrics } from './queue-metrics.js';
import { queues, type QueueName } from './queues.js';
import { RelaySignal } from './relay-signal.js';
import { CLAIM_LIMIT, claimMessages, hasMessages, type OutboxRow } from './store/outbox.statements.js';
import { QueueTransport, type QueuedJob } from './transports/transport.js';

// Polls as a fallback: a wake-up may be lost with its process, and commits of other processes wake no relay here. A
// relay that has carried nothing for a while polls less often.
const POLL_MS = 100;
const IDLE_POLL_MS = 500;
const IDLE_AFTER_MS = 5_000;
// A lone commit is relayed after 5 ms. Under load a longer wait lets one job carry the rows of many commits: a job costs
// nearly the same for one transaction as for fifty.
const MERGE_MS = 5;
const BUSY_MERGE_MS = 40;
// The longer wait is worthwhile if at least this many references arrive during it.
const BUSY_REFS = 2;
// While jobs of this queue wait for a worker, more jobs would only queue up behind them. Their references are held back for
// larger jobs: with 120 transactions per job instead of 38, each takes a quarter of the worker's CPU time.
const HELD_QUEUE: QueueName = 'kyt.pipeline';
const HELD_FROM_JOBS = 2;
const MAX_HOLD_MS = 400;
const BACKOFF_MS = [100, 250, 500, 1_000, 2_000] as const;

/**
 * Relays outbox rows to the queue: claims them (SKIP LOCKED, so any number of relays share the work), sends them, deletes
 * them, commits. A crash can send a job twice; the worker's claim ignores the repetition.
 */
@Injectable()
export class OutboxRelay implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(OutboxRelay.name);
  private timer: NodeJS.Timeout | undefined;
  private runningRound: Promise<void> | undefined;
  private dueAt = 0;
  private mergeMs = MERGE_MS;
  private lastCarriedAt = 0;
  private isHolding = false;
  private releasedAt = 0;
  private wakeUps = 0;
  private wakeUpsSeen = 0;
  private isStopped = false;
  private failuresInRow = 0;
  private readonly quietCheck: QuietCheck;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly transport: QueueTransport,
    private readonly relaySignal: RelaySignal,
    private readonly queueMetrics: QueueMetrics,
    marks: CommitMarks,
  ) {
    this.quietCheck = marks.newCheck();
  }

  onApplicationBootstrap(): void {
    this.relaySignal.onWake(() => {
      this.wakeUps += 1;
      if (!this.runningRound && this.failuresInRow === 0) this.schedule(this.mergeMs);
    });
    this.schedule(0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.runningRound;
  }

  /** Schedules the next run. An earlier timer stays; otherwise frequent wake-ups would postpone the run for ever. */
  private schedule(delayMs: number): void {
    const due = performance.now() + delayMs;
    if (this.isStopped || (this.timer !== undefined && this.dueAt <= due)) return;
    clearTimeout(this.timer);
    this.dueAt = due;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.runningRound = this.runRound().finally(() => {
        this.runningRound = undefined;
      });
    }, delayMs);
  }

  private async runRound(): Promise<void> {
    const isPoll = this.wakeUps === this.wakeUpsSeen && !this.isHolding;
    this.wakeUpsSeen = this.wakeUps;
    let next: number = performance.now() - this.lastCarriedAt < IDLE_AFTER_MS ? POLL_MS : IDLE_POLL_MS;
    try {
      const carried = isPoll && !(await this.isAnyWaiting()) ? 0 : await this.carry();
      if (this.failuresInRow > 0) this.logger.log('queue transport is back');
      this.failuresInRow = 0;
      if (carried === CLAIM_LIMIT) next = 0;
      else if (this.isHolding || this.wakeUps > this.wakeUpsSeen) next = this.mergeMs;
    } catch (error) {
      // The rows remain in the outbox and are only late.
      if (this.failuresInRow === 0) {
        this.logger.warn(`jobs wait in the outbox: ${describeFailure(error)}`);
      }
      next = BACKOFF_MS[Math.min(this.failuresInRow, BACKOFF_MS.length - 1)] ?? POLL_MS;
      this.failuresInRow += 1;
      this.queueMetrics.relayFailures.inc();
    }
    this.schedule(next);
  }

  /** Sets the wait before the next run: longer if references arrive at a rate that makes merging worthwhile. */
  private setPace(refs: number): void {
    const now = performance.now();
    const perMs = refs / Math.max(now - this.lastCarriedAt, 1);
    this.mergeMs = perMs * BUSY_MERGE_MS >= BUSY_REFS ? BUSY_MERGE_MS : MERGE_MS;
    this.lastCarriedAt = now;
  }

  /** Returns true if the workers have a backlog, so that new references are held back for a larger job. */
  private async shouldHold(): Promise<boolean> {
    if (this.mergeMs !== BUSY_MERGE_MS || performance.now() - this.releasedAt > MAX_HOLD_MS) return false;
    return (await this.transport.countWaiting(HELD_QUEUE)) >= HELD_FROM_JOBS;
  }

  /** Checks for messages with one read at most, so that polling an idle database needs no transaction. */
  private async isAnyWaiting(): Promise<boolean> {
    if (await this.quietCheck.isQuiet()) return false;
    const isAny = await this.uow.read(noOrganisation, hasMessages);
    if (!isAny) this.quietCheck.settle();
    return isAny;
  }

  /** Claims, sends and commits once. This transaction alone waits for another system (Redis), for at most 2 s. */
  private async carry(): Promise<number> {
    this.isHolding = await this.shouldHold();
    if (!this.isHolding) this.releasedAt = performance.now();
    return this.uow.run(noOrganisation, async (tx: Tx) => {
      const rows = await claimMessages(tx, this.isHolding ? HELD_QUEUE : null);
      if (rows.length > 0) {
        const jobs = mergeIntoJobs(rows);
        await this.transport.send(jobs);
        const refs = jobs.reduce((sum, job) => sum + job.payload.refs.length, 0);
        if (!this.isHolding) this.setPace(refs);
        this.queueMetrics.relayed.inc(rows.length);
      }
      return rows.length;
    });
  }
}

/** Merges the references of many messages into as few jobs as the batch size of their queue allows. */
export function mergeIntoJobs(rows: readonly OutboxRow[]): QueuedJob[] {
  const byQueue = new Map<QueueName, string[]>();
  for (const row of rows) {
    const refs = byQueue.get(row.queue) ?? [];
    refs.push(...row.payload.refs);
    byQueue.set(row.queue, refs);
  }
  const jobs: QueuedJob[] = [];
  for (const [queue, refs] of byQueue) {
    const size = queues[queue].batchSize;
    for (let from = 0; from < refs.length; from += size) {
      jobs.push({ queue, jobId: randomUUID(), payload: { refs: refs.slice(from, from + size) } });
    }
  }
  return jobs;
}
