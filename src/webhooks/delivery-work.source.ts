import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '../database/index.js';
import { Outbox, queues, Reconciler, type WorkSource } from '../queue/index.js';
import { DeliveriesRepository } from './store/deliveries.repository.js';

const PER_ENDPOINT = 1_000;
const PER_ROUND = 5_000;
const REBUILD_PER_ENDPOINT = 5_000;
const REBUILD_LIMIT = 20_000;

/** Brings back deliveries that nobody was told of: those whose time has come, and those that the queue lost. */
@Injectable()
export class DeliveryWorkSource implements WorkSource, OnModuleInit {
  readonly name = 'webhooks';

  constructor(
    private readonly reconciler: Reconciler,
    private readonly deliveries: DeliveriesRepository,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    this.reconciler.register(this);
  }

  /** Also the way of every retry: its time has come, and nobody else announces it. */
  async requeueLost(tx: Tx): Promise<number> {
    return this.append(tx, await this.deliveries.wake(tx, false, PER_ENDPOINT, PER_ROUND));
  }

  /** What lies beyond the limits comes with the next rounds of requeueLost. */
  async requeueAll(tx: Tx): Promise<number> {
    return this.append(tx, await this.deliveries.wake(tx, true, REBUILD_PER_ENDPOINT, REBUILD_LIMIT));
  }

  private append(tx: Tx, ids: readonly string[]): number {
    const { batchSize } = queues['webhooks.delivery'];
    for (let from = 0; from < ids.length; from += batchSize) {
      this.outbox.append(tx, 'webhooks.delivery', ids.slice(from, from + batchSize));
    }
    return ids.length;
  }
}
