import { Injectable } from '@nestjs/common';
import {
  column,
  execute,
  properties,
  selected,
  selectedBut,
  prepared,
  statement,
  system,
  UnitOfWork,
  type Reader,
  type RowOf,
  type Statement,
} from '../../database/index.js';
import type { ReviewKind, ReviewStatus } from '../domain/review.js';
import { ReviewHitEntity } from './entities/review-hit.entity.js';
import { ReviewNoteEntity } from './entities/review-note.entity.js';
import { ReviewTransactionEntity } from './entities/review-transaction.entity.js';
import { ReviewEntity } from './entities/review.entity.js';

export interface QueueFilter {
  readonly status?: ReviewStatus | undefined;
  /** Not closed; ignored when a status is named. */
  readonly open?: boolean | undefined;
  readonly kind?: ReviewKind | undefined;
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

const STORED = selectedBut(ReviewEntity, 'r', 'retainUntil', 'movedFrom');
export const REVIEW = {
  sql: `${STORED.sql}, to_char(r.retain_until, 'YYYY-MM-DD') AS "retainUntil"`,
  shape: { ...STORED.shape, retainUntil: 'text | null' },
} as const;
const LINK = selected(
  ReviewTransactionEntity,
  't',
  'transactionRef',
  'evaluationVersion',
  'origin',
  'linkedAt',
);
const ID = properties(ReviewEntity, 'id');

/** A case as it stands. */
export type ReviewRow = RowOf<typeof REVIEW.shape>;
export type LinkedTransaction = RowOf<typeof LINK.shape>;
export type NoteRow = Readonly<ReviewNoteEntity>;

/** A clock of the case has run out: of its analysis, of the first look at a sanction, or of its communication. */
const OVERDUE = `(r.due_at < $12::timestamptz AND
  (r.status <> 'CLOSED' OR (r.report = 'COMMUNICATE' AND r.reported_at IS NULL)))`;

// A condition whose value is null is gone before the server plans: the values are known to it.
const PAGE = statement(
  'reviews.page',
  `SELECT ${REVIEW.sql} FROM reviews r
   WHERE r.organisation_id = $1 AND ($2::text IS NULL OR r.status = $2)
     AND ($3::boolean IS NULL OR (r.status <> 'CLOSED') = $3) AND ($4::text IS NULL OR r.kind = $4)
     AND ($5::int IS NULL OR r.priority = $5) AND ($6::text IS NULL OR r.queue = $6)
     AND ($7::boolean IS NULL OR r.assignee_id IS NULL) AND ($8::uuid IS NULL OR r.assignee_id = $8)
     AND ($9::uuid IS NULL OR r.customer_id = $9)
     AND ($10::uuid IS NULL OR r.id IN (SELECT review_id FROM review_transactions
                                        WHERE organisation_id = $1 AND transaction_ref = $10))
     AND ($11::boolean IS NULL OR ${OVERDUE} = $11)
     AND ($13::int IS NULL OR (r.priority, r.due_at, r.id) > ($13, $14::timestamptz, $15::uuid))
   ORDER BY r.priority, r.due_at, r.id LIMIT $16`,
  REVIEW.shape,
);

const DECIDED = statement(
  'reviews.decided',
  `SELECT ${REVIEW.sql} FROM review_effects e JOIN reviews r ON r.id = e.review_id
     WHERE e.target = $1 AND e.review_id = ANY ($2::uuid[]) AND r.status = 'CLOSED'`,
  REVIEW.shape,
);

const FIND = statement(
  'reviews.find',
  `SELECT ${REVIEW.sql} FROM reviews r WHERE r.organisation_id = $1 AND r.id = $2`,
  REVIEW.shape,
);

const TRANSACTIONS = statement(
  'reviews.transactions',
  `SELECT DISTINCT ON (transaction_ref) ${LINK.sql}
   FROM review_transactions t WHERE organisation_id = $1 AND review_id = $2
     AND ($3::uuid IS NULL OR transaction_ref > $3)
   ORDER BY transaction_ref, evaluation_version DESC LIMIT $4`,
  LINK.shape,
);

const HIT_IDS = statement(
  'reviews.hits',
  `SELECT hit_id AS id FROM review_hits WHERE organisation_id = $1 AND review_id = $2 ORDER BY hit_id`,
  { id: column(ReviewHitEntity, 'hitId') },
);

const REOPENED_AS = statement(
  'reviews.reopened-as',
  `SELECT id FROM reviews WHERE organisation_id = $1 AND reopened_from = $2 AND status <> 'CLOSED'`,
  ID,
);

const OPEN_HIT_CASE = statement(
  'reviews.open-hit-case',
  `SELECT id FROM reviews WHERE organisation_id = $1 AND customer_id = $2 AND kind = 'HIT'
     AND status IN ('OPEN', 'IN_ANALYSIS', 'AWAITING_INFO') ORDER BY id DESC LIMIT 1 FOR UPDATE`,
  ID,
);

const NEWEST_ABOUT = prepared(
  'reviews.newest-about',
  `SELECT DISTINCT ON (transaction_ref) transaction_ref AS ref, review_id AS id FROM review_transactions
   WHERE organisation_id = ANY ($1::uuid[]) AND transaction_ref = ANY ($2::uuid[]) ORDER BY transaction_ref, review_id DESC`,
  { ref: column(ReviewTransactionEntity, 'transactionRef'), id: column(ReviewTransactionEntity, 'reviewId') },
);

/** Reads cases. */
@Injectable()
export class ReviewQueries {
  constructor(private readonly uow: UnitOfWork) {}

  /** Returns those of these cases that are closed and whose decision has not arrived at this target. */
  async decided(target: string, reviewIds: readonly string[]): Promise<ReviewRow[]> {
    return this.uow.read(system('reviews.effects'), (db) => execute(db, DECIDED, [target, [...reviewIds]]));
  }

  async find(organisationId: string, id: string, reader?: Reader): Promise<ReviewRow | null> {
    const rows = await this.query(organisationId, FIND, [organisationId, id], reader);
    return rows[0] ?? null;
  }

  /** Cases, the most urgent first; one more than asked for when there are more. */
  page(
    organisationId: string,
    filter: QueueFilter,
    now: Date,
    after: QueuePlace | null,
    limit: number,
  ): Promise<ReviewRow[]> {
    const { status, assigneeId } = filter;
    return this.query(organisationId, PAGE, [
      organisationId,
      status,
      status === undefined ? filter.open : null,
      filter.kind,
      filter.priority,
      filter.queue,
      assigneeId === null ? true : null,
      assigneeId,
      filter.customerId,
      filter.transactionRef,
      filter.overdue,
      now.toISOString(),
      after?.priority,
      after?.dueAt,
      after?.id,
      limit + 1,
    ]);
  }

  /** The transactions of a case in order of their receipt, after one of them. */
  transactions(
    organisationId: string,
    reviewId: string,
    after: string | null = null,
    limit = 1_000,
    reader?: Reader,
  ): Promise<LinkedTransaction[]> {
    return this.query(organisationId, TRANSACTIONS, [organisationId, reviewId, after, limit], reader);
  }

  async hitIds(organisationId: string, reviewId: string, reader?: Reader): Promise<string[]> {
    const rows = await this.query(organisationId, HIT_IDS, [organisationId, reviewId], reader);
    return rows.map(({ id }) => id);
  }

  notes(organisationId: string, reviewId: string): Promise<NoteRow[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(ReviewNoteEntity, { where: { organisationId, reviewId }, order: { id: 'ASC' } }),
    );
  }

  /** Whether a case that is not closed takes this one up again. */
  async reopenedAs(organisationId: string, id: string, reader: Reader): Promise<boolean> {
    const rows = await this.query(organisationId, REOPENED_AS, [organisationId, id], reader);
    return rows.length > 0;
  }

  /** The case about hits of a customer on which a decision is still open; held against its closing until the end. */
  async openHitCase(organisationId: string, customerId: string, reader: Reader): Promise<string | null> {
    const rows = await this.query(organisationId, OPEN_HIT_CASE, [organisationId, customerId], reader);
    return rows[0]?.id ?? null;
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

  private query<Row>(
    organisationId: string,
    statement: Statement<Row>,
    values: readonly unknown[],
    reader?: Reader,
  ): Promise<Row[]> {
    const ask = (db: Reader): Promise<Row[]> => execute(db, statement, values);
    return reader ? ask(reader) : this.uow.read(organisationId, ask);
  }
}
