import { Injectable } from '@nestjs/common';
import { DomainError } from '../kernel/index.js';
import { StepUps } from '../sessions/index.js';
import { ReEvaluation } from './re-evaluation.service.js';

/** Evaluates the transactions again that asked for a session, once it is over. */
@Injectable()
export class StepUpAnswers {
  constructor(
    private readonly stepUps: StepUps,
    private readonly reEvaluation: ReEvaluation,
  ) {}

  async take(sessionIds: readonly string[]): Promise<void> {
    for (const asker of await this.stepUps.waiting(sessionIds)) {
      try {
        await this.reEvaluation.evaluateAgain(asker.organisationId, asker.transactionRef, {
          actor: { type: 'system', id: 'kyt.step-up' },
          requestId: null,
          correlationId: null,
        });
      } catch (error) {
        // Erased meanwhile: there is nothing that could be evaluated. Anything else comes back with the reconciler.
        if (!(error instanceof DomainError && error.code === 'TRANSACTION_NOT_FOUND')) throw error;
      }
      await this.stepUps.done(asker);
    }
  }
}
