import { Injectable } from '@nestjs/common';
import { prepared, UnitOfWork, unnested } from '../../../../platform/database/index.js';
import { eventKeys, type EventKey } from '../../../rules/index.js';
import { NO_EVENTS, type EventReading } from '../../domain/facts/velocity-facts.js';
import { VELOCITY_CAP, VelocityLog } from '../../domain/facts/velocity-log.js';
import type { LogSlice } from '../../domain/facts/velocity-window.js';

/** A transaction whose windows of events are read. */
interface EventQuestion {
  readonly transaction: Readonly<Record<`${EventKey}Key`, Buffer | null>> & {
    readonly organisationId: string;
    readonly clientAppId: string;
    readonly occurredAt: Date;
    readonly seq: string;
  };
  /** The customer's second key, under which earlier events may be stored. */
  readonly otherKey: Buffer | null;
  readonly needs: { readonly eventReach: ReadonlyMap<EventKey, number> };
}

/** The newest events of one key that arrived before a transaction and occurred in its window. */
interface EventRequest {
  readonly place: number;
  readonly organisationId: string;
  readonly key: Buffer;
  readonly otherKey: Buffer | null;
  readonly from: Date;
  readonly to: Date;
  readonly seq: string;
}

interface AppRequest {
  readonly organisationId: string;
  readonly clientAppId: string;
  readonly seq: string;
}

const REQUESTS = unnested<EventRequest>(
  { uuid: ['organisationId'], bytea: ['key', 'otherKey'], int: ['place'] },
  { timestamptz: { since: 'from', until: 'to' }, bigint: ['seq'] },
);
const APPS = unnested<AppRequest>({ uuid: ['organisationId', 'clientAppId'], bigint: ['seq'] });
const PER_REQUEST = 7;
const TYPES = eventKeys.length;

/** One more than windows read, which shows that there are more. */
const LIMIT = VELOCITY_CAP + 1;
const NEWEST = `ORDER BY t.occurred_at DESC, t.seq DESC LIMIT ${LIMIT}`;

const newest = (dimension: EventKey, key: string): string =>
  `SELECT t.occurred_at, t.seq, t.velocity_entry FROM kyt_customer_events t
       WHERE t.organisation_id = g.organisation_id AND t.${dimension}_key = ${key}
         AND t.occurred_at > g.since AND t.occurred_at <= g.until AND t.seq < g.seq ${NEWEST}`;

const section = (dimension: EventKey, i: number): string => {
  const rows =
    dimension === 'customer'
      ? `SELECT * FROM ((${newest(dimension, 'g.key')}) UNION ALL (${newest(dimension, 'g.other_key')})) t ${NEWEST}`
      : newest(dimension, 'g.key');
  return `SELECT ${i} AS section, g.place, l.log, l.n::int AS n, NULL::text[] AS types
    FROM ${REQUESTS.from(PER_REQUEST * i + 1, 'g')}
    CROSS JOIN LATERAL (
      SELECT count(*) AS n, string_agg(timestamptz_send(t.occurred_at) || int8send(t.seq) || t.velocity_entry, ''::bytea) AS log
      FROM (${rows}) t) l`;
};

const EVENT_WINDOWS = prepared(
  'kyt.event-windows',
  `SELECT section, place, log, n, types FROM (
    ${eventKeys.map(section).join('\n    UNION ALL\n    ')}
    UNION ALL
    SELECT ${TYPES}, (g.i - 1)::int, NULL, NULL,
      ARRAY(SELECT y.type FROM kyt_customer_event_types y WHERE y.client_app_id = g.client_app_id
        AND y.organisation_id = g.organisation_id AND y.first_seq < g.seq)
    FROM ${APPS.from(PER_REQUEST * TYPES + 1, 'g', 'i')}) s`,
  { section: 'integer', place: 'integer', log: 'bytea | null', n: 'integer | null', types: 'text[] | null' },
);

/**
 * Reads the events that windows of transactions include: those that arrived before the transaction. So an event never
 * changes an earlier evaluation, and whoever asks later reads the same.
 */
@Injectable()
export class EventWindowQueries {
  constructor(private readonly uow: UnitOfWork) {}

  /** Returns one reading per transaction, in order; null, without a query, if no transaction needs events. */
  async read(batch: readonly EventQuestion[]): Promise<readonly EventReading[] | null> {
    if (batch.every(({ needs }) => needs.eventReach.size === 0)) return null;
    const asking = batch.flatMap((question, place) =>
      question.needs.eventReach.size === 0 ? [] : [{ question, place }],
    );
    const rows = await this.uow.write(
      asking.map(({ question }) => question.transaction.organisationId),
      EVENT_WINDOWS,
      [
        ...eventKeys.flatMap((dimension) =>
          REQUESTS.arrays(asking.flatMap((one) => requestOf(dimension, one))),
        ),
        ...APPS.arrays(asking.map(({ question }) => question.transaction)),
      ],
    );
    const readings = batch.map(() => ({
      knownTypes: NO_EVENTS.knownTypes,
      logs: new Map<EventKey, LogSlice>(),
    }));
    for (const { section: at, place, log, n, types } of rows) {
      const dimension = eventKeys[at];
      const index = dimension ? place : (asking[place]?.place ?? -1);
      const reading = readings[index];
      if (!reading) throw new Error('an event window belongs to no transaction');
      if (dimension) reading.logs.set(dimension, sliceOf(log, n ?? 0));
      else reading.knownTypes = new Set(types ?? []);
    }
    return readings;
  }
}

function requestOf(
  dimension: EventKey,
  { question, place }: { readonly question: EventQuestion; readonly place: number },
): EventRequest[] {
  const { transaction, otherKey, needs } = question;
  const reachMs = needs.eventReach.get(dimension);
  const key = transaction[`${dimension}Key`];
  if (reachMs === undefined || key === null) return [];
  const { organisationId, occurredAt, seq } = transaction;
  const from = new Date(occurredAt.getTime() - reachMs);
  return [{ place, organisationId, key, otherKey, from, to: occurredAt, seq }];
}

function sliceOf(log: Buffer | null, count: number): LogSlice {
  const rows = log === null ? VelocityLog.EMPTY : VelocityLog.decode(log, count, count === LIMIT);
  return { log: rows, first: 0, end: rows.length };
}
