import { Injectable, Logger } from '@nestjs/common';
import { isDatabaseUnavailable, system, UnitOfWork, type Tx } from '../../../platform/database/index.js';
import type { ActorContext } from '../../audit/index.js';
import { MoveWithCustomer, type CustomerMerge } from '../../customers/index.js';
import { DomainError } from '../../../platform/kernel/index.js';
import type { UnfinishedScope } from '../../../platform/queue/index.js';
import { HitReopeningService } from '../../screening/index.js';
import { ReEvaluationService } from '../pipeline/re-evaluation.service.js';
import { TransactionWorkRepository } from '../store/work/transaction-work.repository.js';

const ACTOR = { type: 'system', id: 'kyt.hit-uses' } as const;

/** Re-evaluates transactions that passed because a hit was dismissed or moved, once it is open for their customer. */
@Injectable()
export class ReopenedHitTransactionsService {
  private readonly logger = new Logger(ReopenedHitTransactionsService.name);

  constructor(
    private readonly uow: UnitOfWork,
    private readonly hitReopening: HitReopeningService,
    private readonly work: TransactionWorkRepository,
    private readonly reEvaluation: ReEvaluationService,
  ) {}

  /** Returns uses of dismissals whose transaction waits for a re-evaluation and that no job announces. */
  findWaiting(tx: Tx, which: UnfinishedScope): Promise<readonly string[]> {
    return this.hitReopening.findWaiting(tx, which);
  }

  /**
   * Queues, in a merge of customers, the re-evaluation of transactions that passed with an open hit. A process that does
   * not know of the merge yet looks for hits under the merged record, from which they have moved.
   */
  @MoveWithCustomer('transactions')
  async reEvaluatePassed(
    tx: Tx,
    _ctx: ActorContext,
    { organisationId, from, into }: CustomerMerge,
  ): Promise<void> {
    const hitId = await this.hitReopening.findStanding(tx, organisationId, into);
    if (hitId === null) return;
    const refs = await this.work.findPassedAfterMerge(tx, organisationId, from);
    if (refs.length > 0) await this.hitReopening.recordPassed(tx, organisationId, hitId, refs);
  }

  async reEvaluate(useIds: readonly string[]): Promise<void> {
    const open = await this.uow.read(system('kyt.hit-uses'), (db) =>
      this.hitReopening.findToReEvaluate(db, useIds),
    );
    for (const use of open) {
      try {
        if (await this.reEvaluateOne(use.organisationId, use.transactionRef)) {
          await this.hitReopening.markReEvaluated(use);
        }
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error;
        // The reconciler queues the use again. Only the kind is logged: the message may quote data.
        const kind = error instanceof Error ? error.name : 'unknown error';
        this.logger.error(`transaction ${use.transactionRef} was not judged again: ${kind}`);
      }
    }
  }

  /** Returns false while the first evaluation is pending, which may not see that the hit is open. */
  private async reEvaluateOne(organisationId: string, transactionRef: string): Promise<boolean> {
    if (!(await this.work.readCompleted(organisationId, transactionRef))) return false;
    try {
      const cause = { actor: ACTOR, requestId: null, correlationId: null };
      await this.reEvaluation.reEvaluate(organisationId, transactionRef, cause);
    } catch (error) {
      // The person was erased: there is nothing to evaluate.
      if (!(error instanceof DomainError) || error.code !== 'TRANSACTION_NOT_FOUND') throw error;
    }
    return true;
  }
}
