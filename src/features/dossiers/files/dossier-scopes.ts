import { Injectable } from '@nestjs/common';
import { ApprovalReaderService } from '../../approvals/index.js';
import { stateTrailId, type Subject } from '../../audit/index.js';
import { CustomerFilesService, type CustomerFile } from '../../customers/index.js';
import { Clock, orThrow } from '../../../platform/kernel/index.js';
import { TransactionArchiveService, type ArchiveCursor } from '../../kyt/index.js';
import { ReviewQueries, type ReviewRow } from '../../reviews/index.js';
import { HitDispositionService, type HitRow } from '../../screening/index.js';
import { SessionsService } from '../../sessions/index.js';
import { ArtifactsService } from '../../uploads/index.js';
import type { DossierHead } from '../domain/dossier.js';
import type { CommunicationRow } from '../domain/records.js';
import type { SessionSource } from '../domain/sources.js';
import { CommunicationRepository } from '../store/communication.repository.js';

// Trails are verified in pages of this many subjects, each with all its entries.
const TRAIL_PAGE = 250;
const MAX_ROWS = 200;

/** The records that belong to a dossier. */
export interface DossierScope {
  readonly about: DossierHead['about'];
  readonly customer: CustomerFile | null;
  readonly reviews: readonly ReviewRow[];
  readonly hits: readonly HitRow[];
  readonly sessions: readonly SessionSource[];
  /** Yields pages of stored ids, in order of display. */
  readonly transactionIds: () => AsyncGenerator<readonly string[]>;
}

/** Finds the records that belong to a customer or a case. */
@Injectable()
export class DossierScopes {
  constructor(
    private readonly customers: CustomerFilesService,
    private readonly archive: TransactionArchiveService,
    private readonly reviews: ReviewQueries,
    private readonly hits: HitDispositionService,
    private readonly sessions: SessionsService,
    private readonly artifacts: ArtifactsService,
    private readonly communications: CommunicationRepository,
    private readonly clock: Clock,
    private readonly approvals: ApprovalReaderService,
  ) {}

  /** Yields the audit subjects of a customer, page by page. */
  async *subjectsOfCustomer(organisationId: string, id: string): AsyncGenerator<readonly Subject[]> {
    const scope = await this.ofCustomer(organisationId, id);
    yield* this.subjectsOf(organisationId, scope);
    // `scope.customer` is the surviving customer if `id` was merged.
    yield (await this.artifacts.listByCustomer(organisationId, scope.customer.id)).map((row) => ({
      type: 'artifact',
      id: row.id,
    }));
  }

  /** Yields the audit subjects of a case, page by page. */
  async *subjectsOfReview(organisationId: string, id: string): AsyncGenerator<readonly Subject[]> {
    yield* this.subjectsOf(organisationId, await this.ofReview(organisationId, id));
  }

  private async *subjectsOf(organisationId: string, scope: DossierScope): AsyncGenerator<readonly Subject[]> {
    const { customer, reviews, hits, sessions } = scope;
    const approvals = await this.approvalsIn(organisationId, scope);
    yield [
      ...(customer ? [{ type: 'customer' as const, id: customer.id }] : []),
      ...reviews.map((row) => ({ type: 'review' as const, id: row.id })),
      ...hits.map((row) => ({ type: 'screening_hit' as const, id: row.id })),
      ...sessions.map((row) => ({ type: 'session' as const, id: row.id })),
      ...(await this.communicationsIn(organisationId, scope)).map((row) => ({
        type: 'communication' as const,
        id: row.id,
      })),
      ...[...new Set(hits.map(({ listId }) => listId))].map((list) => ({
        type: 'screening_list' as const,
        id: list,
      })),
      ...approvals.map((id) => ({ type: 'approval' as const, id })),
      ...operatorSubjectsOf(scope).map((id) => ({ type: 'state' as const, id })),
    ];
    for await (const ids of scope.transactionIds()) yield ids.map((id) => ({ type: 'transaction', id }));
  }

  async ofCustomer(
    organisationId: string,
    id: string,
  ): Promise<DossierScope & { readonly customer: CustomerFile }> {
    const customer = orThrow(await this.customers.readFile(organisationId, id), 'CUSTOMER_NOT_FOUND');
    return {
      about: 'CUSTOMER',
      customer,
      reviews: await this.reviewsOf(organisationId, customer.id),
      hits: await this.hitsOf(organisationId, customer.id),
      sessions: await this.sessionsOf(organisationId, customer.id),
      transactionIds: () => this.idsOfCustomer(organisationId, customer.transactionKeys),
    };
  }

  async ofReview(organisationId: string, id: string): Promise<DossierScope> {
    const review = await this.reviews.get(organisationId, id);
    const { customerId } = review;
    const linked = new Set(await this.reviews.listHitIds(organisationId, id));
    const hits = customerId === null ? [] : await this.hitsOf(organisationId, customerId);
    const linkedHits = await Promise.all(
      [...linked]
        .filter((hitId) => !hits.some((hit) => hit.id === hitId))
        .map((hitId) => this.hits.get(organisationId, hitId)),
    );
    return {
      about: 'REVIEW',
      customer: customerId === null ? null : await this.customers.readFile(organisationId, customerId),
      reviews: [review],
      hits: [...hits.filter((hit) => linked.has(hit.id)), ...linkedHits],
      sessions: customerId === null ? [] : await this.sessionsOf(organisationId, customerId),
      transactionIds: () => this.idsOfReview(organisationId, id),
    };
  }

  async communicationsIn(
    organisationId: string,
    { about, customer, reviews }: DossierScope,
  ): Promise<CommunicationRow[]> {
    if (!customer) return [];
    const rows = await this.communications.page(organisationId, { customerId: customer.id }, null, 1_000);
    const cases = new Set(reviews.map(({ id }) => id));
    return rows
      .filter(({ reviewId }) => about === 'CUSTOMER' || (reviewId !== null && cases.has(reviewId)))
      .reverse();
  }

  /** Returns the ids of the requests by which two people decided about these records. */
  async approvalsIn(organisationId: string, scope: DossierScope): Promise<string[]> {
    const communications = await this.communicationsIn(organisationId, scope);
    const records = [
      ...scope.reviews,
      ...scope.hits,
      ...communications,
      ...(scope.customer ? [scope.customer] : []),
    ];
    return this.approvals.listIdsAbout(
      organisationId,
      records.map(({ id }) => id),
    );
  }

  private async *idsOfCustomer(
    organisationId: string,
    keys: readonly Buffer[],
  ): AsyncGenerator<readonly string[]> {
    for (let after: ArchiveCursor | null = null; ;) {
      const { ids, next } = await this.archive.pageIdsByCustomer(organisationId, keys, after, TRAIL_PAGE);
      if (ids.length > 0) yield ids;
      if (!next) return;
      after = next;
    }
  }

  private async *idsOfReview(organisationId: string, id: string): AsyncGenerator<readonly string[]> {
    for (let after: string | null = null; ;) {
      const linked = await this.reviews.listTransactions(organisationId, id, after, TRAIL_PAGE);
      const ids = linked.map(({ transactionRef }) => transactionRef);
      if (ids.length > 0) yield ids;
      if (ids.length < TRAIL_PAGE) return;
      after = ids.at(-1) ?? null;
    }
  }

  private async reviewsOf(organisationId: string, customerId: string): Promise<ReviewRow[]> {
    const reviews: ReviewRow[] = [];
    const now = new Date(this.clock.now());
    for (let last: ReviewRow | null = null; ;) {
      const after = last && [last.priority, last.dueAt.toISOString(), last.id];
      const rows: ReviewRow[] = await this.reviews.page(organisationId, { customerId }, now, after, MAX_ROWS);
      reviews.push(...rows.slice(0, MAX_ROWS));
      if (rows.length <= MAX_ROWS) break;
      last = reviews.at(-1) ?? null;
    }
    return reviews.sort((a, b) => a.openedAt.getTime() - b.openedAt.getTime());
  }

  private async hitsOf(organisationId: string, customerId: string): Promise<HitRow[]> {
    const hits: HitRow[] = [];
    for (let before: string | null = null; ;) {
      const rows: HitRow[] = await this.hits.page(organisationId, { customerId }, before, MAX_ROWS);
      hits.push(...rows.slice(0, MAX_ROWS));
      if (rows.length <= MAX_ROWS) break;
      before = hits.at(-1)?.id ?? null;
    }
    return hits.reverse();
  }

  private async sessionsOf(organisationId: string, customerId: string): Promise<SessionSource[]> {
    const sessions: SessionSource[] = [];
    for (let before: string | null = null; ;) {
      const rows: SessionSource[] = await this.sessions.page(
        organisationId,
        { customerId },
        before,
        MAX_ROWS,
      );
      sessions.push(...rows);
      if (rows.length < MAX_ROWS) break;
      before = rows.at(-1)?.id ?? null;
    }
    return sessions.reverse();
  }
}

/**
 * Returns the subjects by which the state of the operators in these cases is verified. Their full trails are left out,
 * because they hold an entry per login.
 */
export const operatorSubjectsOf = ({ reviews }: Pick<DossierScope, 'reviews'>): string[] => {
  const ids = reviews.flatMap(({ assigneeId, proposedBy, closedBy }) => [assigneeId, proposedBy, closedBy]);
  return [...new Set(ids)].flatMap((id) => (id === null ? [] : stateTrailId({ type: 'operator', id })));
};
