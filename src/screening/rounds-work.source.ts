import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '../database/index.js';
import { Outbox, Reconciler, type WorkSource } from '../queue/index.js';
import { RoundRepository } from './store/round.repository.js';

/** Tells the reconciler which rounds over the customers nobody carries on. */
@Injectable()
export class RoundsWorkSource implements WorkSource, OnModuleInit {
  readonly name = 'screening';

  constructor(
    private readonly rounds: RoundRepository,
    private readonly outbox: Outbox,
    private readonly reconciler: Reconciler,
  ) {}

  onModuleInit(): void {
    this.reconciler.register(this);
  }

  async requeueLost(tx: Tx): Promise<number> {
    return this.append(tx, await this.rounds.unfinished(tx, 'overdue'));
  }

  async requeueAll(tx: Tx): Promise<number> {
    return this.append(tx, await this.rounds.unfinished(tx, 'all'));
  }

  private append(tx: Tx, ids: readonly string[]): number {
    for (const id of ids) this.outbox.append(tx, 'screening.rounds', [id]);
    return ids.length;
  }
}
