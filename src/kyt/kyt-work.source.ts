import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '../database/index.js';
import { Outbox, queues, Reconciler, type WorkSource } from '../queue/index.js';
import { WorkRepository } from './store/work.repository.js';

// One round re-queues at most this much; the next one follows in seconds.
const LOST_LIMIT = 5_000;

/** Tells the reconciler which transactions still wait for their evaluation. */
@Injectable()
export class KytWorkSource implements WorkSource, OnModuleInit {
  readonly name = 'kyt';

  constructor(
    private readonly work: WorkRepository,
    private readonly outbox: Outbox,
    private readonly reconciler: Reconciler,
  ) {}

  onModuleInit(): void {
    this.reconciler.register(this);
  }

  async requeueLost(tx: Tx): Promise<number> {
    return this.append(tx, await this.work.takeUnfinished(tx, 'overdue', LOST_LIMIT));
  }

  async requeueAll(tx: Tx): Promise<number> {
    return this.append(tx, await this.work.takeUnfinished(tx, 'all', Number.MAX_SAFE_INTEGER));
  }

  private append(tx: Tx, ids: readonly string[]): number {
    const { batchSize } = queues['kyt.pipeline'];
    for (let from = 0; from < ids.length; from += batchSize) {
      this.outbox.append(tx, 'kyt.pipeline', ids.slice(from, from + batchSize));
    }
    return ids.length;
  }
}
