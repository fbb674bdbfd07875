import { Injectable } from '@nestjs/common';
import {
  type Acting,
  AuditTrail,
  Checkpoints,
  isBlocking,
  type Subject,
  type TrailStatus,
  trailStatuses,
} from '../audit/index.js';
import { CustomerFiles, type CustomerFile } from '../customers/index.js';
import { inBoundedMemory } from '../kernel/garbage.js';
import { Clock, DomainError, publicId, type IdPrefix } from '../kernel/index.js';
import { TransactionArchive, type ArchivePlace } from '../kyt/index.js';
import { ReviewNotes, ReviewQueries, type ReviewRow } from '../reviews/index.js';
import { shownActor } from '../rules/index.js';
import { HitDesk, type HitRow } from '../screening/index.js';
import { SessionsService } from '../sessions/index.js';
import { ArtifactsService } from '../uploads/index.js';
import { DossierExports } from './dossier-exports.js';
import type {
  Dossier,
  DossierCase,
  DossierCommunication,
  DossierHead,
  DossierHit,
  DossierTrail,
  DossierTransaction,
  Language,
} from './domain/dossier.js';
import { artifactOf, customerOf, sessionOf, transactionOf } from './domain/dossier-mapping.js';
import type { SessionRow } from './domain/sources.js';
import type { CommunicationRow } from './domain/records.js';
import { CommunicationRepository } from './store/communication.repository.js';

export interface DossierWish {
  readonly format: 'json' | 'pdf';
  readonly language: Language;
  /** Refuse to make it unless every trail in it is whole. */
  readonly auditReady: boolean;
}

// What is held in memory of transactions at a time: a receipt of an evaluation has several kilobytes.
const PAGE = 50;
// Trails are judged in pages of this many subjects, with all the entries of each.
const TRAIL_PAGE = 250;
const MOST_ROWS = 200;
const MOST_NAMED = 50;
// The gravest finding of all names the verdict, as for one trail.
const GRAVITY: readonly TrailStatus[] = trailStatuses.toReversed();

interface Scope {
  readonly about: DossierHead['about'];
  readonly customer: CustomerFile | null;
  readonly reviews: readonly ReviewRow[];
  readonly hits: readonly HitRow[];
  readonly sessions: readonly SessionRow[];
  /** Pages of stored ids, in the order in which they are shown. */
  readonly transactionIds: () => AsyncGenerator<readonly string[]>;
}

/** Puts together everything that is known about a customer or a case. */
@Injectable()
export class Dossiers {
  constructor(
    private readonly customers: CustomerFiles,
    private readonly archive: TransactionArchive,
    private readonly reviews: ReviewQueries,
    private readonly notes: ReviewNotes,
    private readonly hits: HitDesk,
    private readonly sessions: SessionsService,
    private readonly artifacts: ArtifactsService,
    private readonly communications: CommunicationRepository,
    private readonly audit: AuditTrail,
    private readonly checkpoints: Checkpoints,
    private readonly exports: DossierExports,
    private readonly clock: Clock,
  ) {}

  /** The dossier of a customer, by its stored id. That it was made is in the trail before anything of it leaves. */
  async ofCustomer(acting: Acting, id: string, wish: DossierWish): Promise<Dossier> {
    const scope = await this.scopeOfCustomer(acting.organisationId, id);
    return this.compose(acting, wish, scope.customer.id, scope);
  }

  /** The dossier of a case: what it is about, and who. */
  async ofReview(acting: Acting, id: string, wish: DossierWish): Promise<Dossier> {
    return this.compose(acting, wish, id, await this.scopeOfReview(acting.organisationId, id));
  }

  /** Everything whose trail tells of a customer, page by page. */
  async *subjectsOfCustomer(organisationId: string, id: string): AsyncGenerator<readonly Subject[]> {
    const scope = await this.scopeOfCustomer(organisationId, id);
    yield* this.subjectsOf(organisationId, scope);
    // Of a merged record it is the one that stays.
    yield (await this.artifacts.ofCustomer(organisationId, scope.customer.id)).map((row) => ({
      type: 'artifact',
      id: row.id,
    }));
  }

  /** Everything whose trail tells of a case, page by page. */
  async *subjectsOfReview(organisationId: string, id: string): AsyncGenerator<readonly Subject[]> {
    yield* this.subjectsOf(organisationId, await this.scopeOfReview(organisationId, id));
  }

  private async *subjectsOf(organisationId: string, scope: Scope): AsyncGenerator<readonly Subject[]> {
    const { customer, reviews, hits, sessions } = scope;
    yield [
      ...(customer ? [{ type: 'customer' as const, id: customer.id }] : []),
      ...reviews.map((row) => ({ type: 'review' as const, id: row.id })),
      ...hits.map((row) => ({ type: 'screening_hit' as const, id: row.id })),
      ...sessions.map((row) => ({ type: 'session' as const, id: row.id })),
      ...(await this.communicationsIn(organisationId, scope)).map((row) => ({
        type: 'communication' as const,
        id: row.id,
      })),
    ];
    for await (const ids of scope.transactionIds()) yield ids.map((id) => ({ type: 'transaction', id }));
  }

  private async scopeOfCustomer(
    organisationId: string,
    id: string,
  ): Promise<Scope & { readonly customer: CustomerFile }> {
    const customer = await this.customers.open(organisationId, id);
    if (!customer) throw new DomainError('CUSTOMER_NOT_FOUND');
    return {
      about: 'CUSTOMER',
      customer,
      reviews: await this.reviewsOf(organisationId, customer.id),
      hits: await this.hitsOf(organisationId, customer.id),
      sessions: await this.sessionsOf(organisationId, customer.id),
      transactionIds: () => this.idsOfCustomer(organisationId, customer.transactionKeys),
    };
  }

  private async scopeOfReview(organisationId: string, id: string): Promise<Scope> {
    const review = await this.reviews.find(organisationId, id);
    if (!review) throw new DomainError('REVIEW_NOT_FOUND');
    const { customerId } = review;
    const linked = new Set(await this.reviews.hitIds(organisationId, id));
    const hits = customerId === null ? [] : await this.hitsOf(organisationId, customerId);
    const others = await Promise.all(
      [...linked]
        .filter((hitId) => !hits.some((hit) => hit.id === hitId))
        .map((hitId) => this.hits.get(organisationId, hitId)),
    );
    return {
      about: 'REVIEW',
      customer: customerId === null ? null : await this.customers.open(organisationId, customerId),
      reviews: [review],
      hits: [...hits.filter((hit) => linked.has(hit.id)), ...others],
      sessions: customerId === null ? [] : await this.sessionsOf(organisationId, customerId),
      transactionIds: () => this.idsOfReview(organisationId, id),
    };
  }

  private async compose(acting: Acting, wish: DossierWish, id: string, scope: Scope): Promise<Dossier> {
    const { organisationId } = acting;
    const { trail, transactionCount } = await this.judge(organisationId, scope);
    if (wish.auditReady && isBlocking(trail)) throw incomplete(trail);
    const about = scope.about === 'CUSTOMER' ? 'customer' : 'review';
    const exportId = await this.exports.record(acting, {
      ...{ about, id, format: wish.format, language: wish.language, auditReady: wish.auditReady },
      revealed: false,
      trail: trail.status,
    });
    return {
      head: {
        id: exportId,
        about: scope.about,
        subjectId: publicId(scope.about === 'CUSTOMER' ? 'cus' : 'rev', id),
        generatedAt: new Date(this.clock.now()).toISOString(),
        generatedBy: shownActor(`${acting.actor.type}:${acting.actor.id}`),
        auditReady: wish.auditReady,
        trail,
      },
      customer: scope.customer && customerOf(scope.customer),
      cases: await this.casesOf(scope.reviews),
      hits: await this.hitViews(scope.hits),
      communications: await this.communicationsOf(organisationId, scope),
      sessions: scope.sessions.map(sessionOf),
      artifacts: scope.customer
        ? (await this.artifacts.ofCustomer(organisationId, scope.customer.id)).map(artifactOf)
        : [],
      transactionCount,
      transactions: () => inBoundedMemory(this.transactionsOf(organisationId, scope)),
    };
  }

  private async *transactionsOf(
    organisationId: string,
    { transactionIds }: Scope,
  ): AsyncGenerator<readonly DossierTransaction[]> {
    for await (const ids of transactionIds()) {
      for (let from = 0; from < ids.length; from += PAGE) {
        const found = await this.archive.byId(organisationId, ids.slice(from, from + PAGE));
        yield found.map(transactionOf);
      }
    }
  }

  /** Judges every trail that the dossier rests on, before anything of it is written. */
  private async judge(
    organisationId: string,
    scope: Scope,
  ): Promise<{ readonly trail: DossierTrail; readonly transactionCount: number }> {
    const incomplete: { subject: string; status: TrailStatus }[] = [];
    const seen = new Set<TrailStatus>();
    let subjects = 0;
    const look = async (
      type: 'customer' | 'review' | 'screening_hit' | 'session' | 'transaction',
      prefix: IdPrefix,
      ids: readonly string[],
    ): Promise<void> => {
      if (ids.length === 0) return;
      subjects += ids.length;
      for (const [id, { status }] of await this.audit.trailStatuses(organisationId, type, ids)) {
        if (status === 'COMPLETE') continue;
        seen.add(status);
        if (incomplete.length < MOST_NAMED) incomplete.push({ subject: publicId(prefix, id), status });
      }
    };
    if (scope.customer) await look('customer', 'cus', [scope.customer.id]);
    await look(
      'review',
      'rev',
      scope.reviews.map(({ id }) => id),
    );
    await look(
      'screening_hit',
      'hit',
      scope.hits.map(({ id }) => id),
    );
    await look(
      'session',
      'kys',
      scope.sessions.map(({ id }) => id),
    );
    let transactionCount = 0;
    for await (const ids of inBoundedMemory(scope.transactionIds())) {
      transactionCount += ids.length;
      await look('transaction', 'txn', ids);
    }
    const checkpoint = this.checkpoints.newest(organisationId);
    return {
      transactionCount,
      trail: {
        status: GRAVITY.find((status) => seen.has(status)) ?? 'COMPLETE',
        subjects,
        incomplete,
        checkpoint: checkpoint && {
          size: checkpoint.size,
          root: checkpoint.root,
          signedAt: checkpoint.signedAt,
        },
      },
    };
  }

  private async *idsOfCustomer(
    organisationId: string,
    keys: readonly Buffer[],
  ): AsyncGenerator<readonly string[]> {
    for (let after: ArchivePlace | null = null; ;) {
      const { ids, next } = await this.archive.idsOfCustomer(organisationId, keys, after, TRAIL_PAGE);
      if (ids.length > 0) yield ids;
      if (!next) return;
      after = next;
    }
  }

  private async *idsOfReview(organisationId: string, id: string): AsyncGenerator<readonly string[]> {
    for (let after: string | null = null; ;) {
      const linked = await this.reviews.transactions(organisationId, id, after, TRAIL_PAGE);
      const ids = linked.map(({ transactionRef }) => transactionRef);
      if (ids.length > 0) yield ids;
      if (ids.length < TRAIL_PAGE) return;
      after = ids.at(-1) ?? null;
    }
  }

  private async reviewsOf(organisationId: string, customerId: string): Promise<ReviewRow[]> {
    const found: ReviewRow[] = [];
    const now = new Date(this.clock.now());
    for (let last: ReviewRow | null = null; ;) {
      const after = last && { priority: last.priority, dueAt: last.dueAt.toISOString(), id: last.id };
      const rows: ReviewRow[] = await this.reviews.page(
        organisationId,
        { customerId },
        now,
        after,
        MOST_ROWS,
      );
      found.push(...rows.slice(0, MOST_ROWS));
      if (rows.length <= MOST_ROWS) break;
      last = found.at(-1) ?? null;
    }
    return found.sort((a, b) => a.openedAt.getTime() - b.openedAt.getTime());
  }

  private async hitsOf(organisationId: string, customerId: string): Promise<HitRow[]> {
    const found: HitRow[] = [];
    for (let before: string | null = null; ;) {
      const rows: HitRow[] = await this.hits.page(organisationId, { customerId }, before, MOST_ROWS);
      found.push(...rows.slice(0, MOST_ROWS));
      if (rows.length <= MOST_ROWS) break;
      before = found.at(-1)?.id ?? null;
    }
    return found.reverse();
  }

  private async sessionsOf(organisationId: string, customerId: string): Promise<SessionRow[]> {
    const found: SessionRow[] = [];
    for (let before: string | null = null; ;) {
      const rows: SessionRow[] = await this.sessions.page(organisationId, { customerId }, before, MOST_ROWS);
      found.push(...rows);
      if (rows.length < MOST_ROWS) break;
      before = rows.at(-1)?.id ?? null;
    }
    return found.reverse();
  }

  private async casesOf(reviews: readonly ReviewRow[]): Promise<DossierCase[]> {
    const cases: DossierCase[] = [];
    for (const review of reviews) {
      const { organisationId, id } = review;
      const entries = await this.audit.entriesOf({ organisationId, type: 'review', id });
      const notes = await this.notes.read(await this.reviews.notes(organisationId, id));
      cases.push({
        id: publicId('rev', id),
        kind: review.kind,
        status: review.status,
        priority: review.priority,
        riskScore: review.riskScore,
        transactions: review.linked,
        openedAt: review.openedAt.toISOString(),
        openedBy: shownActor(review.openedBy),
        selectionDeadline: review.selectionDeadline.toISOString(),
        analysisDeadline: review.analysisDeadline.toISOString(),
        reportDeadline: review.reportDeadline?.toISOString() ?? null,
        resolution: review.resolution,
        report: review.report,
        justification: await this.notes.readJustification(review),
        proposedBy: review.proposedBy && publicId('opr', review.proposedBy),
        proposedAt: review.proposedAt?.toISOString() ?? null,
        closedBy: review.closedBy && publicId('opr', review.closedBy),
        closedAt: review.closedAt?.toISOString() ?? null,
        reopenedFrom: review.reopenedFrom && publicId('rev', review.reopenedFrom),
        retainUntil: review.retainUntil,
        notes: notes.map(({ writtenAt, authorId, text }) => ({
          writtenAt: writtenAt.toISOString(),
          author: publicId('opr', authorId),
          text,
        })),
        steps: entries.map(({ occurredAt, action, actor }) => ({
          at: occurredAt,
          action,
          actor: shownActor(actor),
        })),
      });
    }
    return cases;
  }

  private async hitViews(rows: readonly HitRow[]): Promise<DossierHit[]> {
    const explanations = await this.hits.explanations(rows);
    const justifications = await this.hits.justifications(rows);
    return rows.map((row, i) => ({
      id: publicId('hit', row.id),
      list: row.listKey,
      listKind: row.listKind,
      entry: row.entryKey,
      foundName: explanations[i]?.found ?? null,
      strength: row.strength,
      score: row.score,
      mandatory: row.mandatory,
      status: row.status,
      foundAt: row.createdAt.toISOString(),
      decidedBy: row.decidedBy && shownActor(row.decidedBy),
      decidedAt: row.decidedAt?.toISOString() ?? null,
      justification: justifications[i] ?? null,
    }));
  }

  private async communicationsIn(
    organisationId: string,
    { about, customer, reviews }: Scope,
  ): Promise<CommunicationRow[]> {
    if (!customer) return [];
    const rows = await this.communications.page(organisationId, { customerId: customer.id }, null, 1_000);
    const cases = new Set(reviews.map(({ id }) => id));
    return rows
      .filter(({ reviewId }) => about === 'CUSTOMER' || (reviewId !== null && cases.has(reviewId)))
      .reverse();
  }

  private async communicationsOf(organisationId: string, scope: Scope): Promise<DossierCommunication[]> {
    return (await this.communicationsIn(organisationId, scope)).map((row) => ({
      id: publicId('com', row.id),
      kind: row.kind,
      status: row.status,
      dueAt: row.dueAt.toISOString(),
      filingNumber: row.filingNumber,
      receivedAt: row.receivedAt?.toISOString() ?? null,
    }));
  }
}

const incomplete = (trail: DossierTrail): DomainError =>
  new DomainError('AUDIT_TRAIL_INCOMPLETE', {
    details: trail.incomplete.map(({ subject, status }) => ({
      path: subject,
      code: status,
      message: 'The trail of this subject is not complete and unchanged.',
    })),
  });
