import { Injectable } from '@nestjs/common';
import { In, IsNull, MoreThan, Not } from 'typeorm';
import { column, execute, prepared, system, UnitOfWork, type Reader } from '../../database/index.js';
import { DomainError } from '../../kernel/index.js';
import type { ReviewKind, ReviewStatus, Theme } from '../domain/review.js';
import { ReviewEffectEntity } from './entities/review-effect.entity.js';
import { ReviewHitEntity } from './entities/review-hit.entity.js';
import { ReviewNoteEntity } from './entities/review-note.entity.js';
import { ReviewTransactionEntity } from './entities/review-transaction.entity.js';
import { ReviewEntity } from './entities/review.entity.js';

export interface QueueFilter {
  readonly status?: ReviewStatus | undefined;
  /** Not closed; ignored when a status is named. */
  readonly open?: boolean | undefined;
  readonly kind?: ReviewKind | undefined;
  readonly theme?: Theme | undefined;
  readonly priority?: number | undefined;
  readonly queue?: string | undefined;
  /** An operator, or `null` for cases that nobody has. */
  readonly assigneeId?: string | null | undefined;
  readonly customerId?: string | undefined;
  readonly transactionRef?: string | undefined;
  readonly overdue?: boolean | undefined;
}

/** The place of a case in the queue. */
export interface QueuePlace {
  readonly priority: number;
  readonly dueAt: string;
  readonly id: string;
}

/** A case as it stands. */
export type ReviewRow = Readonly<ReviewEntity>;
export type LinkedTransaction = Readonly<Omit<ReviewTransactionEntity, 'reviewId' | 'organisationId'>>;
export type NoteRow = Readonly<ReviewNoteEntity>;

/** Those that asked for the case, or that it was opened about: what its decision is about. */
export const DECIDED_ORIGINS = ['EVALUATION', 'OPERATOR', 'REOPENED'] as const;
const ALL_ORIGINS = [...DECIDED_ORIGINS, 'RELATED'] as const;

/** A clock of the case has run out: of its analysis, of the first look at a sanction, or of its communication. */
const OVERDUE = `(r.due_at < :now AND
  (r.status <> 'CLOSED' OR (r.report = 'COMMUNICATE' AND r.reported_at IS NULL)))`;

const NEWEST_ABOUT = prepared(
  'reviews.newest-about',
  `SELECT DISTINCT ON (transaction_ref) transaction_ref AS ref, review_id AS id FROM review_transactions
   WHERE organisation_id = ANY ($1::uuid[]) AND transaction_ref = ANY ($2::uuid[])
     AND origin <> 'RELATED' ORDER BY transaction_ref, review_id DESC`,
  { ref: column(ReviewTransactionEntity, 'transactionRef'), id: column(ReviewTransactionEntity, 'reviewId') },
);

/** Reads cases. */
@Injectable()
export class ReviewQueries {
  constructor(private readonly uow: UnitOfWork) {}

  /** Returns those of these cases that are closed and whose decision has not arrived at this target. */
  async decided(target: string, reviewIds: readonly string[]): Promise<ReviewRow[]> {
    return this.uow.read(system('reviews.effects'), (db) =>
      db
        .createQueryBuilder(ReviewEntity, 'r')
        .innerJoin(ReviewEffectEntity, 'e', 'e.review_id = r.id AND e.target = :target', { target })
        .where(`r.id = ANY (:reviewIds) AND r.status = 'CLOSED'`, { reviewIds })
        .getMany(),
    );
  }

  find(organisationId: string, id: string): Promise<ReviewRow | null> {
    return this.uow.read(organisationId, (db) => db.findOneBy(ReviewEntity, { organisationId, id }));
  }

  /** As `find`; throws when the organisation has no such case. */
  async get(organisationId: string, id: string): Promise<ReviewRow> {
    const review = await this.find(organisationId, id);
    if (!review) throw new DomainError('REVIEW_NOT_FOUND');
    return review;
  }

  /** Cases, the most urgent first; one more than asked for when there are more. */
  page(
    organisationId: string,
    filter: QueueFilter,
    now: Date,
    after: QueuePlace | null,
    limit: number,
  ): Promise<ReviewRow[]> {
    const { status, open, kind, theme, priority, queue, assigneeId, customerId, transactionRef, overdue } =
      filter;
    return this.uow.read(organisationId, (db) => {
      const query = db.createQueryBuilder(ReviewEntity, 'r').where({ organisationId });
      for (const [property, value] of Object.entries({ status, kind, theme, priority, queue, customerId })) {
        if (value !== undefined) query.andWhere({ [property]: value });
      }
      if (status === undefined && open !== undefined) {
        query.andWhere(`(r.status <> 'CLOSED') = :open`, { open });
      }
      if (assigneeId !== undefined) query.andWhere({ assigneeId: assigneeId ?? IsNull() });
      if (transactionRef !== undefined) {
        const about = `SELECT review_id FROM review_transactions
                       WHERE organisation_id = :organisationId AND transaction_ref = :transactionRef`;
        query.andWhere(`r.id IN (${about})`, { organisationId, transactionRef });
      }
      if (overdue !== undefined) query.andWhere(`${OVERDUE} = :overdue`, { now, overdue });
      if (after) {
        query.andWhere('(r.priority, r.due_at, r.id) > (CAST(:priority AS int), :dueAt, :id)', after);
      }
      return query
        .orderBy({ 'r.priority': 'ASC', 'r.dueAt': 'ASC', 'r.id': 'ASC' })
        .limit(limit + 1)
        .getMany();
    });
  }

  /** The transactions of a case in order of their receipt, after one of them. */
  transactions(
    organisationId: string,
    reviewId: string,
    after: string | null = null,
    limit = 1_000,
    origins: readonly LinkedTransaction['origin'][] = ALL_ORIGINS,
  ): Promise<LinkedTransaction[]> {
    return this.uow.read(organisationId, (db) =>
      db
        .createQueryBuilder(ReviewTransactionEntity, 't')
        .distinctOn(['t.transactionRef'])
        .where({ organisationId, reviewId, origin: In(origins) })
        .andWhere(after === null ? {} : { transactionRef: MoreThan(after) })
        .orderBy({ 't.transactionRef': 'ASC', 't.evaluationVersion': 'DESC' })
        .limit(limit)
        .getMany(),
    );
  }

  async hitIds(organisationId: string, reviewId: string, reader?: Reader): Promise<string[]> {
    const find = (db: Reader): Promise<ReviewHitEntity[]> =>
      db.find(ReviewHitEntity, { where: { organisationId, reviewId }, order: { hitId: 'ASC' } });
    const rows = await (reader ? find(reader) : this.uow.read(organisationId, find));
    return rows.map(({ hitId }) => hitId);
  }

  notes(organisationId: string, reviewId: string): Promise<NoteRow[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(ReviewNoteEntity, { where: { organisationId, reviewId }, order: { id: 'ASC' } }),
    );
  }

  /** Whether a case that is not closed takes this one up again. */
  reopenedAs(organisationId: string, id: string, reader: Reader): Promise<boolean> {
    return reader.existsBy(ReviewEntity, { organisationId, reopenedFrom: id, status: Not('CLOSED') });
  }

  /** The case about hits of a customer on which a decision is still open; held against its closing until the end. */
  async openHitCase(organisationId: string, customerId: string, reader: Reader): Promise<string | null> {
    const found = await reader.findOne(ReviewEntity, {
      where: {
        organisationId,
        customerId,
        kind: 'HIT',
        status: In(['OPEN', 'IN_ANALYSIS', 'AWAITING_INFO']),
      },
      order: { id: 'DESC' },
      lock: { mode: 'pessimistic_write' },
    });
    return found?.id ?? null;
  }

  /** The newest case about each of these transactions, closed or not. */
  async newestAbout(
    organisationIds: readonly string[],
    refs: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const rows = await this.uow.read([...organisationIds], (db) =>
      execute(db, NEWEST_ABOUT, [[...organisationIds], [...refs]]),
    );
    return new Map(rows.map(({ ref, id }) => [ref, id]));
  }
}
