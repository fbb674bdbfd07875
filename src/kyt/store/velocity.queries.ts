import { Injectable } from '@nestjs/common';
import { prepared, sqlArray, UnitOfWork, value } from '../../database/index.js';
import { CUSTOMER_DAYS, DEVICE_HOURS, type Seen } from '../domain/facts/velocity-facts.js';
import { VELOCITY_CAP, VelocityLog } from '../domain/facts/velocity-log.js';

export const velocityDimensions = ['customer', 'device', 'ip'] as const;
export type VelocityDimension = (typeof velocityDimensions)[number];

/** How far back the windows of a dimension look. */
export const reachHours: Readonly<Record<VelocityDimension, number>> = {
  customer: 24 * CUSTOMER_DAYS,
  device: DEVICE_HOURS,
  ip: 24,
};

/** The rows of one key in (from, (to, toSeq)): what the windows of the transactions of a group are cut from. */
export interface LogRequest {
  readonly organisationId: string;
  readonly key: Buffer;
  /** Rows under this key count as well; only of customers. */
  readonly otherKey: Buffer | null;
  readonly from: Date;
  readonly to: Date;
  readonly toSeq: string;
}

export interface LogFound {
  readonly log: VelocityLog;
  /** The newest row not after `from`, and the first of all, in milliseconds since the epoch; only of customers. */
  readonly olderAt: number | null;
  readonly firstAt: number | null;
  /** Numbers of the next rows after `to` that came in before `lastSeq`. */
  readonly laterSeqs: readonly number[];
}

/** Whether a customer had anything to do with a key before. */
export interface SeenRequest {
  readonly organisationId: string;
  readonly key: Buffer;
  readonly customerKey: Buffer;
  readonly otherKey: Buffer | null;
  readonly to: Date;
  readonly toSeq: string;
}

/** Whether a customer has paid a counterparty before. */
export interface BeneficiaryRequest extends SeenRequest {
  /** The place of the customer's own log among those asked for, which is of a group that the transaction belongs to. */
  readonly log: number;
}

export interface VelocityAnswer {
  readonly logs: Readonly<Record<VelocityDimension, readonly LogFound[]>>;
  /** Null where the customer's own log is all there is. */
  readonly beneficiaries: readonly (Seen | null)[];
  readonly devices: readonly (Seen | null)[];
}

export interface VelocityQuestion {
  readonly logs: Readonly<Record<VelocityDimension, readonly LogRequest[]>>;
  readonly beneficiaries: readonly BeneficiaryRequest[];
  readonly devices: readonly SeenRequest[];
  /** The number of the transaction of the batch that came in last. */
  readonly lastSeq: number;
}

// Next rows that are asked when they came in. In a backlog there are many, and all came in later.
const NEXT_ROWS = 128;

// Rows that the group's other members may take of the cap of the oldest one.
const SLACK = 128;
export const LOG_LIMIT = VELOCITY_CAP + SLACK;

const BEFORE = `t.occurred_at <= g.until AND (t.occurred_at, t.seq) < (g.until, g.until_seq)`;
const NEWEST_FIRST = `ORDER BY t.occurred_at DESC, t.seq DESC`;

// Nearly nobody has rows under another key: one look says so, and with no key the searches below are none.
const OTHER_KEY = `CROSS JOIN LATERAL (
      SELECT CASE WHEN EXISTS (SELECT 1 FROM kyt_transactions t
        WHERE t.organisation_id = g.organisation_id AND t.customer_key = g.other_key) THEN g.other_key END AS key
      OFFSET 0) o`;

const FIRST_SEEN = 6 * velocityDimensions.length + 1;
const FIRST_DEVICE = FIRST_SEEN + 7;
const LAST_SEQ = `$${FIRST_DEVICE + 6}::bigint`;

const logSection = (dimension: VelocityDimension, place: number): string => {
  const isCustomer = dimension === 'customer';
  const under = (key: string): string =>
    `t.organisation_id = g.organisation_id AND t.${dimension}_key = ${key}`;
  const edge = (choice: string, condition: string, order: string): string => {
    const first = (key: string): string =>
      `(SELECT t.occurred_at FROM kyt_transactions t WHERE ${under(key)} AND ${condition} ${order} LIMIT 1)`;
    return isCustomer ? `${choice}(${first('g.key')}, ${first('o.key')})` : 'NULL::timestamptz';
  };
  const newest = (key: string): string =>
    `SELECT t.occurred_at, t.seq, t.velocity_entry FROM kyt_transactions t
            WHERE ${under(key)} AND t.occurred_at > g.since AND ${BEFORE} ${NEWEST_FIRST} LIMIT ${LOG_LIMIT}`;
  const next = (key: string): string =>
    `(SELECT t.seq FROM kyt_transactions t
              WHERE ${under(key)} AND t.occurred_at > g.until
                AND t.occurred_at < g.until + interval '${reachHours[dimension]} hours'
              ORDER BY t.occurred_at, t.seq LIMIT ${NEXT_ROWS})`;
  const packed = (rows: string): string =>
    `SELECT count(*) AS n, string_agg(timestamptz_send(t.occurred_at) || int8send(t.seq) || t.velocity_entry, ''::bytea) AS log
      FROM (${rows}) t`;
  // The rows of one key come in their order; only those of two are sorted.
  const both = `SELECT * FROM ((${newest('g.key')}) UNION ALL (${newest('o.key')})) t ${NEWEST_FIRST} LIMIT ${LOG_LIMIT}`;
  const log = isCustomer
    ? `${packed(newest('g.key'))} HAVING o.key IS NULL UNION ALL ${packed(both)} HAVING o.key IS NOT NULL`
    : packed(newest('g.key'));
  const p = 6 * place;
  return `SELECT ${place} AS section, g.i, l.log, l.n::int, NULL::text AS seen,
           ${edge('greatest', 't.occurred_at <= g.since', NEWEST_FIRST)} AS older_at,
           ${edge('least', 't.occurred_at <= g.until', 'ORDER BY t.occurred_at, t.seq')} AS first_at,
           ARRAY(SELECT r.seq::text FROM (
              ${isCustomer ? `${next('g.key')} UNION ALL ${next('o.key')}` : next('g.key')}) r
              WHERE r.seq < ${LAST_SEQ}) AS later_seqs
    FROM unnest($${p + 1}::uuid[], $${p + 2}::bytea[], $${p + 3}::timestamptz[], $${p + 4}::timestamptz[],
                $${p + 5}::bigint[], $${p + 6}::bytea[]) WITH ORDINALITY
           AS g (organisation_id, key, since, until, until_seq, other_key, i)
    ${isCustomer ? OTHER_KEY : ''}
    CROSS JOIN LATERAL (${log}) l`;
};

/**
 * The customer has rows that its own log does not hold; else the log answers, and nobody else needs to be asked. What the log
 * found answers it nearly always, by the place of the log: a join would be over two lists of unknown length, and quadratic.
 */
const BEYOND_LOG = `(found.first_at[g.log] <= g.until - interval '${24 * CUSTOMER_DAYS} hours'
      OR found.n[g.log] > ${VELOCITY_CAP} AND EXISTS (SELECT 1 FROM kyt_transactions t
        WHERE t.organisation_id = g.organisation_id AND t.customer_key = g.customer_key AND ${BEFORE}
        ${NEWEST_FIRST} OFFSET ${VELOCITY_CAP} LIMIT 1))`;

// From byte 21 of an entry: the first half of the customer key. The newest match ends the search, so that the
// beneficiary or device that a customer uses every day costs one row; only a stranger costs the whole cap.
const seenSection = (
  column: 'counterparty_key' | 'device_key',
  place: number,
  firstValue: number,
): string => {
  const isBeneficiary = column === 'counterparty_key';
  const rows = (what: string, limit: string): string =>
    `SELECT ${what} FROM kyt_transactions t
     WHERE t.organisation_id = g.organisation_id AND t.${column} = g.key AND ${BEFORE} ${NEWEST_FIRST} ${limit}`;
  const search = `coalesce(
        (SELECT 'YES' FROM (${rows('t.velocity_entry', `LIMIT ${VELOCITY_CAP}`)}) r
         WHERE substr(r.velocity_entry, 21, 8) IN (substr(g.customer_key, 1, 8), substr(g.other_key, 1, 8)) LIMIT 1),
        (${rows(`'UNKNOWN'`, `OFFSET ${VELOCITY_CAP} LIMIT 1`)}),
        'NO')`;
  const [$1, $2, $3, $4, $5, $6, $7] = Array.from({ length: 7 }, (_, i) => `$${firstValue + i}`);
  return `SELECT ${place}, g.i, NULL, NULL,
      ${isBeneficiary ? `CASE WHEN ${BEYOND_LOG} THEN ${search} END` : search},
      NULL, NULL, NULL
    FROM unnest(${$1}::uuid[], ${$2}::bytea[], ${$3}::bytea[], ${$4}::timestamptz[], ${$5}::bigint[],
                ${$6}::bytea[]${isBeneficiary ? `, ${$7}::int[]` : ''}) WITH ORDINALITY
           AS g (organisation_id, key, customer_key, until, until_seq, other_key, ${isBeneficiary ? 'log, ' : ''}i)
    ${isBeneficiary ? 'CROSS JOIN found' : ''}`;
};

const [CUSTOMERS, ...OTHERS] = velocityDimensions.map(logSection);

// Arrays without nulls, so that a place in them is found without reading them.
const VELOCITY = prepared(
  'kyt.velocity',
  `WITH customers AS MATERIALIZED (${CUSTOMERS}),
found AS MATERIALIZED (
  SELECT array_agg(coalesce(first_at, 'infinity') ORDER BY i) AS first_at, array_agg(n ORDER BY i) AS n FROM customers)
${[
  'SELECT * FROM customers',
  ...OTHERS,
  seenSection('counterparty_key', velocityDimensions.length, FIRST_SEEN),
  seenSection('device_key', velocityDimensions.length + 1, FIRST_DEVICE),
].join('\nUNION ALL\n')}`,
  {
    section: 'integer',
    i: 'bigint',
    log: 'bytea | null',
    n: 'integer | null',
    seen: value<Seen | null>('text'),
    older_at: 'timestamptz | null',
    first_at: 'timestamptz | null',
    later_seqs: value<readonly string[] | null>('text[]'),
  },
);

/** Asks the transactions table for everything that the windows of a batch need, in one statement. */
@Injectable()
export class VelocityQueries {
  constructor(private readonly uow: UnitOfWork) {}

  async ask(organisations: readonly string[], question: VelocityQuestion): Promise<VelocityAnswer> {
    const values = [
      ...velocityDimensions.flatMap((dimension) => logColumns(question.logs[dimension])),
      ...seenColumns(question.beneficiaries),
      // Places count from one there.
      sqlArray.plain(question.beneficiaries.map(({ log }) => log + 1)),
      ...seenColumns(question.devices),
      question.lastSeq,
    ];
    const rows = await this.uow.write(organisations, VELOCITY, values);
    const logs = Object.fromEntries(
      velocityDimensions.map((dimension) => [
        dimension,
        new Array<LogFound>(question.logs[dimension].length),
      ]),
    ) as Record<VelocityDimension, LogFound[]>;
    const beneficiaries = new Array<Seen | null>(question.beneficiaries.length);
    const devices = new Array<Seen | null>(question.devices.length);
    for (const row of rows) {
      const dimension = velocityDimensions[row.section];
      const i = Number(row.i) - 1;
      if (dimension) {
        const log = row.log ? VelocityLog.decode(row.log, (row.n ?? 0) >= LOG_LIMIT) : VelocityLog.EMPTY;
        logs[dimension][i] = {
          log,
          olderAt: row.older_at?.getTime() ?? null,
          firstAt: row.first_at?.getTime() ?? null,
          laterSeqs: (row.later_seqs ?? []).map(Number),
        };
      } else {
        const into = row.section === velocityDimensions.length ? beneficiaries : devices;
        into[i] = row.seen;
      }
    }
    return { logs, beneficiaries, devices };
  }
}

const logColumns = (requests: readonly LogRequest[]): unknown[] => [
  sqlArray.uuids(requests.map((request) => request.organisationId)),
  sqlArray.bytes(requests.map((request) => request.key)),
  sqlArray.instants(requests.map((request) => request.from)),
  sqlArray.instants(requests.map((request) => request.to)),
  sqlArray.plain(requests.map((request) => request.toSeq)),
  sqlArray.bytes(requests.map((request) => request.otherKey)),
];

const seenColumns = (requests: readonly SeenRequest[]): unknown[] => [
  sqlArray.uuids(requests.map((request) => request.organisationId)),
  sqlArray.bytes(requests.map((request) => request.key)),
  sqlArray.bytes(requests.map((request) => request.customerKey)),
  sqlArray.instants(requests.map((request) => request.to)),
  sqlArray.plain(requests.map((request) => request.toSeq)),
  sqlArray.bytes(requests.map((request) => request.otherKey)),
];
