import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '../database/index.js';
import { Outbox, Reconciler, type WorkSource } from '../queue/index.js';
import { StepUpRepository } from './store/step-up.repository.js';

const QUIET_SECONDS = 30;

/** Tells the reconciler which finished sessions still owe their transactions another evaluation. */
@Injectable()
export class StepUpWorkSource implements WorkSource, OnModuleInit {
  readonly name = 'step-ups';

  constructor(
    private readonly stepUps: StepUpRepository,
    private readonly outbox: Outbox,
    private readonly reconciler: Reconciler,
  ) {}

  onModuleInit(): void {
    this.reconciler.register(this);
  }

  async requeueLost(tx: Tx): Promise<number> {
    return this.append(tx, await this.stepUps.unannounced(tx, QUIET_SECONDS));
  }

  async requeueAll(tx: Tx): Promise<number> {
    return this.append(tx, await this.stepUps.unannounced(tx, 0));
  }

  private append(tx: Tx, ids: readonly string[]): number {
    for (const id of ids) this.outbox.append(tx, 'kyt.step-up-finished', [id]);
    return ids.length;
  }
}
