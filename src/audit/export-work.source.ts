import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '../database/index.js';
import { Outbox, Reconciler, type WorkSource } from '../queue/index.js';
import { ExportRepository } from './store/export.repository.js';

/** Tells the reconciler which exports still have to be made. */
@Injectable()
export class ExportWorkSource implements WorkSource, OnModuleInit {
  readonly name = 'audit-exports';

  constructor(
    private readonly exports: ExportRepository,
    private readonly outbox: Outbox,
    private readonly reconciler: Reconciler,
  ) {}

  onModuleInit(): void {
    this.reconciler.register(this);
  }

  async requeueLost(tx: Tx): Promise<number> {
    return this.append(tx, await this.exports.takeWaiting(tx, 'overdue'));
  }

  async requeueAll(tx: Tx): Promise<number> {
    return this.append(tx, await this.exports.takeWaiting(tx, 'all'));
  }

  private append(tx: Tx, ids: readonly string[]): number {
    for (const id of ids) this.outbox.append(tx, 'audit.exports', [id]);
    return ids.length;
  }
}
