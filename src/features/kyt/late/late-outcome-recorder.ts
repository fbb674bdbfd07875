import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { publicId } from '../../../platform/kernel/index.js';
import { KytMetrics } from '../kyt-metrics.js';
import type { EvaluatedTransaction } from '../domain/stored/evaluated-transaction.js';
import {
  LateEffectRepository,
  type AffectedTransaction,
  type PreviousEvaluation,
} from '../store/work/late-effect.repository.js';
import { LATE_ACTOR } from './late-effects.service.js';

/** Ends the late-effect work of an affected transaction and records its result. */
@Injectable()
export class LateOutcomeRecorder {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly effects: LateEffectRepository,
    private readonly audit: AuditTrail,
    private readonly metrics: KytMetrics,
  ) {}

  async markDone(affected: AffectedTransaction, result: 'raised' | 'same'): Promise<true> {
    const first = await this.uow.run(affected.organisationId, (tx) => this.effects.markDone(tx, affected));
    if (first) this.metrics.lateEffects.inc({ result });
    return true;
  }

  /** Records in the trail the outcome with the late transactions. The outcome itself stays, as a person has decided. */
  async recordDecided(
    affected: AffectedTransaction,
    { version, decided }: PreviousEvaluation,
    { evaluation, evaluatedAt }: EvaluatedTransaction,
  ): Promise<true> {
    const { organisationId, affectedRef, lateRefs } = affected;
    const first = await this.uow.run(organisationId, async (tx) => {
      if (!(await this.effects.markDone(tx, affected))) return false;
      await this.audit.record(tx, {
        subject: { organisationId, type: 'transaction', id: affectedRef },
        action: 'transaction.late_noted',
        actor: LATE_ACTOR,
        requestId: null,
        correlationId: null,
        occurredAt: evaluatedAt,
        content: {
          evaluationVersion: version,
          decided,
          outcome: evaluation.outcome,
          score: evaluation.score,
          late: lateRefs.map((id) => publicId('txn', id)),
        },
      });
      return true;
    });
    if (first) this.metrics.lateEffects.inc({ result: 'decided' });
    return true;
  }

  /**
   * Drops the work of an affected transaction that is not evaluated yet: its evaluation will include the late
   * transactions. Keeps the work if a worker holds the transaction.
   */
  async dropPendingWork(affected: AffectedTransaction): Promise<true> {
    await this.uow.run(affected.organisationId, (tx) => this.effects.dropWaiting(tx, affected));
    return true;
  }
}
