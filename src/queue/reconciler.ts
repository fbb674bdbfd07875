import { randomUUID } from 'node:crypto';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Settings } from '../config/index.js';
import { execute, isDatabaseAway, system, UnitOfWork, type Tx } from '../database/index.js';
import { WorkLoop } from '../kernel/index.js';
import { QueueMetrics } from './queue-metrics.js';
import { QueueTransport } from './transport.js';

/**
 * Durable work that some queue's jobs point at. A feature registers its own; the reconciler asks all of them.
 * Both methods write outbox messages in `tx` and return how many pieces of work they queued again.
 */
export interface WorkSource {
  readonly name: string;
  /** Work whose lease or due time has passed without anybody finishing it. */
  requeueLost(tx: Tx): Promise<number>;
  /** All unfinished work: the queue was emptied. */
  requeueAll(tx: Tx): Promise<number>;
}

/** Called in the same transaction when the queue was found emptied and has been rebuilt. */
export type RebuiltListener = (tx: Tx, requeued: Readonly<Record<string, number>>) => Promise<void>;

// Any constant: one reconciler at a time over all processes.
const RECONCILE_LOCK = 7_418_290_113;

/**
 * Makes the queue disposable. Every interval it compares the epoch that the queue remembers with the one in
 * PostgreSQL (they differ after FLUSHALL, a fail-over to an empty replica or a wrong database) and re-queues
 * everything, or else re-queues what was lost piece by piece.
 */
@Injectable()
export class Reconciler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(Reconciler.name);
  private readonly sources: WorkSource[] = [];
  private readonly listeners: RebuiltListener[] = [];
  private readonly loop = new WorkLoop(() => this.round());
  private failing = false;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly transport: QueueTransport,
    private readonly settings: Settings,
    private readonly metrics: QueueMetrics,
  ) {}

  register(source: WorkSource): void {
    this.sources.push(source);
  }

  onRebuilt(listener: RebuiltListener): void {
    this.listeners.push(listener);
  }

  onApplicationBootstrap(): void {
    // Processes without workers have no sources; the others' reconcilers do the work.
    if (this.sources.length > 0) this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  private async round(): Promise<number> {
    try {
      const epoch = await this.transport.readEpoch().catch(() => undefined);
      if (epoch !== undefined) await this.rebuildIfEmptied(epoch);
      await this.uow.run(system('queue.reconcile'), async (tx) => {
        if (!(await takeTurn(tx))) return;
        for (const source of this.sources) {
          this.count(source, 'lost', await source.requeueLost(tx));
        }
      });
      this.failing = false;
    } catch (error) {
      if (!this.failing) {
        const away = isDatabaseAway(error);
        this.logger.error(
          away ? 'reconciling waits for the database' : `reconciling failed: ${nameOf(error)}`,
        );
      }
      this.failing = true;
    }
    return this.settings.reconcileIntervalMs;
  }

  private async rebuildIfEmptied(remembered: string | null): Promise<void> {
    const epoch = await this.uow.run(system('queue.reconcile'), async (tx) => {
      const [row] = await execute<{ epoch: string }>(tx, { text: 'SELECT epoch FROM queue_epoch' }, []);
      if (row?.epoch === remembered) return null;
      if (!(await takeTurn(tx))) return null;
      // Another process may have rebuilt between our look at the queue and our turn.
      if (row?.epoch === (await this.transport.readEpoch())) return null;
      const fresh = randomUUID();
      const requeued: Record<string, number> = {};
      for (const source of this.sources) {
        requeued[source.name] = await source.requeueAll(tx);
        this.count(source, 'rebuilt', requeued[source.name] ?? 0);
      }
      await execute(
        tx,
        {
          text: `INSERT INTO queue_epoch (singleton, epoch) VALUES (true, $1)
                 ON CONFLICT (singleton) DO UPDATE SET epoch = excluded.epoch, set_at = now()`,
        },
        [fresh],
      );
      // A first start has nothing to rebuild and nothing to report.
      if (row) {
        for (const listener of this.listeners) await listener(tx, requeued);
        this.logger.warn(`the queue was empty or not ours: ${JSON.stringify(requeued)} queued again`);
      }
      return fresh;
    });
    // If this write fails the next round rebuilds once more: repeated, never lost.
    if (epoch !== null) await this.transport.writeEpoch(epoch);
  }

  private count(source: WorkSource, reason: 'lost' | 'rebuilt', amount: number): void {
    if (amount > 0) this.metrics.requeued.inc({ source: source.name, reason }, amount);
  }
}

async function takeTurn(tx: Tx): Promise<boolean> {
  const [row] = await execute<{ mine: boolean }>(
    tx,
    { text: 'SELECT pg_try_advisory_xact_lock($1) AS mine' },
    [RECONCILE_LOCK],
  );
  return row?.mine === true;
}

const nameOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : 'unknown error';
