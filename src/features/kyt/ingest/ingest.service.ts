import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import { Clock, DomainError } from '../../../platform/kernel/index.js';
import { ConflictLog } from './conflict-log.js';
import { PendingDecisions } from './pending-decisions.js';
import type { TransactionStatus } from '../domain/status.js';
import { isRepeat } from '../domain/submission/fingerprint.js';
import { probableType } from '../../../platform/kernel/reference/transaction-types.js';
import { SubmissionDifferencesService } from './submission-differences.service.js';
import { CustomFieldValidationService } from './custom-field-validation.service.js';
import { IngestBatcher } from './ingest-batcher.js';
import { KytMetrics } from '../kyt-metrics.js';
import { toClaimedTransaction } from '../domain/submission/prepared-transaction.js';
import type { FirstSubmission } from '../store/ingest.repository.js';
import { TransactionPreparer, type IntakeDraft, type Intake } from './transaction-preparer.js';

/** The answer to a submission. */
export interface Receipt {
  /** The stored id; it is not part of the answer. */
  readonly ref: string;
  readonly transactionId: string;
  readonly status: TransactionStatus;
  readonly accepted: true;
  readonly duplicate: boolean;
  readonly requestId: string;
  readonly correlationId: string;
  readonly warnings: readonly string[];
  /** In the sandbox, for an unknown type: the most similar known type. */
  readonly didYouMean: string | null;
  /** The request id of the original submission, if this submission repeats it. */
  readonly originalRequestId: string | null;
}

/** Accepts submissions, each at most once per application and transactionId. */
@Injectable()
export class IngestService {
  constructor(
    private readonly preparer: TransactionPreparer,
    private readonly batcher: IngestBatcher,
    private readonly conflicts: ConflictLog,
    private readonly clock: Clock,
    private readonly metrics: KytMetrics,
    private readonly settings: Settings,
    private readonly pendingDecisions: PendingDecisions,
    private readonly customFieldValidation: CustomFieldValidationService,
    private readonly submissionDifferences: SubmissionDifferencesService,
  ) {}

  /**
   * Accepts a submission; returns after the commit. The same content under a known id is a duplicate, other content a
   * conflict. If this process has room, the commit also claims the submission, and its evaluation begins when the
   * caller is answered. There is more room for a caller who waits.
   */
  async accept(intake: Intake, isWaitedFor = false): Promise<Receipt> {
    const { refusals, kept, submission } = await this.customFieldValidation.admit(
      intake.client,
      intake.submission,
    );
    const draft = this.preparer.draft({ ...intake, submission, kept });
    if (refusals.length > 0 && !(await this.batcher.wasAccepted(draft))) {
      throw new DomainError('VALIDATION_FAILED', { details: refusals });
    }
    const lease = this.pendingDecisions.leaseFor(isWaitedFor);
    const settled = await this.pendingDecisions.trackStoring(
      this.batcher.submit(lease ? { lease, ...draft } : draft),
    );
    if (settled.created) {
      const { transaction, seq } = settled;
      if (lease) this.pendingDecisions.evaluate(toClaimedTransaction(transaction, seq, intake.body));
      this.metrics.accepted.inc();
      return this.buildReceipt(transaction.id, intake, 'QUEUED', submission.warnings, null);
    }
    const { first } = settled;
    if (!isRepeat(first.fingerprint, draft.body)) await this.refuse(draft, first);
    this.metrics.duplicates.inc();
    return this.buildReceipt(first.id, intake, first.status, first.warnings, first.requestId);
  }

  /** Records the conflict and throws TRANSACTION_ID_CONFLICT. The original submission does not change. */
  private async refuse(draft: IntakeDraft, first: FirstSubmission): Promise<never> {
    const { client, context, submission } = draft;
    await this.conflicts.recordConflict({
      // On the application's audit chain: many conflicts must not delay the transaction's own entries.
      subject: { organisationId: client.organisationId, type: 'client_app', id: client.id },
      action: 'transaction.conflict_refused',
      actor: { type: 'client', id: client.id },
      requestId: context.requestId,
      correlationId: context.correlationId,
      occurredAt: new Date(this.clock.now()),
      content: {
        transactionId: submission.transactionId,
        transactionRef: first.id,
        fingerprint: draft.fingerprint.toString('hex'),
      },
    });
    this.metrics.conflicts.inc();
    throw new DomainError('TRANSACTION_ID_CONFLICT', {
      details: [
        {
          path: 'transactionId',
          code: 'ALREADY_USED',
          message: 'Already used with different content by this application.',
        },
        ...(await this.submissionDifferences.findDifferences(draft, first)).map((path) => ({
          path,
          code: 'DIFFERS',
          message: 'Differs from the first submission.',
        })),
      ],
    });
  }

  private buildReceipt(
    ref: string,
    { submission, context }: Intake,
    status: TransactionStatus,
    warnings: readonly string[],
    originalRequestId: string | null,
  ): Receipt {
    const isHelped = this.settings.environment === 'sandbox' && warnings.includes('UNKNOWN_TYPE');
    return {
      ref,
      transactionId: submission.transactionId,
      status,
      accepted: true,
      duplicate: originalRequestId !== null,
      requestId: context.requestId,
      correlationId: context.correlationId,
      warnings,
      didYouMean: isHelped ? (probableType(submission.type) ?? null) : null,
      originalRequestId,
    };
  }
}
