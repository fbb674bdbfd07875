import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '../database/index.js';
import { Outbox, Reconciler, type WorkSource } from '../queue/index.js';
import { EventFeedQueries } from './store/event-feed.queries.js';
import { RecoveriesRepository } from './store/recoveries.repository.js';

// Longer than a chunk and its pauses take: a recovery untouched for so long has lost its worker.
const IDLE_SECONDS = 15;

/** Brings back recoveries whose job got lost, and notes the position of the feed every minute. */
@Injectable()
export class RecoveryWorkSource implements WorkSource, OnModuleInit {
  readonly name = 'recoveries';

  constructor(
    private readonly reconciler: Reconciler,
    private readonly recoveries: RecoveriesRepository,
    private readonly feed: EventFeedQueries,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    this.reconciler.register(this);
  }

  async requeueLost(tx: Tx): Promise<number> {
    await this.feed.mark(tx);
    return this.append(tx, await this.recoveries.unfinished(tx, IDLE_SECONDS));
  }

  async requeueAll(tx: Tx): Promise<number> {
    return this.append(tx, await this.recoveries.unfinished(tx, 0));
  }

  private append(tx: Tx, ids: readonly string[]): number {
    for (const id of ids) this.outbox.append(tx, 'webhooks.recovery', [id]);
    return ids.length;
  }
}
