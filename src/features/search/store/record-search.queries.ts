import { Injectable } from '@nestjs/common';
import { CustomerEntity } from '../../customers/index.js';
import {
  column,
  execute,
  properties,
  selectColumns,
  sqlArray,
  statement,
  UnitOfWork,
  type Rows,
} from '../../../platform/database/index.js';
import { firstUuidAt } from '../../../platform/kernel/index.js';
import { KytTransactionEntity } from '../../kyt/index.js';
import { ScreeningHitEntity, ScreeningListEntity } from '../../screening/index.js';
import { ReviewEntity } from '../../reviews/index.js';
import type { AmountRange } from '../domain/question.js';

/** Amounts are searched in this many of the newest alerts. */
export const NEWEST_ALERTS = 20_000;
/** Users of an account are read from this many of its newest transactions. */
const NEWEST_OF_ACCOUNT = 200;
// Time range around the start of a request in which its transaction is stored; the clocks may differ a little.
const EARLIER_MS = 5_000;
const LATER_MS = 120_000;

const CUSTOMERS = statement(
  'search.customers-by-key',
  `SELECT id FROM customers WHERE organisation_id = $1 AND document_index = ANY ($2::bytea[])
   UNION SELECT coalesce(merged_into, id) FROM customers WHERE organisation_id = $1 AND external_index = ANY ($2::bytea[])
   UNION SELECT coalesce(merged_into, id) FROM customers WHERE organisation_id = $1 AND id = $3 AND erased_at IS NULL`,
  { id: column(CustomerEntity, 'id') },
);

const KEYS_OF_ACCOUNT = statement(
  'search.keys-of-account',
  `SELECT DISTINCT k.key FROM (
     SELECT document_key, external_key FROM kyt_transactions WHERE organisation_id = $1 AND account_key = $2
     ORDER BY occurred_at DESC, seq DESC LIMIT ${NEWEST_OF_ACCOUNT}) t, LATERAL (VALUES (t.document_key), (t.external_key)) AS k (key)
   WHERE k.key IS NOT NULL`,
  { key: 'bytea' },
);

const TRANSACTION = selectColumns(
  KytTransactionEntity,
  't',
  ...(['id', 'transactionId', 'type', 'currency', 'direction', 'occurredAt', 'customerKey'] as const),
);
const FOUND = {
  sql: `${TRANSACTION.sql}, t.amount::text AS amount`,
  shape: { ...TRANSACTION.shape, amount: 'text' },
} as const;

export type FoundTransaction = Rows<typeof TRANSACTIONS>;

const TRANSACTIONS = statement(
  'search.transactions',
  `SELECT ${FOUND.sql} FROM kyt_transactions t WHERE t.organisation_id = $1 AND t.id = $2
   UNION ALL
   SELECT ${FOUND.sql} FROM kyt_transactions t
   WHERE t.client_app_id IN (SELECT id FROM client_apps WHERE organisation_id = $1)
     AND t.transaction_id = $3 AND t.organisation_id = $1
   UNION ALL
   SELECT ${FOUND.sql} FROM kyt_transactions t WHERE t.organisation_id = $1 AND t.request_id = $4
     AND t.id BETWEEN $5 AND $6
   UNION ALL
   (SELECT ${FOUND.sql} FROM kyt_transactions t WHERE t.organisation_id = $1 AND t.account_key = $7
    ORDER BY t.occurred_at DESC, t.seq DESC LIMIT $8)
   LIMIT $8`,
  FOUND.shape,
);

const CASE = selectColumns(
  ReviewEntity,
  'r',
  ...(['id', 'kind', 'theme', 'status', 'priority', 'queue', 'customerId', 'assigneeId'] as const),
  ...(['openedAt', 'dueAt', 'points', 'linked', 'resolution'] as const),
);

export type FoundCase = Rows<typeof CASES>;

const ORDER_BY_OPEN = `ORDER BY (r.status IN ('CLOSED', 'MERGED')), r.id DESC LIMIT`;

const CASES = statement(
  'search.cases',
  `SELECT ${CASE.sql} FROM reviews r WHERE r.organisation_id = $1 AND r.id IN (
     SELECT $2::uuid UNION
     SELECT id FROM reviews WHERE organisation_id = $1 AND customer_id = ANY ($3::uuid[]) UNION
     SELECT review_id FROM review_transactions WHERE organisation_id = $1 AND transaction_ref = ANY ($4::uuid[]))
   ${ORDER_BY_OPEN} $5`,
  CASE.shape,
);

const CASES_BY_AMOUNT = statement(
  'search.cases-by-amount',
  `WITH alerts AS (
     SELECT review_id, transaction_ref FROM review_transactions WHERE organisation_id = $1
     ORDER BY review_id DESC LIMIT ${NEWEST_ALERTS})
   SELECT ${CASE.sql} FROM reviews r WHERE r.organisation_id = $1 AND r.id IN (
     SELECT a.review_id FROM alerts a JOIN kyt_transactions t ON t.id = a.transaction_ref AND t.organisation_id = $1
     WHERE t.amount BETWEEN coalesce($2::numeric, 0) AND coalesce($3::numeric, 'Infinity'))
   ${ORDER_BY_OPEN} $4`,
  CASE.shape,
);

const HITS = statement(
  'search.hits',
  `SELECT h.id, l.key AS list, l.kind AS "listKind", h.status, h.mandatory, h.score::float8 AS score, h.customer_id AS "customerId",
     h.created_at AS "foundAt"
   FROM screening_hits h JOIN screening_lists l ON l.id = h.list_id
   WHERE h.organisation_id = $1 AND h.id IN (
     SELECT $2::uuid UNION
     SELECT id FROM screening_hits WHERE organisation_id = $1 AND customer_id = ANY ($3::uuid[]) UNION
     SELECT id FROM screening_hits WHERE organisation_id = $1 AND for_customer_id = ANY ($3::uuid[]))
   ORDER BY (h.status IN ('PENDING', 'ESCALATED')) DESC, h.id DESC LIMIT $4`,
  {
    ...properties(ScreeningHitEntity, 'id', 'status', 'mandatory', 'customerId'),
    foundAt: column(ScreeningHitEntity, 'createdAt'),
    score: 'float8',
    list: column(ScreeningListEntity, 'key'),
    listKind: column(ScreeningListEntity, 'kind'),
  },
);

export type FoundHit = Rows<typeof HITS>;

export interface TransactionQuestion {
  readonly ref: string | null;
  readonly transactionId: string | null;
  readonly request: { readonly id: string; readonly at: Date } | null;
  readonly account: Buffer | null;
}

/** Finds customers, cases, transactions and hits by their identifiers. */
@Injectable()
export class RecordSearchQueries {
  constructor(private readonly uow: UnitOfWork) {}

  /** Returns the customers with one of these keys (document, institution's id), or with this id. */
  async findCustomers(organisationId: string, keys: readonly Buffer[], id: string | null): Promise<string[]> {
    const rows = await this.uow.rows(organisationId, CUSTOMERS, [organisationId, sqlArray.bytes(keys), id]);
    return rows.map((row) => row.id);
  }

  /** Returns the keys (document, institution's id) of the recent users of an account. */
  async findAccountUserKeys(organisationId: string, account: Buffer): Promise<Buffer[]> {
    const rows = await this.uow.rows(organisationId, KEYS_OF_ACCOUNT, [organisationId, account]);
    return rows.map(({ key }) => key);
  }

  async findTransactions(
    organisationId: string,
    { ref, transactionId, request, account }: TransactionQuestion,
    limit: number,
  ): Promise<FoundTransaction[]> {
    const at = request?.at.getTime();
    const from = at === undefined ? null : firstUuidAt(new Date(Math.max(0, at - EARLIER_MS)));
    const to = at === undefined ? null : firstUuidAt(new Date(at + LATER_MS));
    return this.uow.rows(organisationId, TRANSACTIONS, [
      organisationId,
      ref,
      transactionId,
      request?.id ?? null,
      from,
      to,
      account,
      limit,
    ]);
  }

  /** Returns the case with this id, and the cases about these customers or transactions; open cases first. */
  async findCases(
    organisationId: string,
    id: string | null,
    customerIds: readonly string[],
    transactionRefs: readonly string[],
    limit: number,
  ): Promise<FoundCase[]> {
    return this.uow.rows(organisationId, CASES, [
      organisationId,
      id,
      sqlArray.uuids(customerIds),
      sqlArray.uuids(transactionRefs),
      limit,
    ]);
  }

  /** Returns the hit with this id, and the hits of these customers and of the other parties of their payments. */
  async findHits(
    organisationId: string,
    id: string | null,
    customerIds: readonly string[],
    limit: number,
  ): Promise<FoundHit[]> {
    return this.uow.read(organisationId, (db) =>
      execute(db, HITS, [organisationId, id, sqlArray.uuids(customerIds), limit]),
    );
  }

  async findCasesByAmount(
    organisationId: string,
    { from, to }: AmountRange,
    limit: number,
  ): Promise<FoundCase[]> {
    return this.uow.rows(organisationId, CASES_BY_AMOUNT, [organisationId, from, to, limit]);
  }
}
