import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '../database/index.js';
import { Outbox, Reconciler, type WorkSource } from '../queue/index.js';
import { BacktestRepository } from './store/backtest.repository.js';

/** Tells the reconciler which back-tests still have to be run. */
@Injectable()
export class BacktestWorkSource implements WorkSource, OnModuleInit {
  readonly name = 'backtests';

  constructor(
    private readonly backtests: BacktestRepository,
    private readonly outbox: Outbox,
    private readonly reconciler: Reconciler,
  ) {}

  onModuleInit(): void {
    this.reconciler.register(this);
  }

  async requeueLost(tx: Tx): Promise<number> {
    return this.append(tx, await this.backtests.takeWaiting(tx, 'overdue'));
  }

  async requeueAll(tx: Tx): Promise<number> {
    return this.append(tx, await this.backtests.takeWaiting(tx, 'all'));
  }

  private append(tx: Tx, ids: readonly string[]): number {
    for (const id of ids) this.outbox.append(tx, 'rules.backtest', [id]);
    return ids.length;
  }
}
