import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '../database/index.js';
import { Outbox, queues, Reconciler, type WorkSource } from '../queue/index.js';
import { SessionWorkRepository } from './store/session-work.repository.js';

// What was announced is normally taken within milliseconds; after this it is announced again.
const QUIET_SECONDS = 10;

/** Tells the reconciler which sessions still wait for their checks. */
@Injectable()
export class SessionWorkSource implements WorkSource, OnModuleInit {
  readonly name = 'sessions';

  constructor(
    private readonly work: SessionWorkRepository,
    private readonly outbox: Outbox,
    private readonly reconciler: Reconciler,
  ) {}

  onModuleInit(): void {
    this.reconciler.register(this);
  }

  async requeueLost(tx: Tx): Promise<number> {
    return this.append(tx, await this.work.unannounced(tx, 'overdue', QUIET_SECONDS));
  }

  async requeueAll(tx: Tx): Promise<number> {
    return this.append(tx, await this.work.unannounced(tx, 'all', 0));
  }

  private append(tx: Tx, ids: readonly string[]): number {
    const { batchSize } = queues['sessions.checks'];
    for (let from = 0; from < ids.length; from += batchSize) {
      this.outbox.append(tx, 'sessions.checks', ids.slice(from, from + batchSize));
    }
    return ids.length;
  }
}
