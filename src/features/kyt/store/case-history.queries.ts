import { Injectable } from '@nestjs/common';
import { prepared, UnitOfWork, unnested, value, type Rows } from '../../../platform/database/index.js';
import {
  ALERT_DAYS,
  CaseHistory,
  type CustomerCaseHistory,
  type CustomerCases,
  type PastAlert,
  type SettledRule,
} from '../domain/facts/case-history.js';
import { DEFAULT_COOLDOWN_DAYS } from '../domain/facts/suppressed-rules.js';

/** A transaction, and its customer. */
export interface CustomerCaseRequest {
  readonly organisationId: string;
  readonly customerId: string;
  readonly occurredAt: Date;
  readonly transactionRef: string;
}

/** A customer, and the first and the last moment that its cases are asked about. */
interface CustomerRequest {
  readonly organisationId: string;
  readonly customerId: string;
  readonly since: Date;
  readonly until: Date;
}

// Stands for an alert without points.
const NO_POINTS = -(2 ** 31);
/** transaction (16) | version (4) | points (4) | time (8). */
const ALERT_BYTES = 32;
// timestamptz on the wire: microseconds since 2000-01-01T00:00:00Z.
const POSTGRES_EPOCH_MS = 946_684_800_000;

const CUSTOMERS = unnested<CustomerRequest>(
  { uuid: { org: 'organisationId', customer: 'customerId' } },
  { timestamptz: ['since', 'until'] },
);
/** SQL condition: true for a case that one operator merged into another case that is not decided. */
const waitsMerged = (review: string): string => `${review}.status = 'MERGED' AND EXISTS (
       WITH RECURSIVE up AS (
         SELECT m.status, m.merged_into FROM reviews m
         WHERE m.id = ${review}.merged_into AND m.organisation_id = ${review}.organisation_id
         UNION
         SELECT m.status, m.merged_into FROM up
         JOIN reviews m ON m.id = up.merged_into AND m.organisation_id = ${review}.organisation_id)
       SELECT FROM up WHERE up.status <> 'CLOSED' AND up.status <> 'MERGED')`;
const MS_OF_CLOSING = `extract(epoch FROM a.closed_at)::float8 * 1000`;

// The cases of a customer are read once, however many transactions of it there are; the service adds up the points of each
// transaction's windows. A case that was closed before the windows began has no alert in them. A case that one person
// closed alone suppresses no rule.
const FIND_CUSTOMER_CASES = prepared(
  'kyt-case-history',
  `WITH about AS MATERIALIZED (
     SELECT q.i, q.since, q.until, r.*
     FROM ${CUSTOMERS.from(1, 'q', 'i')}
     CROSS JOIN LATERAL (
       SELECT r.id, r.organisation_id, r.status, r.resolution, r.theme, r.kind, r.closed_at, r.single_control,
         r.merged_into
       FROM reviews r WHERE r.organisation_id = q.org AND r.customer_id = q.customer OFFSET 0) r)
   SELECT a.i, count(*) FILTER (WHERE a.status <> 'CLOSED' AND a.status <> 'MERGED')::int AS open,
     count(*) FILTER (WHERE ${waitsMerged('a')})::int AS merged,
     bool_or(a.status = 'CLOSED' AND a.resolution IS NOT DISTINCT FROM 'REJECTED'
             AND a.theme IN ('FRAUD', 'ACCOUNT_TAKEOVER', 'IDENTITY')) AS fraud,
     NULL::bytea AS alerts, NULL::float8 AS closed_at, NULL::text[] AS rules, NULL::text[] AS cents
   FROM about a GROUP BY a.i
   UNION ALL
   SELECT a.i, NULL, NULL, NULL, l.alerts, ${MS_OF_CLOSING}, NULL, NULL
   FROM about a
   CROSS JOIN LATERAL (
     SELECT string_agg(uuid_send(t.transaction_ref) || int4send(t.evaluation_version)
       || int4send(coalesce(t.points, (${NO_POINTS})::int)) || timestamptz_send(k.occurred_at), ''::bytea) AS alerts
     FROM review_transactions t
     CROSS JOIN LATERAL (SELECT k.occurred_at FROM kyt_transactions k WHERE k.id = t.transaction_ref OFFSET 0) k
     WHERE t.review_id = a.id AND t.organisation_id = a.organisation_id AND t.origin <> 'RELATED'
       AND k.occurred_at > a.since - interval '${ALERT_DAYS} days' AND k.occurred_at <= a.until) l
   WHERE a.resolution IS DISTINCT FROM 'FALSE_POSITIVE'
     AND (a.closed_at IS NULL OR a.closed_at > a.since - interval '${ALERT_DAYS} days') AND l.alerts IS NOT NULL
   UNION ALL
   SELECT a.i, NULL, NULL, NULL, NULL, ${MS_OF_CLOSING}, s.rules, s.cents
   FROM about a
   CROSS JOIN LATERAL (
     SELECT array_agg(m.rule ORDER BY m.rule) AS rules, array_agg(m.cents::text ORDER BY m.rule) AS cents
     FROM (SELECT u.rule, max(t.amount_cents) AS cents
           FROM review_transactions t
           CROSS JOIN LATERAL unnest(t.rules) AS u (rule)
           WHERE t.review_id = a.id AND t.organisation_id = a.organisation_id AND t.origin <> 'RELATED'
             AND t.amount_cents IS NOT NULL
           GROUP BY u.rule) m) s
   WHERE a.kind = 'SCORE' AND a.status = 'CLOSED' AND a.resolution = 'FALSE_POSITIVE' AND NOT a.single_control
     AND a.closed_at > a.since - interval '${DEFAULT_COOLDOWN_DAYS} days'
     AND a.closed_at < a.until + interval '${DEFAULT_COOLDOWN_DAYS} days' AND s.rules IS NOT NULL`,
  {
    i: 'bigint',
    open: 'integer | null',
    merged: 'integer | null',
    fraud: 'boolean | null',
    alerts: 'bytea | null',
    closed_at: 'float8 | null',
    rules: value<readonly string[] | null>('text[]'),
    cents: value<readonly string[] | null>('text[]'),
  },
);

const COUNTERPARTIES = unnested<Pick<CounterpartyRequest, 'organisationId' | 'documentKey'>>({
  uuid: { org: 'organisationId' },
  bytea: { document: 'documentKey' },
});
const FIND_COUNTERPARTY_HISTORY = prepared(
  'kyt-counterparty-history',
  `SELECT q.i, c.open AS "openCases", c.merged AS "mergedCases", c.fraud AS "confirmedFraud", p.alone AS "isOfOne"
   FROM ${COUNTERPARTIES.from(1, 'q', 'i')}
   CROSS JOIN LATERAL (
     SELECT coalesce(k.merged_into, k.id) AS id,
       k.identified_by = 'OPERATOR' AND k.client_app_id IS NULL AND NOT EXISTS (
         SELECT FROM kyt_transactions t
         WHERE t.organisation_id = q.org AND t.customer_key = q.document) AS alone
     FROM customers k
     WHERE k.organisation_id = q.org AND k.document_index = q.document AND k.erased_at IS NULL OFFSET 0) p
   CROSS JOIN LATERAL (
     SELECT count(*) FILTER (WHERE r.status <> 'CLOSED' AND r.status <> 'MERGED')::int AS open,
       count(*) FILTER (WHERE ${waitsMerged('r')})::int AS merged,
       coalesce(bool_or(r.status = 'CLOSED' AND r.resolution = 'REJECTED'
               AND r.theme IN ('FRAUD', 'ACCOUNT_TAKEOVER', 'IDENTITY')), false) AS fraud
     FROM reviews r WHERE r.organisation_id = q.org AND r.customer_id = p.id) c`,
  {
    i: 'bigint',
    openCases: 'integer',
    mergedCases: 'integer',
    confirmedFraud: 'boolean',
    isOfOne: 'boolean',
  },
);

/** The facts about cases of the counterparty that rules may read, if the counterparty is a customer. */
export interface CounterpartyCaseHistory {
  readonly isCustomer: boolean;
  /** True if only a file of one operator says that there is such a customer. */
  readonly isOfOne: boolean;
  readonly openCases: number;
  /** Cases that one operator merged into open ones; they are not in `openCases`. */
  readonly mergedCases: number;
  readonly confirmedFraud: boolean;
}

/** A transaction, and the blind index of its counterparty's document. */
export interface CounterpartyRequest {
  readonly organisationId: string;
  readonly documentKey: Buffer;
  readonly transactionRef: string;
}

const NOT_A_CUSTOMER: CounterpartyCaseHistory = {
  ...{ isCustomer: false, isOfOne: false, openCases: 0, mergedCases: 0, confirmedFraud: false },
};

/** Reads the cases about the customers and counterparties of transactions. */
@Injectable()
export class CaseHistoryQueries {
  constructor(private readonly uow: UnitOfWork) {}

  /** Returns the facts about cases of customers, by transaction. */
  async readCustomerHistories(
    asked: readonly CustomerCaseRequest[],
  ): Promise<ReadonlyMap<string, CustomerCaseHistory>> {
    const groups = groupByName(asked, ({ organisationId, customerId }) => organisationId + customerId);
    const requests = groups.map((members): CustomerRequest => {
      const times = members.map(({ occurredAt }) => occurredAt.getTime());
      const [{ organisationId, customerId }] = members;
      const [since, until] = [new Date(Math.min(...times)), new Date(Math.max(...times))];
      return { organisationId, customerId, since, until };
    });
    const rows = await this.read(requests, FIND_CUSTOMER_CASES, CUSTOMERS.arrays(requests));
    return new Map(
      groups.flatMap((members, i) => {
        const history = new CaseHistory(casesIn(rows[i] ?? []), DEFAULT_COOLDOWN_DAYS);
        return members.map(({ transactionRef, occurredAt }) => [
          transactionRef,
          history.at(occurredAt.getTime(), transactionRef.replaceAll('-', '')),
        ]);
      }),
    );
  }

  /** Returns the facts about cases of counterparties, by transaction. */
  async readCounterpartyHistories(
    asked: readonly CounterpartyRequest[],
  ): Promise<ReadonlyMap<string, CounterpartyCaseHistory>> {
    const groups = groupByName(
      asked,
      ({ organisationId, documentKey }) => organisationId + documentKey.toString('latin1'),
    );
    const requests = groups.map(([first]) => first);
    const rows = await this.read(requests, FIND_COUNTERPARTY_HISTORY, COUNTERPARTIES.arrays(requests));
    return new Map(
      groups.flatMap((members, i) => {
        const [found] = rows[i] ?? [];
        const history = found ? { isCustomer: true, ...found } : NOT_A_CUSTOMER;
        return members.map(({ transactionRef }) => [transactionRef, history]);
      }),
    );
  }

  /** Returns the rows of each request, at the index of the request. */
  private async read<Row extends { readonly i: string }>(
    requests: readonly { readonly organisationId: string }[],
    statement: Parameters<typeof UnitOfWork.prototype.rows<Row>>[1],
    values: readonly unknown[],
  ): Promise<Row[][]> {
    if (requests.length === 0) return [];
    const organisations = [...new Set(requests.map(({ organisationId }) => organisationId))];
    const rowsByIndex: Row[][] = [];
    for (const row of await this.uow.rows(organisations, statement, values)) {
      const rowsOfLog = (rowsByIndex[Number(row.i) - 1] ??= []);
      rowsOfLog.push(row);
    }
    return rowsByIndex;
  }
}

/** Groups the items by name, in the order in which the names come first. */
function groupByName<Item>(items: readonly Item[], nameOf: (item: Item) => string): [Item, ...Item[]][] {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const members = groups.get(nameOf(item));
    if (members) members.push(item);
    else groups.set(nameOf(item), [item]);
  }
  return [...groups.values()];
}

function casesIn(rows: readonly Rows<typeof FIND_CUSTOMER_CASES>[]): CustomerCases {
  const alerts: PastAlert[] = [];
  const settled: SettledRule[] = [];
  let [openCases, mergedCases, confirmedFraud] = [0, 0, false];
  for (const { open, merged, fraud, alerts: packed, closed_at: closedAt, rules, cents } of rows) {
    if (packed) alerts.push(...alertsIn(packed, closedAt));
    else if (rules && closedAt !== null) {
      rules.forEach((rule, i) => settled.push({ rule, amount: Number(cents?.[i]) / 100, closedAt }));
    } else [openCases, mergedCases, confirmedFraud] = [open ?? 0, merged ?? 0, fraud ?? false];
  }
  return { openCases, mergedCases, confirmedFraud, alerts, settled };
}

function alertsIn(packed: Buffer, closedAt: number | null): PastAlert[] {
  return Array.from({ length: packed.length / ALERT_BYTES }, (_, i) => {
    const at = ALERT_BYTES * i;
    const points = packed.readInt32BE(at + 20);
    return {
      transactionRef: packed.toString('hex', at, at + 16),
      evaluationVersion: packed.readInt32BE(at + 16),
      points: points === NO_POINTS ? null : points,
      occurredAt: Number(packed.readBigInt64BE(at + 24)) / 1_000 + POSTGRES_EPOCH_MS,
      closedAt,
    };
  });
}
