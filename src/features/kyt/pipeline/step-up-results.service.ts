import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../platform/database/index.js';
import { DomainError } from '../../../platform/kernel/index.js';
import type { UnfinishedScope } from '../../../platform/queue/index.js';
import { StepUpsService, type StepUpRequestLink } from '../../sessions/index.js';
import { DecisionRepository } from '../store/decision.repository.js';
import { ReEvaluationService } from './re-evaluation.service.js';

/** Re-evaluates transactions when the session that they requested has ended, with any result. */
@Injectable()
export class StepUpResultsService {
  constructor(
    private readonly stepUps: StepUpsService,
    private readonly reEvaluation: ReEvaluationService,
    private readonly decisions: DecisionRepository,
  ) {}

  /** Returns ended sessions whose transactions wait for a re-evaluation and that no job announces. */
  findWaiting(tx: Tx, which: UnfinishedScope): Promise<readonly string[]> {
    return this.stepUps.claimUnannounced(tx, which);
  }

  async reEvaluateForSessions(sessionIds: readonly string[]): Promise<void> {
    for (const asker of await this.stepUps.findPendingTransactions(sessionIds)) {
      // If a person has decided about the transaction, the session changes nothing.
      const isDecided = await this.decisions.isDecided(asker.organisationId, asker.transactionRef);
      if (isDecided || !(await this.tryReEvaluate(asker))) await this.stepUps.markReEvaluated(asker);
    }
  }

  /** Returns false if the person was erased. After any other error the reconciler queues the session again. */
  private async tryReEvaluate(asker: StepUpRequestLink): Promise<boolean> {
    try {
      await this.reEvaluation.reEvaluateForSession(asker);
      return true;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'TRANSACTION_NOT_FOUND') return false;
      throw error;
    }
  }
}
