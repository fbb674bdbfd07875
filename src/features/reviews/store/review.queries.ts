import { Injectable } from '@nestjs/common';
import { In, MoreThan, Not, Raw } from 'typeorm';
import {
  column,
  execute,
  notNullColumn,
  nullable,
  prepared,
  properties,
  sqlArray,
  statement,
  system,
  UnitOfWork,
  type Reader,
  type Rows,
  type Tx,
} from '../../../platform/database/index.js';
import { orThrow, required } from '../../../platform/kernel/index.js';
import { workingStatuses } from '../domain/review.js';
import { queueQuery, type QueueFilter, type QueueOrder, type QueueCursor } from './queue-query.js';
import {
  ReviewEffectEntity,
  ReviewLabelEntity,
  ReviewHitEntity,
  ReviewNoteEntity,
  ReviewPersonEntity,
  ReviewTransactionEntity,
  ReviewEntity,
} from './entities.js';

export type ReviewRow = Readonly<ReviewEntity>;
export type LinkedTransaction = Readonly<Omit<ReviewTransactionEntity, 'reviewId' | 'organisationId'>>;
export type NoteRow = Readonly<ReviewNoteEntity>;
export type PersonRow = Readonly<ReviewPersonEntity>;

/** Origins of transactions that the decision of the case applies to. It does not apply to RELATED transactions. */
export const DECIDED_ORIGINS = ['EVALUATION', 'LOOK_BACK', 'OPERATOR', 'REOPENED'] as const;
const ALL_ORIGINS = [...DECIDED_ORIGINS, 'RELATED'] as const;

const NEWEST_ABOUT = prepared(
  'reviews.newest-about',
  `SELECT DISTINCT ON (transaction_ref) transaction_ref AS ref, review_id AS id FROM review_transactions
   WHERE organisation_id = ANY ($1::uuid[]) AND transaction_ref = ANY ($2::uuid[])
     AND origin <> 'RELATED' ORDER BY transaction_ref, review_id DESC`,
  { ref: column(ReviewTransactionEntity, 'transactionRef'), id: column(ReviewTransactionEntity, 'reviewId') },
);

const FIND_MERGED_CASES = statement(
  'reviews.merged',
  `WITH RECURSIVE merged AS (
     SELECT id FROM reviews WHERE organisation_id = $1 AND merged_into = $2
     UNION SELECT r.id FROM reviews r JOIN merged m ON r.merged_into = m.id WHERE r.organisation_id = $1)
   SELECT id FROM merged ORDER BY 1`,
  { id: 'uuid' },
);

// The hits of a case are its own hits and those of its payments. A payment keeps its hits when a hit is moved to
// another case, and when an operator opens another case about the payment.
const HITS_OF_PAYMENTS = `SELECT h.id FROM review_transactions l
     JOIN review_transactions o ON o.organisation_id = l.organisation_id AND o.transaction_ref = l.transaction_ref
     JOIN screening_hits h ON h.organisation_id = o.organisation_id AND h.id = ANY (o.hit_ids) AND h.mandatory
   WHERE l.organisation_id = $1 AND l.origin <> 'RELATED' AND l.review_id`;

const HITS = statement(
  'reviews.hits',
  `SELECT i.id AS "reviewId", h.id AS "hitId" FROM unnest($2::uuid[]) AS i (id) CROSS JOIN LATERAL (
     SELECT hit_id AS id FROM review_hits WHERE organisation_id = $1 AND review_id = i.id
     UNION ${HITS_OF_PAYMENTS} = i.id) h ORDER BY 2`,
  properties(ReviewHitEntity, 'reviewId', 'hitId'),
);

/**
 * Origins of transactions whose case is about their customer. Transactions of other origins are added by hand, to any
 * case.
 */
const CUSTOMER_ORIGINS = `IN ('EVALUATION', 'LOOK_BACK', 'REOPENED')`;

const CUSTOMERS = statement(
  'reviews.customers',
  `SELECT customer_id AS id FROM reviews WHERE organisation_id = $1 AND id = $2 AND customer_id IS NOT NULL
   UNION SELECT r.customer_id FROM review_transactions l
     JOIN review_transactions o ON o.organisation_id = l.organisation_id AND o.transaction_ref = l.transaction_ref
       AND o.origin ${CUSTOMER_ORIGINS}
     JOIN reviews r ON r.organisation_id = o.organisation_id AND r.id = o.review_id
   WHERE l.organisation_id = $1 AND l.review_id = $2 AND l.origin <> 'RELATED' AND r.customer_id IS NOT NULL`,
  { id: notNullColumn(column(ReviewEntity, 'customerId')) },
);

const HITS_OF_TRANSACTIONS = statement(
  'reviews.hits-of-transactions',
  `SELECT l.transaction_ref AS ref, h AS "hitId", NULL::uuid AS "customerId"
   FROM review_transactions l CROSS JOIN LATERAL unnest(l.hit_ids) AS h
   WHERE l.organisation_id = $1 AND l.transaction_ref = ANY ($2::uuid[])
   UNION SELECT l.transaction_ref, NULL, r.customer_id FROM review_transactions l
     JOIN reviews r ON r.organisation_id = l.organisation_id AND r.id = l.review_id
   WHERE l.organisation_id = $1 AND l.transaction_ref = ANY ($2::uuid[]) AND l.origin ${CUSTOMER_ORIGINS}
     AND r.customer_id IS NOT NULL`,
  {
    ref: column(ReviewTransactionEntity, 'transactionRef'),
    hitId: nullable(column(ReviewHitEntity, 'hitId')),
    customerId: column(ReviewEntity, 'customerId'),
  },
);

const COUNTS = statement(
  'reviews.counts',
  `SELECT r.id, c.hits, c."openHits",
     (SELECT count(*)::int FROM review_notes n WHERE n.review_id = r.id) AS notes,
     (SELECT count(*)::int FROM reviews o WHERE o.organisation_id = $1 AND o.customer_id = r.customer_id
        AND o.id <> r.id AND o.status <> 'CLOSED' AND o.status <> 'MERGED') AS "otherOpenCases"
   FROM reviews r CROSS JOIN LATERAL (
     SELECT count(*)::int AS hits, count(*) FILTER (WHERE s.status IN ('PENDING', 'ESCALATED'))::int AS "openHits"
     FROM (SELECT hit_id AS id FROM review_hits WHERE organisation_id = $1 AND review_id = r.id
           UNION ${HITS_OF_PAYMENTS} = r.id) h
     JOIN screening_hits s ON s.organisation_id = $1 AND s.id = h.id) c
   WHERE r.organisation_id = $1 AND r.id = ANY ($2::uuid[])`,
  {
    ...{ id: column(ReviewEntity, 'id'), hits: 'integer', openHits: 'integer', notes: 'integer' },
    otherOpenCases: 'integer',
  },
);

/** The numbers of hits, open hits and notes of a case, and of other open cases of its customer. */
export type CaseCounts = Omit<Rows<typeof COUNTS>, 'id'>;

const ALERTS = statement(
  'reviews.alerts',
  `SELECT a.* FROM unnest($2::uuid[]) AS i (id) CROSS JOIN LATERAL (
     SELECT t.review_id AS "reviewId", t.transaction_ref AS "transactionRef",
       t.evaluation_version AS "evaluationVersion", t.points, t.amount_cents AS "amountCents", t.lead, t.rules,
       t.countries, t.origin, t.linked_at AS "linkedAt", t.look_back_id AS "lookBackId"
     FROM review_transactions t
     WHERE t.organisation_id = $1 AND t.review_id = i.id AND t.origin <> 'RELATED'
     ORDER BY t.points DESC NULLS LAST, t.transaction_ref, t.evaluation_version DESC LIMIT $3) a`,
  properties(
    ReviewTransactionEntity,
    ...(['reviewId', 'transactionRef', 'evaluationVersion', 'points', 'amountCents', 'lead'] as const),
    ...(['rules', 'countries', 'origin', 'linkedAt', 'lookBackId'] as const),
  ),
);

/** An evaluation that raised an alert, with its lead reason. */
export type AlertRow = Rows<typeof ALERTS>;

const IS_OPEN = `organisation_id = $1 AND status IN ('OPEN', 'IN_ANALYSIS', 'AWAITING_INFO', 'PENDING_APPROVAL')`;
const countUpToMost = (name: string, where: string): string =>
  `(SELECT count(*)::int FROM (SELECT FROM reviews WHERE ${where} LIMIT $4) c) AS "${name}"`;
const BADGES = statement(
  'reviews.badges',
  `SELECT ${countUpToMost('open', IS_OPEN)}, ${countUpToMost('mine', `${IS_OPEN} AND assignee_id = $2`)},
     ${countUpToMost('unassigned', `${IS_OPEN} AND assignee_id IS NULL`)},
     ${countUpToMost('overdue', `organisation_id = $1 AND status <> 'CLOSED' AND status <> 'MERGED' AND due_at < $3`)},
     ${countUpToMost('myOverdue', `${IS_OPEN} AND assignee_id = $2 AND due_at < $3`)}`,
  { open: 'integer', mine: 'integer', unassigned: 'integer', overdue: 'integer', myOverdue: 'integer' },
);

/** Counts of waiting cases. */
export type CaseBadges = Rows<typeof BADGES>;

@Injectable()
export class ReviewQueries {
  constructor(private readonly uow: UnitOfWork) {}

  /** Returns the closed cases among `reviewIds` whose decision the target has not applied. */
  async findUndelivered(target: string, reviewIds: readonly string[]): Promise<ReviewRow[]> {
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

  /** Returns the given cases that belong to the organisation, in no order. */
  findMany(organisationId: string, ids: readonly string[]): Promise<ReviewRow[]> {
    return this.uow.read(organisationId, (db) => db.findBy(ReviewEntity, { organisationId, id: In(ids) }));
  }

  /** Throws REVIEW_NOT_FOUND when the organisation has no such case. */
  async get(organisationId: string, id: string): Promise<ReviewRow> {
    return orThrow(await this.find(organisationId, id), 'REVIEW_NOT_FOUND');
  }

  /** Up to `limit + 1` cases in sort order, after a cursor. */
  page(
    organisationId: string,
    filter: QueueFilter,
    now: Date,
    after: QueueCursor | null,
    limit: number,
    order: QueueOrder = 'URGENCY',
  ): Promise<ReviewRow[]> {
    return this.uow.read(organisationId, (db) =>
      queueQuery(db, organisationId, { filter, now, after, order })
        .limit(limit + 1)
        .getMany(),
    );
  }

  async readCounts(organisationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, CaseCounts>> {
    if (ids.length === 0) return new Map();
    const rows = await this.uow.rows(organisationId, COUNTS, [organisationId, [...ids]]);
    return new Map(rows.map(({ id, ...counts }) => [id, counts]));
  }

  /** Up to `each` alerts of each case, the most severe first. */
  async listAlerts(
    organisationId: string,
    ids: readonly string[],
    each: number,
  ): Promise<ReadonlyMap<string, AlertRow[]>> {
    const rows =
      ids.length === 0 ? [] : await this.uow.rows(organisationId, ALERTS, [organisationId, [...ids], each]);
    const alertsByCase = new Map<string, AlertRow[]>();
    for (const row of rows) alertsByCase.set(row.reviewId, [...(alertsByCase.get(row.reviewId) ?? []), row]);
    return alertsByCase;
  }

  /** Returns the rules that raised the alerts of each case, keyed by case id. */
  async readRules(organisationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
    const rows = await this.uow.read(organisationId, (db) =>
      db.find(ReviewLabelEntity, {
        where: { organisationId, reviewId: In([...ids]), kind: 'RULE' },
        order: { value: 'ASC' },
      }),
    );
    const rulesByCase = new Map<string, string[]>();
    for (const { reviewId, value } of rows) {
      rulesByCase.set(reviewId, [...(rulesByCase.get(reviewId) ?? []), value]);
    }
    return rulesByCase;
  }

  /** True if the case has a hit, or an alert about anything but missing data. */
  async hasMoreThanGaps(organisationId: string, reviewId: string): Promise<boolean> {
    return this.uow.read(
      organisationId,
      async (db) =>
        (await db.existsBy(ReviewHitEntity, { organisationId, reviewId })) ||
        (await db.existsBy(ReviewTransactionEntity, {
          ...{ organisationId, reviewId, origin: In([...DECIDED_ORIGINS]) },
          lead: Raw((lead) => `${lead} ->> 'code' <> 'MISSING_DATA'`),
        })),
    );
  }

  async readAssignments(
    organisationId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Pick<ReviewRow, 'status' | 'assigneeId'>>> {
    if (ids.length === 0) return new Map();
    const rows = await this.uow.read(organisationId, (db) =>
      db.find(ReviewEntity, {
        select: { id: true, organisationId: true, status: true, assigneeId: true },
        where: { organisationId, id: In([...ids]) },
      }),
    );
    return new Map(rows.map(({ id, status, assigneeId }) => [id, { status, assigneeId }]));
  }

  /** Counts open cases for the badges, each count up to `most`. */
  async countBadges(
    organisationId: string,
    operatorId: string,
    now: Date,
    most: number,
  ): Promise<CaseBadges> {
    const [counted] = await this.uow.rows(organisationId, BADGES, [organisationId, operatorId, now, most]);
    return required(counted, 'counts of cases');
  }

  /** Up to `limit` transactions of a case in order of receipt, after the transaction `after`. */
  listTransactions(
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

  /** The hits of a case: its own, and the mandatory ones about the parties of the transactions that it decides. */
  async listHitIds(organisationId: string, reviewId: string, reader?: Reader): Promise<string[]> {
    const find = (db: Reader): Promise<Rows<typeof HITS>[]> =>
      execute(db, HITS, [organisationId, [reviewId]]);
    const rows = await (reader ? find(reader) : this.uow.read(organisationId, find));
    return rows.map(({ hitId }) => hitId);
  }

  /** The hits of each case, as `listHitIds` returns them. */
  async listHitsOfCases(
    organisationId: string,
    reviewIds: readonly string[],
  ): Promise<ReadonlyMap<string, string[]>> {
    const rows = await this.uow.rows(organisationId, HITS, [organisationId, [...reviewIds]]);
    const hitsByCase = new Map<string, string[]>();
    for (const { reviewId, hitId } of rows) {
      hitsByCase.set(reviewId, [...(hitsByCase.get(reviewId) ?? []), hitId]);
    }
    return hitsByCase;
  }

  /** The hits about each transaction, and its customer: each in a row of its own. */
  async listHitsOfTransactions(
    tx: Tx,
    organisationId: string,
    refs: readonly string[],
  ): Promise<Rows<typeof HITS_OF_TRANSACTIONS>[]> {
    return execute(tx, HITS_OF_TRANSACTIONS, [organisationId, sqlArray.uuids(refs)]);
  }

  /** The customer of a case, and the customers of the transactions that it decides. */
  async listCustomerIds(organisationId: string, reviewId: string, reader: Reader): Promise<string[]> {
    const rows = await execute(reader, CUSTOMERS, [organisationId, reviewId]);
    return rows.map(({ id }) => id);
  }

  /** The notes of these cases, the oldest first. */
  listNotes(organisationId: string, reviewIds: readonly string[]): Promise<NoteRow[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(ReviewNoteEntity, {
        where: { organisationId, reviewId: In([...reviewIds]) },
        order: { id: 'ASC' },
      }),
    );
  }

  /** Returns the ids of cases merged into this case, directly or through other merges. */
  async findMergedCases(organisationId: string, id: string): Promise<string[]> {
    const rows = await this.uow.rows(organisationId, FIND_MERGED_CASES, [organisationId, id]);
    return rows.map((row) => row.id);
  }

  listPeople(organisationId: string, reviewId: string): Promise<PersonRow[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(ReviewPersonEntity, {
        where: { organisationId, reviewId },
        order: { linkedAt: 'ASC', customerId: 'ASC' },
      }),
    );
  }

  /** Returns the id of the case as which this case was reopened, unless that case is closed; null if there is none. */
  async findReopened(organisationId: string, id: string, reader: Reader): Promise<string | null> {
    const where = { organisationId, reopenedFrom: id, status: Not('CLOSED' as const) };
    return (
      (await reader.findOne(ReviewEntity, { select: { id: true, organisationId: true }, where }))?.id ?? null
    );
  }

  /**
   * Locks the newest case about hits of a customer that has no proposed decision, so that none can be proposed until
   * the commit. Returns its id.
   */
  async lockOpenHitCase(organisationId: string, customerId: string, reader: Reader): Promise<string | null> {
    const review = await reader.findOne(ReviewEntity, {
      where: {
        organisationId,
        customerId,
        kind: 'HIT',
        status: In(workingStatuses),
      },
      order: { id: 'DESC' },
      lock: { mode: 'pessimistic_write' },
    });
    return review?.id ?? null;
  }

  /** The newest case about each transaction, open or closed. */
  async findNewestCases(
    organisationIds: readonly string[],
    refs: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const rows = await this.uow.rows([...organisationIds], NEWEST_ABOUT, [[...organisationIds], [...refs]]);
    return new Map(rows.map(({ ref, id }) => [ref, id]));
  }
}
