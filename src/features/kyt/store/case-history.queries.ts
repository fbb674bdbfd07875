import { Injectable } from '@nestjs/common';
import { prepared, UnitOfWork, unnested, type Rows } from '../../../platform/database/index.js';
import { DEFAULT_COOLDOWN_DAYS } from '../domain/facts/suppressed-rules.js';

/** A transaction, and its customer. */
export interface CustomerCaseRequest {
  readonly organisationId: string;
  readonly customerId: string;
  readonly occurredAt: Date;
  readonly transactionRef: string;
}

// A transaction counts once, by its newest evaluation, even if several cases have it. A case that was closed before the
// longest window began has no alert in it. A case that one person closed alone suppresses no rule. MATERIALIZED reads
// cases and alerts once: a plan from a time of few cases would read all of them again for each transaction.
const LONGEST_DAYS = Math.max(30, DEFAULT_COOLDOWN_DAYS);
const CUSTOMERS = unnested<CustomerCaseRequest>(
  { uuid: { org: 'organisationId', customer: 'customerId' } },
  { timestamptz: { at: 'occurredAt' }, uuid: { ref: 'transactionRef' } },
);
const FIND_CUSTOMER_HISTORY = prepared(
  'kyt-case-history',
  `WITH q AS MATERIALIZED (
     SELECT * FROM ${CUSTOMERS.from(1, 'q')}),
   about AS MATERIALIZED (
     SELECT r.id, r.organisation_id, r.customer_id, r.status, r.resolution, r.theme, r.kind, r.closed_at, r.single_control
     FROM reviews r WHERE r.organisation_id = ANY ($1::uuid[]) AND r.customer_id = ANY ($2::uuid[])),
   alerts AS MATERIALIZED (
     SELECT t.review_id, t.transaction_ref, t.evaluation_version, t.points, t.rules, t.amount_cents
     FROM review_transactions t
     WHERE t.organisation_id = ANY ($1::uuid[]) AND t.origin <> 'RELATED'
       AND t.review_id = ANY (ARRAY(
         SELECT id FROM about
         WHERE closed_at IS NULL OR closed_at > (SELECT min(at) FROM q) - interval '${LONGEST_DAYS} days'))),
   moments AS MATERIALIZED (
     SELECT k.id, k.occurred_at FROM kyt_transactions k
     WHERE k.id = ANY (ARRAY(SELECT transaction_ref FROM alerts)))
   SELECT q.ref, c.open AS "openCases", c.fraud AS "confirmedFraud", a.points7d AS "points7d",
          a.points30d AS "points30d", a.unknown7d AS "unknown7d", a.unknown30d AS "unknown30d", s.rules, s.amounts
   FROM q
   CROSS JOIN LATERAL (
     SELECT count(*) FILTER (WHERE r.status <> 'CLOSED' AND r.status <> 'MERGED')::int AS open,
       coalesce(bool_or(r.status = 'CLOSED' AND r.resolution = 'REJECTED'
                        AND r.theme IN ('FRAUD', 'ACCOUNT_TAKEOVER', 'IDENTITY')), false) AS fraud
     FROM about r WHERE r.organisation_id = q.org AND r.customer_id = q.customer) c
   CROSS JOIN LATERAL (
     SELECT coalesce(sum(n.points), 0)::int AS points30d, coalesce(bool_or(n.points IS NULL), false) AS unknown30d,
       coalesce(sum(n.points) FILTER (WHERE n.occurred_at > q.at - interval '7 days'), 0)::int AS points7d,
       coalesce(bool_or(n.points IS NULL AND n.occurred_at > q.at - interval '7 days'), false) AS unknown7d
     FROM (SELECT DISTINCT ON (t.transaction_ref) t.points, k.occurred_at
           FROM about r
           JOIN alerts t ON t.review_id = r.id
           JOIN moments k ON k.id = t.transaction_ref
           WHERE r.organisation_id = q.org AND r.customer_id = q.customer
             AND r.resolution IS DISTINCT FROM 'FALSE_POSITIVE'
             AND (r.closed_at IS NULL OR r.closed_at > q.at - interval '30 days')
             AND t.transaction_ref <> q.ref AND k.occurred_at <= q.at AND k.occurred_at > q.at - interval '30 days'
           ORDER BY t.transaction_ref, t.evaluation_version DESC) n) a
   CROSS JOIN LATERAL (
     SELECT coalesce(array_agg(m.rule ORDER BY m.rule), '{}') AS rules,
       coalesce(array_agg(m.amount ORDER BY m.rule), '{}') AS amounts
     FROM (SELECT u.rule, round(max(t.amount_cents) / 100.0, 2)::text AS amount
           FROM about r
           JOIN alerts t ON t.review_id = r.id
           CROSS JOIN LATERAL unnest(t.rules) AS u (rule)
           WHERE r.organisation_id = q.org AND r.customer_id = q.customer AND r.kind = 'SCORE'
             AND r.status = 'CLOSED' AND r.resolution = 'FALSE_POSITIVE' AND NOT r.single_control
             AND t.amount_cents IS NOT NULL
             AND r.closed_at > q.at - interval '${DEFAULT_COOLDOWN_DAYS} days'
             AND r.closed_at < q.at + interval '${DEFAULT_COOLDOWN_DAYS} days'
           GROUP BY u.rule) m) s`,
  {
    ref: 'uuid',
    openCases: 'integer',
    confirmedFraud: 'boolean',
    points7d: 'integer',
    points30d: 'integer',
    unknown7d: 'boolean',
    unknown30d: 'boolean',
    rules: 'text[]',
    amounts: 'text[]',
  },
);

const COUNTERPARTIES = unnested<CounterpartyRequest>(
  { uuid: { org: 'organisationId' }, bytea: { document: 'documentKey' } },
  { uuid: { ref: 'transactionRef' } },
);
const FIND_COUNTERPARTY_HISTORY = prepared(
  'kyt-counterparty-history',
  `WITH q AS MATERIALIZED (
     SELECT * FROM ${COUNTERPARTIES.from(1, 'q')}),
   known AS MATERIALIZED (
     SELECT k.organisation_id, k.document_index, coalesce(k.merged_into, k.id) AS id FROM customers k
     WHERE k.organisation_id = ANY ($1::uuid[]) AND k.document_index = ANY ($2::bytea[]) AND k.erased_at IS NULL),
   about AS MATERIALIZED (
     SELECT r.organisation_id, r.customer_id, r.status, r.resolution, r.theme FROM reviews r
     WHERE r.organisation_id = ANY ($1::uuid[]) AND r.customer_id = ANY (ARRAY(SELECT id FROM known)))
   SELECT q.ref, p.id IS NOT NULL AS "isCustomer", coalesce(c.open, 0) AS "openCases", coalesce(c.fraud, false) AS "confirmedFraud"
   FROM q
   LEFT JOIN LATERAL (
     SELECT k.id FROM known k WHERE k.organisation_id = q.org AND k.document_index = q.document LIMIT 1) p ON true
   LEFT JOIN LATERAL (
     SELECT count(*) FILTER (WHERE r.status <> 'CLOSED' AND r.status <> 'MERGED')::int AS open,
       bool_or(r.status = 'CLOSED' AND r.resolution = 'REJECTED'
               AND r.theme IN ('FRAUD', 'ACCOUNT_TAKEOVER', 'IDENTITY')) AS fraud
     FROM about r WHERE r.organisation_id = q.org AND r.customer_id = p.id) c ON p.id IS NOT NULL`,
  { ref: 'uuid', isCustomer: 'boolean', openCases: 'integer', confirmedFraud: 'boolean' },
);

/** The facts about cases of the counterparty that rules may read, if the counterparty is a customer. */
export type CounterpartyCaseHistory = Rows<typeof FIND_COUNTERPARTY_HISTORY>;

/** A transaction, and the blind index of its counterparty's document. */
export interface CounterpartyRequest {
  readonly organisationId: string;
  readonly documentKey: Buffer;
  readonly transactionRef: string;
}

/** The facts about a customer's cases that rules may read. */
export type CustomerCaseHistory = Rows<typeof FIND_CUSTOMER_HISTORY>;

/** Reads the cases about the customers and counterparties of transactions. */
@Injectable()
export class CaseHistoryQueries {
  constructor(private readonly uow: UnitOfWork) {}

  /** Returns the cases about customers, by transaction. */
  async readCustomerHistories(
    asked: readonly CustomerCaseRequest[],
  ): Promise<ReadonlyMap<string, CustomerCaseHistory>> {
    if (asked.length === 0) return new Map();
    const organisations = [...new Set(asked.map(({ organisationId }) => organisationId))];
    const rows = await this.uow.rows(organisations, FIND_CUSTOMER_HISTORY, CUSTOMERS.arrays(asked));
    return new Map(rows.map((row) => [row.ref, row]));
  }

  /** Returns the cases about counterparties, by transaction. */
  async readCounterpartyHistories(
    asked: readonly CounterpartyRequest[],
  ): Promise<ReadonlyMap<string, CounterpartyCaseHistory>> {
    if (asked.length === 0) return new Map();
    const organisations = [...new Set(asked.map(({ organisationId }) => organisationId))];
    const rows = await this.uow.rows(organisations, FIND_COUNTERPARTY_HISTORY, COUNTERPARTIES.arrays(asked));
    return new Map(rows.map((row) => [row.ref, row]));
  }
}
