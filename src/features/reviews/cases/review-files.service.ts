import { Injectable } from '@nestjs/common';
import { AuditTrail, type TrailEntry, type TrailVerdict } from '../../audit/index.js';
import { HitDispositionService, type HitRow } from '../../screening/index.js';
import { ReviewNotesService, type Note } from './review-notes.service.js';
import { CaseTransactionReader, type ReviewedTransaction } from '../case-transaction-reader.js';
import { ReviewQueries, type PersonRow, type ReviewRow } from '../store/review.queries.js';

export interface CaseTransaction extends ReviewedTransaction {
  /** The version of the evaluation that the case is about. */
  readonly linkedVersion: number;
  /** True if an operator added it as related; the decision of the case does not change it. */
  readonly related: boolean;
}

/** A case with its transactions, hits, notes and people. */
export interface ReviewFile {
  readonly review: ReviewRow;
  readonly justification: string | null;
  readonly transactions: readonly CaseTransaction[];
  readonly hits: readonly HitRow[];
  /** Notes of the case and of the cases merged into it. */
  readonly notes: readonly Note[];
  readonly people: readonly PersonRow[];
  /** The ids of the cases merged into this case. */
  readonly merged: readonly string[];
}

// Maximum number of transactions in one response; the case has the full count.
const MAX_TRANSACTIONS = 200;

/** Reads cases with everything that belongs to them. */
@Injectable()
export class ReviewFilesService {
  constructor(
    private readonly queries: ReviewQueries,
    private readonly notes: ReviewNotesService,
    private readonly caseTransactionReader: CaseTransactionReader,
    private readonly hits: HitDispositionService,
    private readonly audit: AuditTrail,
  ) {}

  async readFile(organisationId: string, id: string): Promise<ReviewFile> {
    const [review, links, merged, hitIds, people] = await Promise.all([
      this.queries.get(organisationId, id),
      this.queries.listTransactions(organisationId, id, null, MAX_TRANSACTIONS),
      this.queries.findMergedCases(organisationId, id),
      this.queries.listHitIds(organisationId, id),
      this.queries.listPeople(organisationId, id),
    ]);
    const linkOf = new Map(links.map((link) => [link.transactionRef, link]));
    const [transactions, hits, notes, justification] = await Promise.all([
      this.caseTransactionReader.readTransactions(organisationId, [...linkOf.keys()]),
      this.hits.findByIds(organisationId, hitIds),
      this.queries.listNotes(organisationId, [id, ...merged]).then((rows) => this.notes.read(rows)),
      this.notes.readJustification(review),
    ]);
    return {
      review,
      justification,
      transactions: transactions.map((one) => {
        const link = linkOf.get(one.ref);
        return { ...one, linkedVersion: link?.evaluationVersion ?? 1, related: link?.origin === 'RELATED' };
      }),
      hits,
      notes,
      people,
      merged,
    };
  }

  /** The audit entries of a case, in order, and the verdict on its trail. */
  async readTimeline(
    organisationId: string,
    id: string,
  ): Promise<{ entries: readonly TrailEntry[]; verdict: TrailVerdict }> {
    return this.readTimelineOf(await this.queries.get(organisationId, id));
  }

  /** Like `readTimeline`, but for a case that the caller has read already. */
  async readTimelineOf({ organisationId, id }: Pick<ReviewRow, 'organisationId' | 'id'>): Promise<{
    entries: readonly TrailEntry[];
    verdict: TrailVerdict;
  }> {
    return this.audit.readTimeline({ organisationId, type: 'review', id });
  }
}
