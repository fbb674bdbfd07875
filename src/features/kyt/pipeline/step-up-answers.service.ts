import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../platform/database/index.js';
import { DomainError } from '../../../platform/kernel/index.js';
import type { Unfinished } from '../../../platform/queue/index.js';
import { StepUps, type Asker } from '../../sessions/index.js';
import { DecisionRepository } from '../store/decision.repository.js';
import { ReEvaluation } from './re-evaluation.service.js';

/** Evaluates the transactions again that asked for a session, once it is over; however it ended. */
@Injectable()
export class StepUpAnswers {
  constructor(
    private readonly stepUps: StepUps,
    private readonly reEvaluation: ReEvaluation,
    private readonly decisions: DecisionRepository,
  ) {}

  /** Sessions that are over and owe their transactions another evaluation, and that no job points at. */
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

  /** False when there is nothing that could be evaluated: erased meanwhile. Other faults come back by the reconciler. */
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
