import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/database/index.js';
import { Outbox } from '../../../platform/queue/index.js';
import { EventPublisher } from '../../webhooks/index.js';
import type { EvaluatedTransaction } from '../domain/stored/evaluated-transaction.js';
import { PendingDecisions } from '../ingest/pending-decisions.js';
import { movesCash } from '../../../platform/kernel/reference/transaction-types.js';
import { KytMetrics } from '../kyt-metrics.js';
import { CONCLUDE } from '../store/evaluation.statements.js';

/**
 * Commits the evaluations of a batch in one statement, which also ends the work on the transactions and writes the audit
 * entries, events, cases and step-up sessions.
 */
@Injectable()
export class EvaluationWriter {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly events: EventPublisher,
    private readonly outbox: Outbox,
    private readonly metrics: KytMetrics,
    private readonly pendingDecisions: PendingDecisions,
  ) {}

  /** Commits the evaluations. Skips transactions that another worker has claimed since; their fence is higher. */
  async commit(batch: readonly EvaluatedTransaction[]): Promise<void> {
    if (batch.length === 0) return;
    const rows = await this.uow.write(
      batch.map(({ transaction }) => transaction.organisationId),
      ...this.compose(batch),
    );
    // A run of the relay costs as much as a commit, and most transactions write no message to the outbox.
    const writesMessages = batch.some(
      ({ transaction, cameLate }) => cameLate || movesCash(transaction.submission.type),
    );
    if (writesMessages || rows.some(({ hasDeliveries }) => hasDeliveries)) this.outbox.announce();
    const ended = rows.map((row) => row.id);
    this.pendingDecisions.resolve(ended);
    const storedRefs = new Set(ended);
    const done = batch.filter(({ transaction }) => storedRefs.has(transaction.id));
    this.metrics.fenced.inc(batch.length - done.length);
    for (const { evaluation, evaluatedAt, transaction } of done) {
      this.metrics.completed.inc({ outcome: evaluation.outcome, defensible: String(evaluation.defensible) });
      this.metrics.completionSeconds.observe(
        (evaluatedAt.getTime() - transaction.receivedAt.getTime()) / 1_000,
      );
    }
  }

  /** Composes the statement that stores the evaluations and ends the work of their transactions. */
  compose(batch: readonly EvaluatedTransaction[]): ReturnType<typeof CONCLUDE> {
    const stepUps = batch.flatMap(({ stepUp }) => stepUp ?? []);
    const newSessions = stepUps.flatMap(({ made }) => made ?? []);
    return CONCLUDE({
      batch,
      counted: someOrNull(batch.flatMap((row) => row.counted)),
      reviews: someOrNull(batch.flatMap(({ review }) => review ?? [])),
      asked: stepUps.length > 0 ? { all: stepUps, opened: someOrNull(newSessions) } : null,
      cash: someOrNull(
        batch.flatMap(({ transaction: { id, submission } }) => (movesCash(submission.type) ? id : [])),
      ),
      late: someOrNull(batch.filter(({ cameLate }) => cameLate)),
      firstWait: this.events.firstWait,
    });
  }
}

const someOrNull = <T>(all: readonly T[]): readonly T[] | null => (all.length > 0 ? all : null);
