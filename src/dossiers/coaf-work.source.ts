import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '../database/index.js';
import { Outbox, queues, Reconciler, type WorkSource } from '../queue/index.js';
import { CommunicationRepository } from './store/communication.repository.js';

// One round re-queues at most this much; the next one follows in seconds.
const LOST_LIMIT = 1_000;
const ALL_LIMIT = 100_000;

/** Tells the reconciler which operations in cash and which decisions to communicate nobody has taken up. */
@Injectable()
export class CoafWorkSource implements WorkSource, OnModuleInit {
  readonly name = 'dossiers';

  constructor(
    private readonly communications: CommunicationRepository,
    private readonly outbox: Outbox,
    private readonly reconciler: Reconciler,
  ) {}

  onModuleInit(): void {
    this.reconciler.register(this);
  }

  async requeueLost(tx: Tx): Promise<number> {
    return this.append(tx, [
      ...(await this.communications.lostCash(tx, 'overdue', LOST_LIMIT)),
      ...(await this.communications.lostDecisions(tx, LOST_LIMIT)),
    ]);
  }

  async requeueAll(tx: Tx): Promise<number> {
    return this.append(tx, [
      ...(await this.communications.lostCash(tx, 'all', ALL_LIMIT)),
      ...(await this.communications.lostDecisions(tx, ALL_LIMIT)),
    ]);
  }

  private append(tx: Tx, ids: readonly string[]): number {
    const { batchSize } = queues['dossiers.coaf'];
    for (let from = 0; from < ids.length; from += batchSize) {
      this.outbox.append(tx, 'dossiers.coaf', ids.slice(from, from + batchSize));
    }
    return ids.length;
  }
}
