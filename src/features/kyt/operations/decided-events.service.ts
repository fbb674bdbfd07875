import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/kernel/index.js';
import { BlindIndex, Vault, type SubjectRef } from '../../../platform/privacy/index.js';
import type { DecidedReview } from '../../reviews/index.js';
import { EventPublisher, type ComposedEvent } from '../../webhooks/index.js';
import { decidedData } from '../domain/decided-data.js';
import { receiptText } from '../domain/stored/stored-packing.js';
import { submissionSubjectsOf } from '../domain/submission/grouping.js';
import { TransactionDecrypter } from '../pipeline/transaction-decrypter.js';
import type { DecidableTransaction } from '../store/decision.repository.js';
import { TransactionWorkRepository } from '../store/work/transaction-work.repository.js';

/** Composes the events of transactions that a person decided, before the database transaction that stores them. */
@Injectable()
export class DecidedEventsService {
  constructor(
    private readonly clock: Clock,
    private readonly work: TransactionWorkRepository,
    private readonly transactionDecrypter: TransactionDecrypter,
    private readonly events: EventPublisher,
    private readonly index: BlindIndex,
    private readonly vault: Vault,
  ) {}

  /** Returns the event of each transaction, except for erased persons. */
  async compose(
    decided: DecidedReview,
    open: readonly DecidableTransaction[],
  ): Promise<ReadonlyMap<string, ComposedEvent>> {
    const subjects = await this.subjectsOf(decided.organisationId, open);
    await this.vault.prepare(subjects.values());
    const occurredAt = new Date(this.clock.now());
    return new Map(
      open.flatMap((one) => {
        const subject = subjects.get(one.id);
        if (!subject) return [];
        const event = this.events.compose({
          organisationId: decided.organisationId,
          clientAppId: one.clientAppId,
          type: 'kyt.transaction.pipeline.completed',
          resource: { type: 'transaction', id: one.id },
          sequence: one.newestSequence + 1,
          correlationId: one.correlationId,
          traceparent: one.traceparent,
          occurredAt,
          subject,
          data: decidedData(one.transactionId, { ...one, receipt: receiptText(one.receipt) }, decided),
        });
        return [[one.id, event] as const];
      }),
    );
  }

  private async subjectsOf(
    organisationId: string,
    open: readonly DecidableTransaction[],
  ): Promise<ReadonlyMap<string, SubjectRef>> {
    const completed = await this.work.readManyCompleted(
      organisationId,
      open.map(({ id }) => id),
    );
    return new Map(
      (await this.transactionDecrypter.decryptAndRead(completed)).flatMap(({ transaction, result }) =>
        'open' in result
          ? [
              [
                transaction.id,
                submissionSubjectsOf(
                  this.index,
                  organisationId,
                  result.open.submission,
                  transaction.receivedAt,
                ).main,
              ] as const,
            ]
          : [],
      ),
    );
  }
}
