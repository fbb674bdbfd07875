import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../platform/database/index.js';
import { DomainError } from '../../../platform/kernel/index.js';
import type { Unfinished } from '../../../platform/queue/index.js';
import { StepUps, type Asker } from '../../sessions/index.js';
import { DecisionRepository } from '../store/decision.repository.js';
import { ReEvaluation } from './re-evaluation.service.js';

/** Re-evaluates transactions that requested a session, once it has ended, however it ended. */
@Injectable()
export class StepUpAnswers {
  constructor(
    private readonly stepUps: StepUps,
    private readonly reEvaluation: ReEvaluation,
    private readonly decisions: DecisionRepository,
  ) {}

  /** Returns ended sessions that owe their transactions another evaluation and that no job points at. */
  waiting(tx: Tx, which: Unfinished): Promise<readonly string[]> {
    return this.stepUps.unannounced(tx, which);
  }

  async take(sessionIds: readonly string[]): Promise<void> {
    for (const asker of await this.stepUps.waiting(sessionIds)) {
      // A person's decision stands, whatever becomes of the session.
      const isDecided = await this.decisions.isDecided(asker.organisationId, asker.transactionRef);
      if (isDecided || !(await this.answer(asker))) await this.stepUps.done(asker);
    }
  }

  /** Returns false if the person was erased meanwhile. After other errors the reconciler brings the work back. */
  private async answer(asker: Asker): Promise<boolean> {
    try {
      await this.reEvaluation.answer(asker);
      return true;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'TRANSACTION_NOT_FOUND') return false;
      throw error;
    }
  }
}
