import { Injectable } from '@nestjs/common';
import {
  SummarizeSubjects,
  type Approval,
  type SubjectSummary,
  type SummaryHit,
} from '../approvals/index.js';
import { CustomerRecordsService } from '../customers/index.js';
import type { OperatorPrincipal } from '../../platform/http/index.js';
import { HitDispositionService } from '../screening/index.js';
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
    private readonly hits: HitDispositionService,
  ) {}

  @SummarizeSubjects('review')
  async summarize(
    { organisationId, permissions }: OperatorPrincipal,
    approvals: readonly Approval[],
  ): Promise<ReadonlyMap<string, Partial<SubjectSummary>>> {
    if (!permissions.has('reviews:read')) return new Map();
    const ids = approvals.map(({ subjectId }) => subjectId);
    const reviews = await this.queries.findMany(organisationId, ids);
    const [rules, hits, justifications, names] = await Promise.all([
      this.queries.readRules(organisationId, ids),
      this.readHits(organisationId, ids),
      this.notes.readJustifications(reviews),
      this.customers.readDisplayNames(
        organisationId,
        reviews.flatMap(({ customerId }) => customerId ?? []),
        permissions,
      ),
    ]);
    const caseById = new Map(
      reviews.map((review, i) => [review.id, { review, text: justifications[i] ?? null }]),
    );
    return new Map(
      approvals.flatMap(({ id, subjectId }) => {
        const one = caseById.get(subjectId);
        if (!one) return [];
        const { customerId, amountCents, linked, approvalId } = one.review;
        const summary = {
          customerId,
          customerName: customerId === null ? null : (names.get(customerId) ?? null),
          amount: formatReais(amountCents),
          rules: rules.get(subjectId) ?? [],
          transactions: linked,
          hits: hits.get(subjectId) ?? [],
          // The case has the justification of its newest proposal only.
          justification: approvalId === id ? one.text : null,
        };
        return [[id, summary] as const];
      }),
    );
  }
  /** Returns the hits of each case, also of the payments that it decides. */
  private async readHits(
    organisationId: string,
    reviewIds: readonly string[],
  ): Promise<ReadonlyMap<string, SummaryHit[]>> {
    const linked = await this.queries.listHitsOfCases(organisationId, reviewIds);
    const rows = await this.hits.findByIds(organisationId, [...new Set([...linked.values()].flat())]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return new Map([...linked].map(([id, hitIds]) => [id, hitIds.flatMap((hit) => byId.get(hit) ?? [])]));
  }
}
