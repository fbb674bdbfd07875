import { Injectable } from '@nestjs/common';
import { prepared, UnitOfWork, unnested, value } from '../../../platform/database/index.js';
import { CUSTOMER_DAYS, DEVICE_HOURS, type CounterpartyKnown } from '../domain/facts/velocity-facts.js';
import { VELOCITY_CAP, VelocityLog } from '../domain/facts/velocity-log.js';

/** Keys whose logs are read for every transaction. */
export const velocityDimensions = ['customer', 'device', 'ip'] as const;
export type VelocityDimension = (typeof velocityDimensions)[number];
/** Keys whose logs are read only if a ruleset declares an aggregate by them. */
export const aggregateDimensions = ['counterparty', 'account', 'card', 'house'] as const;
export const windowDimensions = [...velocityDimensions, ...aggregateDimensions] as const;
export type WindowDimension = (typeof windowDimensions)[number];

/** How many hours back the logs of every transaction are read. */
export const reachHours: Readonly<Record<VelocityDimension, number>> = {
  customer: 24 * CUSTOMER_DAYS,
  device: DEVICE_HOURS,
  ip: 24,
};

/** A request for the rows of one key in (from, (to, toSeq)), to compute the windows of a group. */
export interface LogRequest {
  readonly organisationId: string;
  readonly key: Buffer;
  /** The customer's second key, whose rows also belong to the log; null if the log is not a customer's. */
  readonly otherKey: Buffer | null;
  readonly from: Date;
  readonly to: Date;
  readonly toSeq: string;
}

export interface VelocityLogResult {
  readonly log: VelocityLog;
  /** Times in ms since the epoch: of the newest row not after `from`, and of the first row; only for customers. */
  readonly olderAt: number | null;
  readonly firstAt: number | null;
  /** Sequence numbers of rows that occurred after `to` and were received before `lastSeq`. */
  readonly laterSeqs: readonly number[];
}

/** Asks whether a customer has paid a counterparty before. */
export interface BeneficiaryRequest {
  readonly organisationId: string;
  /** The counterparty. */
  readonly key: Buffer;
  readonly customerKey: Buffer;
  readonly otherKey: Buffer | null;
  readonly to: Date;
  readonly toSeq: string;
  /** The index of the customer log of the transaction's group, among the requested logs. */
  readonly log: number;
}

export type LogRequests = Readonly<Record<WindowDimension, readonly LogRequest[]>>;
export type VelocityLogResults = Readonly<Record<WindowDimension, readonly VelocityLogResult[]>>;

export interface VelocityResult {
  readonly logs: VelocityLogResults;
  /** Null if the customer's log holds all rows of the customer, so that no search was needed. */
  readonly beneficiaries: readonly (CounterpartyKnown | null)[];
}

export interface VelocityQuery {
  readonly logs: LogRequests;
  readonly beneficiaries: readonly BeneficiaryRequest[];
  /** The sequence number of the last received transaction of the batch. */
  readonly lastSeq: number;
}

// Maximum number of later rows that are checked for an earlier receipt. A backlog has many, all received later.
const NEXT_ROWS = 128;

// Rows that are read in addition to the cap, because the newer transactions of a group use up some of the limit.
const SLACK = 128;
export const LOG_LIMIT = VELOCITY_CAP + SLACK;

const BEFORE = `t.occurred_at <= g.until AND (t.occurred_at, t.seq) < (g.until, g.until_seq)`;
const ORDER_BY_NEWEST = `ORDER BY t.occurred_at DESC, t.seq DESC`;

// Nearly no customer has rows under a second key. One look-up shows this, and a null key skips the searches below.
const OTHER_KEY = `CROSS JOIN LATERAL (
      SELECT CASE WHEN EXISTS (SELECT 1 FROM kyt_transactions t
        WHERE t.organisation_id = g.organisation_id AND t.customer_key = g.other_key) THEN g.other_key END AS key
      OFFSET 0) o`;

/** The parameters of `unnestLogRequests`. */
export const LOG_REQUESTS = unnested<LogRequest>(
  { uuid: ['organisationId'], bytea: ['key'], timestamptz: { since: 'from', until: 'to' } },
  { bigint: { untilSeq: 'toSeq' }, bytea: ['otherKey'] },
);
const BENEFICIARIES = unnested<BeneficiaryRequest>(
  { uuid: ['organisationId'], bytea: ['key', 'customerKey'], timestamptz: { until: 'to' } },
  { bigint: { untilSeq: 'toSeq' }, bytea: ['otherKey'] },
  // Arrays in SQL count from one.
  { int: { log: ({ log }) => log + 1 } },
);
const PER_LOG = 6;
const FIRST_SEEN = PER_LOG * velocityDimensions.length + 1;

/** Returns the FROM item that unnests the requests of one dimension; `place` is the position of its six parameters. */
export const unnestLogRequests = (place: number): string => LOG_REQUESTS.from(PER_LOG * place + 1, 'g', 'i');

/** Returns the text of a query for the newest rows of a key between `since` and the moment of the request. */
export const selectNewestRows = (dimension: WindowDimension, key: string, columns: string): string =>
  `SELECT ${columns} FROM ${tableOf(dimension)} t
            WHERE ${under(dimension, key)} AND t.occurred_at > g.since AND ${BEFORE} ${ORDER_BY_NEWEST} LIMIT ${LOG_LIMIT}`;

const tableOf = (dimension: WindowDimension): string =>
  dimension === 'house' ? 'kyt_house_values' : 'kyt_transactions';

const under = (dimension: WindowDimension, key: string): string =>
  `t.organisation_id = g.organisation_id AND t.${dimension === 'house' ? 'key' : `${dimension}_key`} = ${key}`;

const logSection = (dimension: WindowDimension, place: number, lastSeq: string): string => {
  const isCustomer = dimension === 'customer';
  const edge = (choice: string, condition: string, order: string): string => {
    const first = (key: string): string =>
      `(SELECT t.occurred_at FROM kyt_transactions t WHERE ${under(dimension, key)} AND ${condition} ${order} LIMIT 1)`;
    return isCustomer ? `${choice}(${first('g.key')}, ${first('o.key')})` : 'NULL::timestamptz';
  };
  const newest = (key: string): string =>
    selectNewestRows(dimension, key, 't.occurred_at, t.seq, t.velocity_entry');
  // Searches as far ahead as the log reaches back, and so at least as far as any window.
  const next = (key: string): string =>
    `(SELECT t.seq FROM ${tableOf(dimension)} t
              WHERE ${under(dimension, key)} AND t.occurred_at > g.until
                AND t.occurred_at < g.until + (g.until - g.since)
              ORDER BY t.occurred_at, t.seq LIMIT ${NEXT_ROWS})`;
  const packed = (rows: string): string =>
    `SELECT count(*) AS n, string_agg(timestamptz_send(t.occurred_at) || int8send(t.seq) || t.velocity_entry, ''::bytea) AS log
      FROM (${rows}) t`;
  // Rows of one key come sorted from the index; only rows of two keys need a sort.
  const both = `SELECT * FROM ((${newest('g.key')}) UNION ALL (${newest('o.key')})) t ${ORDER_BY_NEWEST} LIMIT ${LOG_LIMIT}`;
  const log = isCustomer
    ? `${packed(newest('g.key'))} HAVING o.key IS NULL UNION ALL ${packed(both)} HAVING o.key IS NOT NULL`
    : packed(newest('g.key'));
  return `SELECT ${place} AS section, g.i, l.log, l.n::int, NULL::text AS seen,
           ${edge('greatest', 't.occurred_at <= g.since', ORDER_BY_NEWEST)} AS older_at,
           ${edge('least', 't.occurred_at <= g.until', 'ORDER BY t.occurred_at, t.seq')} AS first_at,
           ARRAY(SELECT r.seq::text FROM (
              ${isCustomer ? `${next('g.key')} UNION ALL ${next('o.key')}` : next('g.key')}) r
              WHERE r.seq < ${lastSeq}) AS later_seqs
    FROM ${unnestLogRequests(place)}
    ${isCustomer ? OTHER_KEY : ''}
    CROSS JOIN LATERAL (${log}) l`;
};

/**
 * True if the customer has rows that its log does not hold; nearly always the log alone decides it. The result
 * is an array, read by index: a join would compare two lists of unknown length, with quadratic cost.
 */
const BEYOND_LOG = `(found.first_at[g.log] <= g.until - interval '${24 * CUSTOMER_DAYS} hours'
      OR found.n[g.log] > ${VELOCITY_CAP} AND EXISTS (SELECT 1 FROM kyt_transactions t
        WHERE t.organisation_id = g.organisation_id AND t.customer_key = g.customer_key AND ${BEFORE}
        ${ORDER_BY_NEWEST} OFFSET ${VELOCITY_CAP} LIMIT 1))`;

// Returns a query that tells whether each customer has paid its counterparty before. Byte 21 of an entry begins the
// first half of the customer key. The search ends at the newest match, so a beneficiary who is paid every day costs one
// row, and only a new beneficiary costs all rows up to the cap.
const seenSection = (): string => {
  const rows = (what: string, limit: string): string =>
    `SELECT ${what} FROM kyt_transactions t
     WHERE t.organisation_id = g.organisation_id AND t.counterparty_key = g.key AND ${BEFORE} ${ORDER_BY_NEWEST} ${limit}`;
  const search = `coalesce(
        (SELECT 'YES' FROM (${rows('t.velocity_entry', `LIMIT ${VELOCITY_CAP}`)}) r
         WHERE substr(r.velocity_entry, 21, 8) IN (substr(g.customer_key, 1, 8), substr(g.other_key, 1, 8)) LIMIT 1),
        (${rows(`'UNKNOWN'`, `OFFSET ${VELOCITY_CAP} LIMIT 1`)}),
        'NO')`;
  return `SELECT ${velocityDimensions.length}, g.i, NULL, NULL,
      CASE WHEN ${BEYOND_LOG} THEN ${search} END,
      NULL, NULL, NULL
    FROM ${BENEFICIARIES.from(FIRST_SEEN, 'g', 'i')}
    CROSS JOIN found`;
};

const SHAPE = {
  section: 'integer',
  i: 'bigint',
  log: 'bytea | null',
  n: 'integer | null',
  seen: value<CounterpartyKnown | null>('text'),
  older_at: 'timestamptz | null',
  first_at: 'timestamptz | null',
  later_seqs: value<readonly string[] | null>('text[]'),
} as const;

const sections = (dimensions: readonly WindowDimension[], lastSeq: number): string[] =>
  dimensions.map((dimension, place) => logSection(dimension, place, `$${lastSeq}::bigint`));

const [CUSTOMERS, ...OTHERS] = sections(velocityDimensions, FIRST_SEEN + 7);

// Without nulls PostgreSQL finds an array element by its index without reading the array.
const VELOCITY = prepared(
  'kyt.velocity',
  `WITH customers AS MATERIALIZED (${CUSTOMERS}),
found AS MATERIALIZED (
  SELECT array_agg(coalesce(first_at, 'infinity') ORDER BY i) AS first_at, array_agg(n ORDER BY i) AS n FROM customers)
${['SELECT * FROM customers', ...OTHERS, seenSection()].join('\nUNION ALL\n')}`,
  SHAPE,
);

const AGGREGATE_LOGS = prepared(
  'kyt.aggregate-logs',
  sections(aggregateDimensions, PER_LOG * aggregateDimensions.length + 1).join('\nUNION ALL\n'),
  SHAPE,
);

const isAsked = (logs: LogRequests, dimensions: readonly WindowDimension[]): boolean =>
  dimensions.some((dimension) => logs[dimension].length > 0);

/** Reads all rows that the windows of a batch need, with one statement for velocity and one for aggregates. */
@Injectable()
export class VelocityQueries {
  constructor(private readonly uow: UnitOfWork) {}

  async read(organisations: readonly string[], question: VelocityQuery): Promise<VelocityResult> {
    const { logs: requests } = question;
    const logs = Object.fromEntries(
      windowDimensions.map((dimension) => [
        dimension,
        new Array<VelocityLogResult>(requests[dimension].length),
      ]),
    ) as Record<WindowDimension, VelocityLogResult[]>;
    const beneficiaries = new Array<CounterpartyKnown | null>(question.beneficiaries.length);
    if (isAsked(requests, velocityDimensions)) {
      const columns = velocityDimensions.flatMap((dimension) => LOG_REQUESTS.arrays(requests[dimension]));
      const values = [...columns, ...BENEFICIARIES.arrays(question.beneficiaries), question.lastSeq];
      for (const row of await this.uow.write(organisations, VELOCITY, values)) {
        const dimension = velocityDimensions[row.section];
        const i = Number(row.i) - 1;
        if (dimension) logs[dimension][i] = foundIn(row);
        else beneficiaries[i] = row.seen;
      }
    }
    if (isAsked(requests, aggregateDimensions)) {
      const columns = aggregateDimensions.flatMap((dimension) => LOG_REQUESTS.arrays(requests[dimension]));
      for (const row of await this.uow.write(organisations, AGGREGATE_LOGS, [...columns, question.lastSeq])) {
        const dimension = aggregateDimensions[row.section];
        if (dimension) logs[dimension][Number(row.i) - 1] = foundIn(row);
      }
    }
    return { logs, beneficiaries };
  }
}

interface LogAnswer {
  readonly log: Buffer | null;
  readonly n: number | null;
  readonly older_at: Date | null;
  readonly first_at: Date | null;
  readonly later_seqs: readonly string[] | null;
}

const foundIn = ({ log, n, older_at, first_at, later_seqs }: LogAnswer): VelocityLogResult => ({
  log: log ? VelocityLog.decode(log, n ?? 0, (n ?? 0) >= LOG_LIMIT) : VelocityLog.EMPTY,
  olderAt: older_at?.getTime() ?? null,
  firstAt: first_at?.getTime() ?? null,
  laterSeqs: (later_seqs ?? []).map(Number),
});
