import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/index.js';
import { system, UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { Clock } from '../../../platform/kernel/index.js';
import { Outbox, type UnfinishedScope } from '../../../platform/queue/index.js';
import { KytMetrics } from '../kyt-metrics.js';
import { LateEffectRepository } from '../store/work/late-effect.repository.js';

export const LATE_ACTOR = { type: 'system', id: 'kyt.late-effects' } as const;

/** Finds the transactions whose windows include a late transaction, and queues their re-evaluation. */
@Injectable()
export class LateEffectsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly effects: LateEffectRepository,
    private readonly outbox: Outbox,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly metrics: KytMetrics,
  ) {}

  /**
   * Returns transactions with unfinished work that no job announces (late ones, and those affected by a late one), and
   * makes their work due again a minute later.
   */
  findUnfinished(tx: Tx, which: UnfinishedScope): Promise<readonly string[]> {
    return this.effects.requeueUnfinished(tx, which);
  }

  /** Finds, once for each late transaction, the transactions that it affects; skips ids of other transactions. */
  async findAffected(refs: readonly string[]): Promise<void> {
    for (const ref of refs) {
      const affectedBeyond = await this.uow.run(system('kyt.late-effects'), (tx) => this.findFor(tx, ref));
      this.metrics.lateEffects.inc({ result: 'not_judged' }, affectedBeyond);
    }
  }

  /** Returns how many affected transactions are beyond the limit and therefore not evaluated again. */
  private async findFor(tx: Tx, lateRef: string): Promise<number> {
    const affectedRows = await this.effects.storeAffected(tx, lateRef);
    if (!affectedRows) return 0;
    const { organisationId, affected, found: judged } = affectedRows;
    this.outbox.append(tx, 'kyt.late-effects', judged);
    const unjudged = affected - judged.length;
    if (unjudged > 0) {
      await this.audit.record(tx, {
        subject: { organisationId, type: 'transaction', id: lateRef },
        action: 'transaction.late_noted',
        actor: LATE_ACTOR,
        requestId: null,
        correlationId: null,
        occurredAt: new Date(this.clock.now()),
        content: { affected, judged: judged.length },
      });
    }
    return unjudged;
  }
}
