import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import {
  properties,
  sqlArray,
  statement,
  UnitOfWork,
  value,
  type RowOf,
} from '../../../platform/database/index.js';
import type { TransactionStatus } from '../domain/status.js';
import { KytDecisionEntity, KytEvaluationEntity, KytTransactionEntity } from './entities.js';

/** A stored transaction, for dossiers and exports. */
export type ArchivedRow = Omit<Placed, 'place'>;

/** The receipt of an evaluation, without its facts. */
export const EVALUATION_TEXT = {
  transactionRef: true,
  evaluationVersion: true,
  receipt: true,
  receiptHash: true,
  evaluatedAt: true,
} as const;

const DECISION = {
  transactionRef: true,
  evaluationVersion: true,
  reviewId: true,
  outcome: true,
  decidedAt: true,
  singleControl: true,
} as const;

/** A decision of a person about an evaluation. */
export type StoredDecision = Readonly<Pick<KytDecisionEntity, keyof typeof DECISION>>;

export type StoredEvaluationText = Readonly<Pick<KytEvaluationEntity, keyof typeof EVALUATION_TEXT>>;

/** A cursor in the order of `listByCustomer`: the time of occurrence, and the sequence number. */
export interface ArchiveCursor {
  /** ISO 8601 with microseconds. */
  readonly occurredAt: string;
  readonly seq: string;
}

const COLUMNS = `t.id, t.seq::text AS seq, t.transaction_id AS "transactionId", t.source, t.type, t.channel,
  t.amount::text AS amount, t.currency, t.direction, t.occurred_at AS "occurredAt", t.received_at AS "receivedAt",
  coalesce(w.status, 'COMPLETED') AS status, t.sealed_body AS "sealedBody",
  to_char(t.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS place`;

// Each key is read in its own range of the index, at most one page of rows per key.
const SELECT_IDS_OF_CUSTOMER = `SELECT f.id, f.occurred_at, f.seq FROM unnest($2::bytea[]) AS k (key)
  CROSS JOIN LATERAL (
    SELECT c.id, c.occurred_at, c.seq FROM kyt_transactions c
    WHERE c.organisation_id = $1 AND c.customer_key = k.key
      AND ($3::timestamptz IS NULL OR (c.occurred_at, c.seq) > ($3::timestamptz, $4::bigint))
    ORDER BY c.occurred_at, c.seq LIMIT $5) f
  ORDER BY f.occurred_at, f.seq LIMIT $5`;

const PLACED = {
  ...properties(
    KytTransactionEntity,
    'id',
    'transactionId',
    'source',
    'type',
    'channel',
    'currency',
    'direction',
  ),
  ...properties(KytTransactionEntity, 'occurredAt', 'receivedAt', 'sealedBody'),
  seq: 'text',
  amount: 'text',
  status: value<TransactionStatus>('text'),
  place: 'text',
} as const;

type Placed = RowOf<typeof PLACED>;

const FIND_BY_CUSTOMER = statement(
  'kyt.by-customer',
  `SELECT ${COLUMNS} FROM (${SELECT_IDS_OF_CUSTOMER}) o
         JOIN kyt_transactions t ON t.id = o.id
         LEFT JOIN kyt_work w ON w.transaction_ref = t.id
         ORDER BY t.occurred_at, t.seq`,
  PLACED,
);

const PLACES_BY_CUSTOMER = statement(
  'kyt.places-by-customer',
  `SELECT o.id, o.seq::text AS seq,
                to_char(o.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS place
         FROM (${SELECT_IDS_OF_CUSTOMER}) o ORDER BY o.occurred_at, o.seq`,
  { ...properties(KytTransactionEntity, 'id'), seq: 'text', place: 'text' },
);

const FIND_BY_ID = statement(
  'kyt.by-id',
  `SELECT ${COLUMNS} FROM kyt_transactions t LEFT JOIN kyt_work w ON w.transaction_ref = t.id
         WHERE t.organisation_id = $1 AND t.id = ANY($2::uuid[]) ORDER BY t.occurred_at, t.seq`,
  PLACED,
);

/** Reads transactions in the order of occurrence. */
@Injectable()
export class ArchiveQueries {
  constructor(private readonly uow: UnitOfWork) {}

  /** Returns transactions under any of these keys after a cursor, the oldest first. */
  async listByCustomer(
    organisationId: string,
    keys: readonly Buffer[],
    after: ArchiveCursor | null,
    limit: number,
  ): Promise<readonly Placed[]> {
    return this.uow.rows(organisationId, FIND_BY_CUSTOMER, [
      organisationId,
      sqlArray.bytes(keys),
      after?.occurredAt ?? null,
      after?.seq ?? null,
      limit,
    ]);
  }

  /** Returns a page like `listByCustomer`, but only ids and cursors. */
  async listIdsByCustomer(
    organisationId: string,
    keys: readonly Buffer[],
    after: ArchiveCursor | null,
    limit: number,
  ): Promise<readonly { readonly id: string; readonly seq: string; readonly place: string }[]> {
    return this.uow.rows(organisationId, PLACES_BY_CUSTOMER, [
      organisationId,
      sqlArray.bytes(keys),
      after?.occurredAt ?? null,
      after?.seq ?? null,
      limit,
    ]);
  }

  async byId(organisationId: string, ids: readonly string[]): Promise<readonly Placed[]> {
    return this.uow.rows(organisationId, FIND_BY_ID, [organisationId, sqlArray.plain(ids)]);
  }

  /** Returns every evaluation of these transactions, ordered by version. */
  async listEvaluations(organisationId: string, ids: readonly string[]): Promise<StoredEvaluationText[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(KytEvaluationEntity, {
        select: EVALUATION_TEXT,
        where: { organisationId, transactionRef: In([...ids]) },
        order: { transactionRef: 'ASC', evaluationVersion: 'ASC' },
      }),
    );
  }

  /** Returns the decisions about these transactions, the oldest first. */
  async listDecisions(organisationId: string, ids: readonly string[]): Promise<StoredDecision[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(KytDecisionEntity, {
        select: DECISION,
        where: { organisationId, transactionRef: In([...ids]) },
        order: { transactionRef: 'ASC', eventSequence: 'ASC' },
      }),
    );
  }
}
