import { Injectable } from '@nestjs/common';
import { SummarizeSubjects, type Approval, type SubjectSummary } from '../approvals/index.js';
import { CustomerRecordsService } from '../customers/index.js';
import type { OperatorPrincipal } from '../../platform/http/index.js';
import { formatReais } from './domain/alert.js';
import { ReviewQueries } from './store/review.queries.js';
import { ReviewNotesService } from './cases/review-notes.service.js';

/** Summarizes the cases that requests for approval are about. */
@Injectable()
export class CaseSummaryService {
  constructor(
    private readonly queries: ReviewQueries,
    private readonly notes: ReviewNotesService,
    private readonly customers: CustomerRecordsService,
  ) {}

  @SummarizeSubjects('review')
  async summarize(
    { organisationId, permissions }: OperatorPrincipal,
    approvals: readonly Approval[],
  ): Promise<ReadonlyMap<string, Partial<SubjectSummary>>> {
    if (!permissions.has('reviews:read')) return new Map();
    const ids = approvals.map(({ subjectId }) => subjectId);
    const reviews = await this.queries.findMany(organisationId, ids);
    const [rules, justifications, names] = await Promise.all([
      this.queries.readRules(organisationId, ids),
      this.notes.readJustifications(reviews),
      this.customers.readDisplayNames(
        organisationId,
        reviews.flatMap(({ customerId }) => customerId ?? []),
        permissions,
      ),
    ]);
    const found = new Map(
      reviews.map((review, i) => [review.id, { review, text: justifications[i] ?? null }]),
    );
    return new Map(
      approvals.flatMap(({ id, subjectId }) => {
        const one = found.get(subjectId);
        if (!one) return [];
        const { customerId, amountCents, linked, approvalId } = one.review;
        const summary = {
          customerId,
          customerName: customerId === null ? null : (names.get(customerId) ?? null),
          amount: formatReais(amountCents),
          rules: rules.get(subjectId) ?? [],
          transactions: linked,
          // The case has the justification of its newest proposal only.
          justification: approvalId === id ? one.text : null,
        };
        return [[id, summary] as const];
      }),
    );
  }
}
