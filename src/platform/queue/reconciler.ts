import { randomUUID } from 'node:crypto';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Settings } from '../config/index.js';
import {
  CommitMarks,
  isDatabaseUnavailable,
  system,
  tryLock,
  UnitOfWork,
  type QuietCheck,
  type Tx,
} from '../database/index.js';
import { describeFailure, WorkLoop } from '../kernel/index.js';
import { Outbox } from './outbox.js';
import { Processors, type FoundProcessor, type UnfinishedScope } from './processors.js';
import { QueueMetrics } from './queue-metrics.js';
import { queues } from './queues.js';
import { QueueEpochEntity } from './store/entities.js';
import { QueueTransport } from './transports/transport.js';

/** Called after the queue was found emptied, in the transaction that queues all unfinished work again. */
export type RebuiltListener = (tx: Tx, requeued: Readonly<Record<string, number>>) => Promise<void>;

/** The id of an advisory lock (any constant): one reconciler runs at a time over all processes. */
export const RECONCILE_LOCK = 7_418_290_113;
// While nothing is committed, leases still expire: lost work is looked for after so many intervals.
const QUIET_INTERVALS = 5;

/**
 * Finds work without a job. At each interval it compares the epoch in the queue with the epoch in PostgreSQL. They differ
 * if the queue was lost (FLUSHALL, a fail-over to an empty replica, another database); then all unfinished work is queued
 * again. Otherwise only overdue work is queued again.
 */
@Injectable()
export class Reconciler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(Reconciler.name);
  private foundProcessors: readonly FoundProcessor[] = [];
  private readonly listeners: RebuiltListener[] = [];
  private readonly loop = new WorkLoop(() => this.round());
  private isFailing = false;
  private readonly quietCheck: QuietCheck;
  /** The processors with rows that may become due by time alone, as the last look that found nothing to do saw them. */
  private planned: readonly FoundProcessor[] = [];
  /** The epoch in PostgreSQL, as it was read last. */
  private knownEpoch: string | null = null;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly transport: QueueTransport,
    private readonly processors: Processors,
    private readonly outbox: Outbox,
    private readonly settings: Settings,
    private readonly queueMetrics: QueueMetrics,
    marks: CommitMarks,
  ) {
    this.quietCheck = marks.newCheck(QUIET_INTERVALS * settings.reconcileIntervalMs);
  }

  onRebuilt(listener: RebuiltListener): void {
    this.listeners.push(listener);
  }

  onApplicationBootstrap(): void {
    // A process that takes no jobs has no processors; other processes reconcile.
    this.foundProcessors = this.processors.find();
    if (this.foundProcessors.length > 0) this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  private async round(): Promise<number> {
    try {
      const epoch = await this.transport.readEpoch().catch(() => undefined);
      const isQuiet = await this.quietCheck.isQuiet();
      const isKnown = isQuiet && epoch !== null && epoch === this.knownEpoch;
      if (epoch !== undefined && !isKnown) await this.rebuildIfEmptied(epoch);
      if (isQuiet) {
        if (this.planned.length > 0) await this.requeueOverdue(this.planned);
      } else if (!(await this.requeueOverdue(this.foundProcessors))) {
        this.planned = await this.findPlanned();
        this.quietCheck.settle();
      }
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) {
        const isAway = isDatabaseUnavailable(error);
        this.logger.error(
          isAway
            ? `reconciling waits for the database: ${describeFailure(error)}`
            : `reconciling failed: ${describeFailure(error)}`,
        );
      }
      this.isFailing = true;
    }
    return this.settings.reconcileIntervalMs;
  }

  /** Returns true if overdue rows got a job, false also if another process reconciles. */
  private async requeueOverdue(processors: readonly FoundProcessor[]): Promise<boolean> {
    return this.uow.run(system('queue.reconcile'), async (tx) => {
      if (!(await tryLock(tx, RECONCILE_LOCK))) return false;
      let requeued = 0;
      for (const processor of processors) requeued += await this.requeue(tx, processor, 'overdue');
      return requeued > 0;
    });
  }

  private async findPlanned(): Promise<FoundProcessor[]> {
    return this.uow.run(system('queue.reconcile'), async (tx) => {
      const planned: FoundProcessor[] = [];
      for (const processor of this.foundProcessors) {
        if (processor.hasPlanned && (await processor.hasPlanned(tx))) planned.push(processor);
      }
      return planned;
    });
  }

  private async rebuildIfEmptied(remembered: string | null): Promise<void> {
    const epoch = await this.uow.run(system('queue.reconcile'), async (tx) => {
      // The epoch is null before the first start of an installation.
      const storedEpoch = (await tx.findOneBy(QueueEpochEntity, { singleton: true }))?.epoch ?? null;
      this.knownEpoch = storedEpoch;
      if (storedEpoch !== null && storedEpoch === remembered) return null;
      if (!(await tryLock(tx, RECONCILE_LOCK))) return null;
      // Another process may have rebuilt the queue after this process read the epoch and before it got the lock.
      if (storedEpoch !== null && storedEpoch === (await this.transport.readEpoch())) return null;
      const fresh = randomUUID();
      const requeued: Record<string, number> = {};
      for (const processor of this.foundProcessors) {
        requeued[processor.queue] = await this.requeue(tx, processor, 'all');
      }
      const now = { singleton: true, epoch: fresh, setAt: () => 'now()' };
      await tx.upsert(QueueEpochEntity, now, ['singleton']);
      // At the first start of an installation nothing was lost.
      if (storedEpoch !== null) {
        for (const listener of this.listeners) await listener(tx, requeued);
        this.logger.warn(`the queue was empty or not ours: ${JSON.stringify(requeued)} queued again`);
      }
      return fresh;
    });
    // If this write fails, the next run rebuilds again: jobs are repeated, never lost.
    if (epoch !== null) await this.transport.writeEpoch(epoch);
  }

  /** Writes jobs for rows that have none, and returns their number. */
  private async requeue(tx: Tx, processor: FoundProcessor, which: UnfinishedScope): Promise<number> {
    const { queue } = processor;
    const refs = await processor.findUnfinished(tx, which);
    const { batchSize } = queues[queue];
    for (let from = 0; from < refs.length; from += batchSize) {
      this.outbox.append(tx, queue, refs.slice(from, from + batchSize));
    }
    const reason = which === 'all' ? 'rebuilt' : 'lost';
    if (refs.length > 0) this.queueMetrics.requeued.inc({ source: queue, reason }, refs.length);
    return refs.length;
  }
}
