import { Injectable, Logger } from '@nestjs/common';
import { AuditTrail } from '../../audit/index.js';
import { Settings } from '../../../platform/config/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { Clock } from '../../../platform/kernel/index.js';
import { BlindIndex, Vault } from '../../../platform/privacy/index.js';
import { EventPublisher } from '../../webhooks/index.js';
import { finalEventSequence, type ClaimedTransaction } from '../domain/claimed.js';
import { retryDelayMs } from '../domain/retry.js';
import { KytMetrics } from '../kyt-metrics.js';
import { TransactionWorkRepository } from '../store/work/transaction-work.repository.js';

/** The failure of a transaction: a stable code and the stage, never a message that could quote data. */
export interface EvaluationFailure {
  readonly code: string;
  readonly stage: string;
}

/** Handles a failed evaluation: schedules another attempt, or dead-letters the transaction. */
@Injectable()
export class FailureHandler {
  private readonly logger = new Logger(FailureHandler.name);

  constructor(
    private readonly uow: UnitOfWork,
    private readonly work: TransactionWorkRepository,
    private readonly audit: AuditTrail,
    private readonly events: EventPublisher,
    private readonly index: BlindIndex,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly settings: Settings,
    private readonly metrics: KytMetrics,
  ) {}

  /** Releases the transaction for a later attempt, or dead-letters it after the last attempt. */
  async handleFailure(
    transaction: ClaimedTransaction,
    failure: EvaluationFailure,
    cause: unknown,
  ): Promise<void> {
    this.logger.error(
      `transaction ${transaction.id} failed at ${failure.stage} (${failure.code}), attempt ${transaction.attempt}`,
      cause instanceof Error ? cause.stack : undefined,
    );
    if (transaction.attempt >= this.settings.pipelineMaxAttempts) {
      await this.deadLetter(transaction, failure);
      return;
    }
    const delayMs = retryDelayMs(transaction.attempt, Math.random());
    await this.uow.run(transaction.organisationId, (tx) =>
      this.work.release(tx, transaction, failure, delayMs),
    );
    this.metrics.retried.inc({ code: failure.code });
  }

  /** Dead-letters the transaction (state, audit entry and event in one commit), unless its fence is outdated. */
  async deadLetter(transaction: ClaimedTransaction, failure: EvaluationFailure): Promise<void> {
    const { organisationId, receivedAt } = transaction;
    // The body may be unreadable and its person unknown, so the event names nobody and is encrypted under a key of the
    // month.
    const subject = {
      organisationId,
      index: this.index.computeIndex(organisationId, 'unattributed', receivedAt.toISOString().slice(0, 7)),
    };
    await this.vault.prepare([subject]);
    const occurredAt = new Date(this.clock.now());
    const buried = await this.uow.run(organisationId, async (tx) => {
      if (!(await this.work.deadLetter(tx, transaction, failure))) return false;
      await this.audit.record(tx, {
        subject: { organisationId, type: 'transaction', id: transaction.id },
        action: 'transaction.dead_lettered',
        actor: { type: 'system', id: 'kyt.pipeline' },
        requestId: transaction.requestId,
        correlationId: transaction.correlationId,
        occurredAt,
        content: { code: failure.code, stage: failure.stage, attempts: transaction.attempt },
      });
      const event = this.events.compose({
        organisationId,
        clientAppId: transaction.clientAppId,
        type: 'kyt.transaction.dead_lettered',
        resource: { type: 'transaction', id: transaction.id },
        sequence: finalEventSequence(transaction),
        correlationId: transaction.correlationId,
        traceparent: transaction.traceparent,
        occurredAt,
        subject,
        data: {
          transactionId: transaction.transactionId,
          status: 'DEAD_LETTERED',
          failure: { code: failure.code, stage: failure.stage, attempts: transaction.attempt },
          replayable: failure.code !== 'SUBJECT_ERASED',
        },
      });
      await this.events.publish(tx, [event]);
      return true;
    });
    if (buried) this.metrics.deadLettered.inc({ code: failure.code });
  }
}
