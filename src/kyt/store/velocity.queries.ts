import { Injectable } from '@nestjs/common';
import { sqlArray, UnitOfWork } from '../../database/index.js';
import { CUSTOMER_DAYS, type Seen } from '../domain/velocity-facts.js';
import { VELOCITY_CAP, VelocityLog } from '../domain/velocity-log.js';

export const velocityDimensions = ['customer', 'device', 'ip'] as const;
export type VelocityDimension = (typeof velocityDimensions)[number];

/** The rows of one key in (from, (to, toSeq)): what the windows of the transactions of a group are cut from. */
export interface LogRequest {
  readonly organisationId: string;
  readonly key: Buffer;
  readonly from: Date;
  readonly to: Date;
  readonly toSeq: string;
}

export interface LogFound {
  readonly log: VelocityLog;
  /** The newest row not after `from`, and the first of all, in milliseconds since the epoch; only of customers. */
  readonly olderAt: number | null;
  readonly firstAt: number | null;
}

/** Whether a customer had anything to do with a key before. */
export interface SeenRequest {
  readonly organisationId: string;
  readonly key: Buffer;
  readonly customerKey: Buffer;
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
}

// Rows that the group's other members may take of the cap of the oldest one.
const SLACK = 128;
export const LOG_LIMIT = VELOCITY_CAP + SLACK;

const BEFORE = `t.occurred_at <= g.until AND (t.occurred_at, t.seq) < (g.until, g.until_seq)`;
const NEWEST_FIRST = `ORDER BY t.occurred_at DESC, t.seq DESC`;

const logSection = (dimension: VelocityDimension, place: number): string => {
  const key = `t.organisation_id = g.organisation_id AND t.${dimension}_key = g.key`;
  const edge = (condition: string, order: string): string =>
    dimension === 'customer'
      ? `(SELECT t.occurred_at FROM kyt_transactions t WHERE ${key} AND ${condition} ${order} LIMIT 1)`
      : 'NULL::timestamptz';
  const p = 5 * place;
  return `SELECT ${place} AS section, g.i, l.log, l.n::int, NULL::text AS seen,
           ${edge('t.occurred_at <= g.since', NEWEST_FIRST)} AS older_at,
           ${edge('t.occurred_at <= g.until', 'ORDER BY t.occurred_at, t.seq')} AS first_at
    FROM unnest($${p + 1}::uuid[], $${p + 2}::bytea[], $${p + 3}::timestamptz[], $${p + 4}::timestamptz[],
                $${p + 5}::bigint[]) WITH ORDINALITY AS g (organisation_id, key, since, until, until_seq, i)
    CROSS JOIN LATERAL (
      SELECT count(*) AS n, string_agg(timestamptz_send(r.occurred_at) || int8send(r.seq) || r.velocity_entry, ''::bytea) AS log
      FROM (SELECT t.occurred_at, t.seq, t.velocity_entry FROM kyt_transactions t
            WHERE ${key} AND t.occurred_at > g.since AND ${BEFORE}
            ${NEWEST_FIRST} LIMIT ${LOG_LIMIT}) r) l`;
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
         WHERE substr(r.velocity_entry, 21, 8) = substr(g.customer_key, 1, 8) LIMIT 1),
        (${rows(`'UNKNOWN'`, `OFFSET ${VELOCITY_CAP} LIMIT 1`)}),
        'NO')`;
  const [$1, $2, $3, $4, $5, $6] = Array.from({ length: 6 }, (_, i) => `$${firstValue + i}`);
  return `SELECT ${place}, g.i, NULL, NULL,
      ${isBeneficiary ? `CASE WHEN ${BEYOND_LOG} THEN ${search} END` : search},
      NULL, NULL
    FROM unnest(${$1}::uuid[], ${$2}::bytea[], ${$3}::bytea[], ${$4}::timestamptz[], ${$5}::bigint[]
                ${isBeneficiary ? `, ${$6}::int[]` : ''}) WITH ORDINALITY
           AS g (organisation_id, key, customer_key, until, until_seq, ${isBeneficiary ? 'log, ' : ''}i)
    ${isBeneficiary ? 'CROSS JOIN found' : ''}`;
};

const [CUSTOMERS, ...OTHERS] = velocityDimensions.map(logSection);
const FIRST_SEEN = 5 * velocityDimensions.length + 1;

// Arrays without nulls, so that a place in them is found without reading them.
const STATEMENT = `WITH customers AS MATERIALIZED (${CUSTOMERS}),
found AS MATERIALIZED (
  SELECT array_agg(coalesce(first_at, 'infinity') ORDER BY i) AS first_at, array_agg(n ORDER BY i) AS n FROM customers)
${[
  'SELECT * FROM customers',
  ...OTHERS,
  seenSection('counterparty_key', velocityDimensions.length, FIRST_SEEN),
  seenSection('device_key', velocityDimensions.length + 1, FIRST_SEEN + 6),
].join('\nUNION ALL\n')}`;

interface Row {
  readonly section: number;
  readonly i: string;
  readonly log: Buffer | null;
  readonly n: number | null;
  readonly seen: Seen | null;
  readonly older_at: Date | null;
  readonly first_at: Date | null;
}

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
    ];
    const rows = await this.uow.write<Row>(organisations, { name: 'kyt-velocity', text: STATEMENT, values });
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
];

const seenColumns = (requests: readonly SeenRequest[]): unknown[] => [
  sqlArray.uuids(requests.map((request) => request.organisationId)),
  sqlArray.bytes(requests.map((request) => request.key)),
  sqlArray.bytes(requests.map((request) => request.customerKey)),
  sqlArray.instants(requests.map((request) => request.to)),
  sqlArray.plain(requests.map((request) => request.toSeq)),
];
