import { Injectable } from '@nestjs/common';
import { type ActorContext, AuditTrail } from '../../audit/index.js';
import { UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { Clock, conflict, digestOf, DomainError, publicId } from '../../../platform/kernel/index.js';
import { reviewAuditDraft } from '../audit-step.js';
import { isEnded } from '../domain/review.js';
import { CaseTransactionReader, type ReviewedTransaction } from '../case-transaction-reader.js';
import { ReviewQueries, type ReviewRow } from '../store/review.queries.js';
import { ReviewRepository } from '../store/review.repository.js';
import { ReviewNotesService } from './review-notes.service.js';

// Maximum number of transactions that `findRelated` returns.
const MAX_RELATED = 500;

export interface RelatedTransactions {
  readonly transactions: readonly ReviewedTransaction[];
  /** True if more transactions exist. */
  readonly more: boolean;
}

/**
 * Adds related transactions, which raised no alert, to a case, such as the payments that filled the account before it
 * was emptied. They appear in the case file and the communication to COAF. The decision of the case does not change
 * them.
 */
@Injectable()
export class CaseTransactionsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly queries: ReviewQueries,
    private readonly reviews: ReviewRepository,
    private readonly notes: ReviewNotesService,
    private readonly caseTransactionReader: CaseTransactionReader,
  ) {}

  /** Adds transactions; ignores transactions that are already in the case. */
  async add(ctx: ActorContext, id: string, refs: readonly string[], reason: string): Promise<void> {
    const reviewedTransactions = await this.caseTransactionReader.readTransactions(ctx.organisationId, refs);
    if (reviewedTransactions.length < new Set(refs).size) throw new DomainError('TRANSACTION_NOT_FOUND');
    const links = reviewedTransactions.map((one) => ({
      transactionRef: one.ref,
      evaluationVersion: requireEvaluation(one),
    }));
    await this.changeTransactions(ctx, id, reason, async (tx) => ({
      added: await this.reviews.addRelated(tx, ctx.organisationId, id, links),
    }));
  }

  /** Returns up to 500 payments of the customer that were made around the alerts and are not in the case. */
  async findRelated(organisationId: string, id: string): Promise<RelatedTransactions> {
    const review = await this.queries.get(organisationId, id);
    const refs = await this.caseTransactionReader.transactionsAround(review, MAX_RELATED + 1);
    const transactions = await this.caseTransactionReader.readTransactions(
      organisationId,
      refs.slice(0, MAX_RELATED),
    );
    return { transactions, more: refs.length > MAX_RELATED };
  }

  /** Adds the payments that `findRelated` returns. Throws TRANSACTION_NOT_FOUND if there are none. */
  async addRelated(ctx: ActorContext, id: string, reason: string): Promise<void> {
    const { transactions } = await this.findRelated(ctx.organisationId, id);
    if (transactions.length === 0) throw new DomainError('TRANSACTION_NOT_FOUND');
    await this.add(
      ctx,
      id,
      transactions.map(({ ref }) => ref),
      reason,
    );
  }

  async remove(ctx: ActorContext, id: string, ref: string, reason: string): Promise<void> {
    await this.changeTransactions(ctx, id, reason, async (tx) => {
      const removed = await this.reviews.removeRelated(tx, ctx.organisationId, id, ref);
      if (removed.length === 0) throw new DomainError('TRANSACTION_NOT_FOUND');
      return { removed };
    });
  }

  private async changeTransactions(
    ctx: ActorContext,
    id: string,
    reason: string,
    step: (tx: Tx, review: ReviewRow) => Promise<Readonly<Partial<Record<'added' | 'removed', string[]>>>>,
  ): Promise<void> {
    const { organisationId } = ctx;
    const now = new Date(this.clock.now());
    const review = await this.queries.get(organisationId, id);
    const note = await this.notes.compose(review, ctx.actor.id, { kind: 'NOTE', text: reason }, now);
    await this.uow.run(organisationId, async (tx) => {
      const lockedReview = await this.reviews.lock(tx, organisationId, id);
      if (lockedReview && isEnded(lockedReview.status)) throw closedError();
      const { added = [], removed = [] } = await step(tx, review);
      await this.reviews.insertNote(tx, note);
      const transactions = [...added, ...removed].sort().map((ref) => publicId('txn', ref));
      const content = { [added.length > 0 ? 'added' : 'removed']: transactions };
      await this.audit.record(tx, [
        reviewAuditDraft(ctx, id, 'review.extended', now, content),
        reviewAuditDraft(ctx, id, 'review.noted', now, {
          ...{ note: publicId('nte', note.id), text: digestOf(note.sealed), artifacts: [] },
        }),
      ]);
    });
  }
}

function requireEvaluation({ evaluationVersion }: ReviewedTransaction): number {
  if (evaluationVersion !== null) return evaluationVersion;
  throw conflict('transactions', 'NOT_EVALUATED', 'A transaction is not evaluated yet.');
}

const closedError = (): DomainError => conflict('status', 'CLOSED', 'A closed case takes nothing more.');
