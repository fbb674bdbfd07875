import { Injectable, Logger } from '@nestjs/common';
import {
  execute,
  isDatabaseUnavailable,
  system,
  UnitOfWork,
  type Tx,
} from '../../../platform/database/index.js';
import { DomainError } from '../../../platform/kernel/index.js';
import type { UnfinishedScope } from '../../../platform/queue/index.js';
import { ReEvaluationService } from './re-evaluation.service.js';
import {
  FIND_CONFIRMATIONS,
  FIND_UNCONFIRMED,
  FIND_UNFINISHED,
} from '../store/work/unconfirmed.statements.js';

const ACTOR = { type: 'system', id: 'kyt.facts-confirmed' } as const;
const LOST_AFTER_SECONDS = 30;

/** Re-evaluates transactions that were held because one operator alone stood behind a fact, once it is confirmed. */
@Injectable()
export class ConfirmedFactsService {
  private readonly logger = new Logger(ConfirmedFactsService.name);

  constructor(
    private readonly uow: UnitOfWork,
    private readonly reEvaluation: ReEvaluationService,
  ) {}

  /** Returns confirmations with transactions that still wait for a re-evaluation and that no job announces. */
  async findWaiting(tx: Tx, which: UnfinishedScope): Promise<readonly string[]> {
    const recentConfirmations = await execute(tx, FIND_CONFIRMATIONS, [
      which === 'overdue' ? LOST_AFTER_SECONDS : 0,
    ]);
    if (recentConfirmations.length === 0) return [];
    const rows = await execute(tx, FIND_UNFINISHED, [recentConfirmations.map(({ id }) => id)]);
    return rows.map(({ id }) => id);
  }

  async reEvaluate(approvalIds: readonly string[]): Promise<void> {
    const waiting = await this.uow.rows(system('kyt.facts-confirmed'), FIND_UNCONFIRMED, [approvalIds]);
    for (const { organisationId, transactionRef } of waiting) {
      try {
        const cause = { actor: ACTOR, requestId: null, correlationId: null };
        await this.reEvaluation.reEvaluate(organisationId, transactionRef, cause);
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error;
        // The person was erased: there is nothing to evaluate.
        if (error instanceof DomainError && error.code === 'TRANSACTION_NOT_FOUND') continue;
        // The reconciler queues the transaction again. Only the kind is logged: the message may quote data.
        const kind = error instanceof Error ? error.name : 'unknown error';
        this.logger.error(`transaction ${transactionRef} was not evaluated again: ${kind}`);
      }
    }
  }
}
