import { Injectable } from '@nestjs/common';
import {
  prepared,
  sqlArray,
  statement,
  UnitOfWork,
  unnested,
  value,
} from '../../../platform/database/index.js';
import { CUSTOMER_DAYS, DEVICE_HOURS, type CounterpartyKnown } from '../domain/facts/velocity-facts.js';
import { VELOCITY_CAP } from '../domain/facts/velocity-log.js';

/** Keys whose logs are read for every transaction. */
export const velocityDimensions = ['customer', 'device', 'ip'] as const;
export type VelocityDimension = (typeof velocityDimensions)[number];
/** Keys whose logs are read only if a ruleset declares an aggregate by them. */
export const aggregateDimensions = ['counterparty', 'account', 'card', 'custom'] as const;
export const windowDimensions = [...velocityDimensions, ...aggregateDimensions] as const;
export type WindowDimension = (typeof windowDimensions)[number];

/** How many hours back the logs of every transaction are read. */
export const reachHours: Readonly<Record<VelocityDimension, number>> = {
  customer: 24 * CUSTOMER_DAYS,
  device: DEVICE_HOURS,
  ip: 24,
};

/**
 * A request for the rows of one key from (from, fromSeq) until before (to, toSeq). Transactions of a batch with the same
 * key share a log: its rows between two of them are a segment, and each segment is a request.
 */
export interface LogRequest {
  readonly organisationId: string;
  readonly key: Buffer;
  /** The customer's second key, whose rows also belong to the log; null if the log is not a customer's. */
  readonly otherKey: Buffer | null;
  readonly from: Date;
  /** `LAST_SEQ` excludes the rows of the moment `from`. */
  readonly fromSeq: string;
  readonly to: Date;
  readonly toSeq: string;
  /** How far windows reach back from `to`, in milliseconds, and so how far ahead a late row has effects. */
  readonly reachMs: number;
  /** The first and the last segment of the log, as places among the requests, from 1. Older segments come later. */
  readonly newest: number;
  readonly oldest: number;
}

/** Follows every stored sequence number. */
export const LAST_SEQ = '9223372036854775807';

/** A row that occurred later than a transaction; the time in microseconds since the epoch. */
export interface LaterRow {
  readonly seq: number;
  readonly time: number;
}

/** The rows of one request, the newest first. */
export interface LogSegment {
  /** The rows as `VelocityLog.decode` reads them. */
  readonly packed: Buffer;
  readonly count: number;
  /** True if the limit cut off older rows of the segment. */
  readonly isCut: boolean;
  /** The time of the newest row not after `from`, in ms since the epoch. Null except in the oldest segment of a customer. */
  readonly olderAt: number | null;
  /** The time of the first row of the key, in ms since the epoch. Null in the same segments. */
  readonly firstAt: number | null;
  /** Rows that occurred after `to` and were received before `lastSeq`; only in the newest segment. */
  readonly laterRows: readonly LaterRow[];
  /** The same for rows that occurred after `from`, if the segment is cut. */
  readonly cutRows: readonly LaterRow[];
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
  /** The segment of the customer's log before this transaction, and the oldest segment of that log; places from 1. */
  readonly log: number;
  readonly oldest: number;
  /**
   * The oldest segment among the requests for payees, a place from 1, if several transactions of the batch pay this
   * one; null if only this request looks for the counterparty.
   */
  readonly payee: number | null;
}

export type LogRequests = Readonly<Record<WindowDimension, readonly LogRequest[]>>;
/** Undefined where the statement had no time left. */
export type LogSegments = Readonly<Record<WindowDimension, readonly (LogSegment | undefined)[]>>;

/** The customers of a counterparty's rows: the first eight bytes of their keys, the newest row first. */
export interface PayeeSegment {
  readonly customers: Buffer;
  readonly count: number;
}

export interface VelocityResult {
  readonly logs: LogSegments;
  /**
   * Null if the customer's log holds all rows of the customer, so that no search was needed; SHARED if the segments of
   * the payee answer it; undefined where the statement had no time left.
   */
  readonly beneficiaries: readonly (CounterpartyKnown | 'SHARED' | null | undefined)[];
  /** Undefined where no transaction needs the rows, or where the statement had no time left. */
  readonly payees: readonly (PayeeSegment | undefined)[];
}

export interface VelocityQuery {
  readonly logs: LogRequests;
  readonly beneficiaries: readonly BeneficiaryRequest[];
  /** The logs of counterparties that several transactions of the batch pay. */
  readonly payees: readonly LogRequest[];
  /** The sequence number of the last received transaction of the batch. */
  readonly lastSeq: number;
  /** After so many milliseconds a statement begins no other segment. */
  readonly mostMs: number;
}

// Maximum number of later rows that are checked for an earlier receipt. A backlog has many, all received later.
const NEXT_ROWS = 128;

/** Maximum number of rows of a request: one more than windows read, which shows that there are more. */
const LOG_LIMIT = VELOCITY_CAP + 1;

const SINCE = `t.occurred_at >= g.since AND (t.occurred_at, t.seq) >= (g.since, g.since_seq)`;
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
  { bigint: { sinceSeq: 'fromSeq', untilSeq: 'toSeq' }, bytea: ['otherKey'] },
  { bigint: ['reachMs'], int: ['newest', 'oldest'] },
);
const BENEFICIARIES = unnested<BeneficiaryRequest>(
  { uuid: ['organisationId'], bytea: ['key', 'customerKey'], timestamptz: { until: 'to' } },
  { bigint: { untilSeq: 'toSeq' }, bytea: ['otherKey'], int: ['log', 'oldest', 'payee'] },
);
const PER_LOG = 10;
const PER_BENEFICIARY = 9;
const PAYEES = velocityDimensions.length;
const FIRST_SEEN = PER_LOG * (PAYEES + 1) + 1;

/** Returns the FROM item that unnests the requests of one dimension; `place` is the position of its parameters. */
export const unnestLogRequests = (place: number): string => LOG_REQUESTS.from(PER_LOG * place + 1, 'g', 'i');

/** Returns the text of a query for the newest rows of a segment. */
export const selectNewestRows = (dimension: WindowDimension, key: string, columns: string): string =>
  `SELECT ${columns} FROM ${tableOf(dimension)} t
            WHERE ${hasKey(dimension, key)} AND ${SINCE} AND ${BEFORE} ${ORDER_BY_NEWEST} LIMIT ${LOG_LIMIT}`;

const tableOf = (dimension: WindowDimension): string =>
  dimension === 'custom' ? 'kyt_custom_field_values' : 'kyt_transactions';

const hasKey = (dimension: WindowDimension, key: string): string =>
  `t.organisation_id = g.organisation_id AND t.${dimension === 'custom' ? 'key' : `${dimension}_key`} = ${key}`;

/**
 * SQL condition: false once the statement has run for `mostMs`. PostgreSQL checks it before each request and skips the
 * remaining requests, which the caller sends again. A request reads at most `LOG_LIMIT` rows and its edges.
 */
const hasTimeLeft = (mostMs: string): string =>
  `clock_timestamp() < statement_timestamp() + ${mostMs}::float8 * interval '1 millisecond'`;

const logSection = (dimension: WindowDimension, place: number, lastSeq: string, mostMs: string): string => {
  const isCustomer = dimension === 'customer';
  const edge = (choice: string, condition: string, order: string): string => {
    const first = (key: string): string =>
      `(SELECT t.occurred_at FROM kyt_transactions t WHERE ${hasKey(dimension, key)} ${condition} ${order} LIMIT 1)`;
    return isCustomer
      ? `CASE WHEN g.oldest = g.i THEN ${choice}(${first('g.key')}, ${first('o.key')}) END`
      : 'NULL::timestamptz';
  };
  const newest = (key: string): string =>
    selectNewestRows(dimension, key, 't.occurred_at, t.seq, t.velocity_entry');
  // Searches as far ahead as windows reach back. No window of this moment misses a row of the same moment with a higher
  // number, but windows of older segments do.
  const next = (moment: string): string => {
    const rows = (key: string): string =>
      `(SELECT t.seq, t.occurred_at FROM ${tableOf(dimension)} t
              WHERE ${hasKey(dimension, key)} AND t.occurred_at >= ${moment}
                AND (t.occurred_at, t.seq) > (${moment}, ${moment}_seq)
                AND t.occurred_at < ${moment} + make_interval(secs => g.reach_ms / 1000.0)
              ORDER BY t.occurred_at, t.seq LIMIT ${NEXT_ROWS})`;
    return `ARRAY(SELECT r.seq || ' ' || (extract(epoch FROM r.occurred_at) * 1000000)::bigint FROM (
              ${isCustomer ? `${rows('g.key')} UNION ALL ${rows('o.key')}` : rows('g.key')}) r
              WHERE r.seq < ${lastSeq})`;
  };
  const packed = (rows: string): string =>
    `SELECT count(*) AS n, string_agg(timestamptz_send(t.occurred_at) || int8send(t.seq) || t.velocity_entry, ''::bytea) AS log
      FROM (${rows}) t`;
  // Rows of one key come sorted from the index; only rows of two keys need a sort.
  const both = `SELECT * FROM ((${newest('g.key')}) UNION ALL (${newest('o.key')})) t ${ORDER_BY_NEWEST} LIMIT ${LOG_LIMIT}`;
  const log = isCustomer
    ? `${packed(newest('g.key'))} HAVING o.key IS NULL UNION ALL ${packed(both)} HAVING o.key IS NOT NULL`
    : packed(newest('g.key'));
  return `SELECT ${place} AS section, g.i, g.oldest, l.log, l.n::int, NULL::text AS seen,
           ${edge('greatest', 'AND t.occurred_at <= g.since', ORDER_BY_NEWEST)} AS older_at,
           ${edge('least', '', 'ORDER BY t.occurred_at, t.seq')} AS first_at,
           CASE WHEN g.newest = g.i THEN ${next('g.until')} END AS later_rows,
           CASE WHEN l.n = ${LOG_LIMIT} AND g.oldest <> g.i THEN ${next('g.since')} END AS cut_rows
    FROM ${unnestLogRequests(place)}
    ${isCustomer ? OTHER_KEY : ''}
    CROSS JOIN LATERAL (${log}) l
    WHERE ${hasTimeLeft(mostMs)}`;
};

/**
 * SQL condition: true if the customer has rows that its log does not hold; nearly always the log alone shows this. The
 * found values are arrays, read by index: a join would compare two lists of unknown length, with quadratic cost.
 */
const BEYOND_LOG = `(found.first_at[g.oldest] <= g.until - interval '${24 * CUSTOMER_DAYS} hours'
      OR found.earlier[g.log] > ${VELOCITY_CAP})`;

// Returns a query that tells whether each customer has paid its counterparty before. Byte 21 of an entry begins the
// first half of the customer key. The search ends at the newest match, so a beneficiary who is paid every day costs one
// row, and only a new beneficiary costs all rows up to the cap.
const seenSection = (mostMs: string): string => {
  const rows = (what: string, limit: string): string =>
    `SELECT ${what} FROM kyt_transactions t
     WHERE t.organisation_id = g.organisation_id AND t.counterparty_key = g.key AND ${BEFORE} ${ORDER_BY_NEWEST} ${limit}`;
  const search = `coalesce(
        (SELECT 'YES' FROM (${rows('t.velocity_entry', `LIMIT ${VELOCITY_CAP}`)}) r
         WHERE substr(r.velocity_entry, 21, 8) IN (substr(g.customer_key, 1, 8), substr(g.other_key, 1, 8)) LIMIT 1),
        (${rows(`'UNKNOWN'`, `OFFSET ${VELOCITY_CAP} LIMIT 1`)}),
        'NO')`;
  return `SELECT ${PAYEES + 1}, g.i, NULL, NULL, NULL,
      CASE WHEN g.beyond THEN CASE WHEN g.payee IS NULL THEN ${search} ELSE 'SHARED' END END,
      NULL, NULL, NULL, NULL
    FROM asked g
    WHERE ${hasTimeLeft(mostMs)}`;
};

// Returns a query for the customers of counterparties that several transactions pay: their rows are read once, and the
// service looks for each customer.
const payeeSection = (mostMs: string): string =>
  `SELECT ${PAYEES}, g.i, NULL, l.log, l.n::int, NULL, NULL, NULL, NULL, NULL
    FROM ${unnestLogRequests(PAYEES)}
    CROSS JOIN LATERAL (
      SELECT count(*) AS n, string_agg(substr(t.velocity_entry, 21, 8), ''::bytea) AS log
      FROM (${selectNewestRows('counterparty', 'g.key', 't.velocity_entry')}) t) l
    WHERE g.oldest IN (SELECT asked.payee FROM asked WHERE asked.beyond) AND ${hasTimeLeft(mostMs)}`;

const SHAPE = {
  section: 'integer',
  i: 'bigint',
  log: 'bytea | null',
  n: 'integer | null',
  seen: value<CounterpartyKnown | 'SHARED' | null>('text'),
  older_at: 'timestamptz | null',
  first_at: 'timestamptz | null',
  later_rows: value<readonly string[] | null>('text[]'),
  cut_rows: value<readonly string[] | null>('text[]'),
} as const;

const COLUMN_NAMES = Object.keys(SHAPE).join(', ');

const sections = (dimensions: readonly WindowDimension[], lastSeq: number): string[] =>
  dimensions.map((dimension, place) =>
    logSection(dimension, place, `$${lastSeq}::bigint`, `$${lastSeq + 1}`),
  );

const LAST_SEQ_PARAMETER = FIRST_SEEN + PER_BENEFICIARY;
const [CUSTOMERS, ...OTHERS] = sections(velocityDimensions, LAST_SEQ_PARAMETER);

// Without nulls PostgreSQL finds an array element by its index without reading the array. `earlier` counts the rows
// of a log before a transaction: those of its segment and of all older ones.
const VELOCITY = prepared(
  'kyt.velocity',
  `WITH customers AS MATERIALIZED (${CUSTOMERS}),
found AS MATERIALIZED (
  SELECT array_agg(coalesce(c.first_at, 'infinity') ORDER BY c.i) AS first_at, array_agg(c.earlier ORDER BY c.i) AS earlier
  FROM (SELECT i, first_at, sum(n) OVER (PARTITION BY oldest ORDER BY i DESC) AS earlier FROM customers) c),
asked AS MATERIALIZED (
  SELECT g.*, ${BEYOND_LOG} AS beyond FROM ${BENEFICIARIES.from(FIRST_SEEN, 'g', 'i')} CROSS JOIN found)
SELECT ${COLUMN_NAMES} FROM (
${['SELECT * FROM customers', ...OTHERS, payeeSection(`$${LAST_SEQ_PARAMETER + 1}`), seenSection(`$${LAST_SEQ_PARAMETER + 1}`)].join('\nUNION ALL\n')}) s`,
  SHAPE,
);

const AGGREGATE_LOGS = prepared(
  'kyt.aggregate-logs',
  `SELECT ${COLUMN_NAMES} FROM (
${sections(aggregateDimensions, PER_LOG * aggregateDimensions.length + 1).join('\nUNION ALL\n')}) s`,
  SHAPE,
);

const STORED_KEYS = statement(
  'kyt.stored-customer-keys',
  `SELECT g.i::int AS i FROM unnest($1::uuid[], $2::bytea[]) WITH ORDINALITY AS g (organisation_id, key, i)
   WHERE EXISTS (SELECT FROM kyt_transactions t WHERE t.organisation_id = g.organisation_id AND t.customer_key = g.key)`,
  { i: 'integer' },
);

const isAsked = (logs: LogRequests, dimensions: readonly WindowDimension[]): boolean =>
  dimensions.some((dimension) => logs[dimension].length > 0);

/** Reads all rows that the windows of a batch need, with one statement for velocity and one for aggregates. */
@Injectable()
export class VelocityQueries {
  constructor(private readonly uow: UnitOfWork) {}

  async read(organisations: readonly string[], question: VelocityQuery): Promise<VelocityResult> {
    const { logs: requests, lastSeq, mostMs } = question;
    const logs = Object.fromEntries(
      windowDimensions.map((dimension) => [dimension, new Array<LogSegment>(requests[dimension].length)]),
    ) as Record<WindowDimension, LogSegment[]>;
    const beneficiaries = new Array<CounterpartyKnown | 'SHARED' | null>(question.beneficiaries.length);
    const payees = new Array<PayeeSegment>(question.payees.length);
    if (isAsked(requests, velocityDimensions)) {
      const columns = velocityDimensions.flatMap((dimension) => LOG_REQUESTS.arrays(requests[dimension]));
      const values = [
        ...[...columns, ...LOG_REQUESTS.arrays(question.payees)],
        ...[...BENEFICIARIES.arrays(question.beneficiaries), lastSeq, mostMs],
      ];
      for (const row of await this.uow.write(organisations, VELOCITY, values)) {
        const dimension = velocityDimensions[row.section];
        const i = Number(row.i) - 1;
        if (dimension) logs[dimension][i] = segmentOf(row);
        else if (row.section === PAYEES) payees[i] = { customers: row.log ?? NO_ROWS, count: row.n ?? 0 };
        else beneficiaries[i] = row.seen;
      }
    }
    if (isAsked(requests, aggregateDimensions)) {
      const columns = aggregateDimensions.flatMap((dimension) => LOG_REQUESTS.arrays(requests[dimension]));
      for (const row of await this.uow.write(organisations, AGGREGATE_LOGS, [...columns, lastSeq, mostMs])) {
        const dimension = aggregateDimensions[row.section];
        if (dimension) logs[dimension][Number(row.i) - 1] = segmentOf(row);
      }
    }
    return { logs, beneficiaries, payees };
  }

  /** Returns the places of those keys under which transactions of a customer are stored. */
  async findStoredKeys(
    keys: readonly { readonly organisationId: string; readonly key: Buffer }[],
  ): Promise<ReadonlySet<number>> {
    const organisations = keys.map(({ organisationId }) => organisationId);
    const rows = await this.uow.rows(organisations, STORED_KEYS, [
      sqlArray.uuids(organisations),
      sqlArray.bytes(keys.map(({ key }) => key)),
    ]);
    return new Set(rows.map(({ i }) => i - 1));
  }
}

interface LogAnswer {
  readonly log: Buffer | null;
  readonly n: number | null;
  readonly older_at: Date | null;
  readonly first_at: Date | null;
  readonly later_rows: readonly string[] | null;
  readonly cut_rows: readonly string[] | null;
}

const NO_ROWS = Buffer.alloc(0);

const segmentOf = ({ log, n, older_at, first_at, later_rows, cut_rows }: LogAnswer): LogSegment => ({
  packed: log ?? NO_ROWS,
  count: n ?? 0,
  isCut: (n ?? 0) === LOG_LIMIT,
  olderAt: older_at?.getTime() ?? null,
  firstAt: first_at?.getTime() ?? null,
  laterRows: laterRowsIn(later_rows),
  cutRows: laterRowsIn(cut_rows),
});

const laterRowsIn = (rows: readonly string[] | null): readonly LaterRow[] =>
  (rows ?? []).map((row) => {
    const [seq = NaN, time = NaN] = row.split(' ').map(Number);
    return { seq, time };
  });
