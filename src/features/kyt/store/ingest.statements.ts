import { appendClause } from '../../audit/index.js';
import {
  columns,
  composite,
  properties,
  sqlArray,
  statement,
  value,
} from '../../../platform/database/index.js';
import { messageClause, messageClauseAmong } from '../../../platform/queue/index.js';
import { newUuid } from '../../../platform/kernel/index.js';
import { FIRST_WAITS, publishClauses, TOLD } from '../../webhooks/index.js';
import { movesCash } from '../../../platform/kernel/reference/transaction-types.js';
import type { TransactionStatus } from '../domain/status.js';
import type { EvaluationLease } from '../ingest/pending-decisions.js';
import type { PreparedTransaction } from '../ingest/prepared-transaction.js';
import { KytTransactionEntity } from './entities/kyt-transaction.entity.js';

/** Each statement of the ingest path writes all rows of a batch. INSERTs are prepared by name. */

/** Stores the transactions whose id is new. */
const created = (also: string): string => `INSERT INTO kyt_transactions
           (id, organisation_id, client_app_id, transaction_id, source, type, channel, amount, currency, direction,
            direction_source, occurred_at, received_at, fingerprint, document_key, customer_key, account_key,
            device_key, ip_key, counterparty_key, sealed_body, warnings, request_id, correlation_id, traceparent,
            trail_hash, external_key, cash, card_key, origin_country, destination_country)
         SELECT id, organisation_id, client_app_id, transaction_id, source, type, channel, amount, currency, direction,
                direction_source, occurred_at, received_at, fingerprint, document_key, customer_key, account_key,
                device_key, ip_key, counterparty_key, sealed_body, string_to_array(nullif(warnings, ''), ','),
                request_id, correlation_id, traceparent, trail_hash, external_key, cash, card_key, origin_country,
                destination_country
         FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[],
                     $8::numeric[], $9::text[], $10::text[], $11::text[], $12::timestamptz[], $13::timestamptz[],
                     $14::bytea[], $15::bytea[], $16::bytea[], $17::bytea[], $18::bytea[], $19::bytea[],
                     $20::bytea[], $21::bytea[], $22::text[], $23::text[], $24::text[], $25::text[], $26::bytea[],
                     $27::bytea[], $28::boolean[], $29::bytea[], $30::text[], $31::text[])
           AS s (id, organisation_id, client_app_id, transaction_id, source, type, channel, amount, currency,
                 direction, direction_source, occurred_at, received_at, fingerprint, document_key, customer_key,
                 account_key, device_key, ip_key, counterparty_key, sealed_body, warnings, request_id,
                 correlation_id, traceparent, trail_hash, external_key, cash, card_key, origin_country,
                 destination_country)
         ON CONFLICT ON CONSTRAINT kyt_transactions_once DO NOTHING
         RETURNING id, organisation_id, seq${also}`;

/** Stores the house field values of new transactions. */
const HOUSE = `INSERT INTO kyt_house_values
           (organisation_id, seq, field, transaction_ref, occurred_at, value, key, velocity_entry)
         SELECT c.organisation_id, c.seq, v.field, c.id, c.occurred_at, v.value, v.key, c.velocity_entry
         FROM created c JOIN unnest($1::uuid[], $2::int[], $3::text[], $4::bytea[]) AS v (id, field, value, key) ON v.id = c.id`;

/** Queues each new transaction for its evaluation. */
const WAITING = `INSERT INTO kyt_work (transaction_ref, organisation_id, due_at)
         SELECT id, organisation_id, now() + interval '60 seconds' FROM created`;

/** As `WAITING`, but claims `$1` at once. If their process dies, the lease expires and the reconciler queues them. */
const WAITING_OR_HELD = `INSERT INTO kyt_work (transaction_ref, organisation_id, status, attempts, fence, lease_owner, due_at)
         SELECT id, organisation_id, CASE WHEN held THEN 'PROCESSING' ELSE 'QUEUED' END, held::int, held::int,
                CASE WHEN held THEN $2::text END,
                now() + CASE WHEN held THEN make_interval(secs => $3) ELSE interval '60 seconds' END
         FROM (SELECT id, organisation_id, id = ANY ($1::uuid[]) AS held FROM created) c`;

/** A batch of submissions to store. */
interface Intake {
  readonly rows: readonly PreparedTransaction[];
  /** Transactions that this process evaluates at once. */
  readonly held: { readonly refs: readonly string[]; readonly lease: EvaluationLease } | null;
  readonly firstWait: number;
  /** True if some have house field values to store. */
  readonly isKept: boolean;
}

/** Stores and queues the transactions whose id is new, with their entries, events and deliveries; returns them. */
export const INGEST = composite('kyt-ingest', {
  clauses: ({ rows, held, firstWait, isKept }: Intake) => [
    ...(isKept
      ? [
          { name: 'created', text: created(', occurred_at, velocity_entry'), values: valuesOf(rows) },
          { name: 'house', text: HOUSE, values: houseValuesOf(rows) },
        ]
      : [{ name: 'created', text: created(''), values: valuesOf(rows) }]),
    held === null
      ? { name: 'waiting', text: WAITING, values: [] }
      : {
          name: 'waiting_or_held',
          text: WAITING_OR_HELD,
          values: [sqlArray.uuids(held.refs), held.lease.owner, held.lease.ms / 1_000],
        },
    appendClause(
      rows.map((row) => row.received),
      'created',
    ),
    ...publishClauses(
      rows.map((row) => row.queued),
      'created',
      firstWait,
    ),
    held === null
      ? messageClause('handed', 'kyt.pipeline', 'created')
      : messageClauseAmong('rest_handed', 'kyt.pipeline', 'created', restOf(rows, held.refs)),
  ],
  every: {
    rows: [[]],
    held: [null, { refs: [newUuid()], lease: { owner: '', ms: 1 } }],
    firstWait: FIRST_WAITS,
    isKept: [false, true],
  },
  result: `SELECT id, seq, ${TOLD} AS told FROM created`,
  shape: { ...columns(KytTransactionEntity, 'id', 'seq'), told: 'boolean' },
  // One plan is right for all batches: there are only inserts, and a join with the few endpoints of an application.
  prepared: true,
});

/** Reads the original submission of an id that was sent again. */
export const SELECT_FIRST = statement(
  'kyt.select-first',
  `SELECT s.i, t.id, t.fingerprint, t.request_id AS "requestId", t.correlation_id AS "correlationId", t.warnings,
                CASE WHEN w.status IS NOT NULL THEN w.status ELSE 'COMPLETED' END AS status
         FROM unnest($1::uuid[], $2::text[], $3::uuid[]) WITH ORDINALITY AS s (client_app_id, transaction_id, organisation_id, i)
         JOIN kyt_transactions t ON t.client_app_id = s.client_app_id AND t.transaction_id = s.transaction_id
           AND t.organisation_id = s.organisation_id
         LEFT JOIN kyt_work w ON w.transaction_ref = t.id`,
  {
    ...properties(KytTransactionEntity, 'id', 'fingerprint', 'requestId', 'correlationId', 'warnings'),
    i: 'bigint',
    status: value<TransactionStatus>('text'),
  },
);

/** Reads the original body of an id that was sent again with other content. */
export const SELECT_BODY = statement(
  'kyt.select-first-body',
  `SELECT sealed_body AS "sealedBody" FROM kyt_transactions WHERE organisation_id = $1 AND id = $2`,
  properties(KytTransactionEntity, 'sealedBody'),
);

function houseValuesOf(rows: readonly PreparedTransaction[]): unknown[] {
  const kept = rows.flatMap(({ id, kept }) => kept.map((one) => ({ id, ...one })));
  return [
    sqlArray.uuids(kept.map(({ id }) => id)),
    sqlArray.plain(kept.map(({ field }) => field)),
    sqlArray.text(kept.map(({ value }) => value)),
    sqlArray.bytes(kept.map(({ key }) => key)),
  ];
}

function restOf(rows: readonly PreparedTransaction[], held: readonly string[]): string[] {
  const taken = new Set(held);
  return rows.flatMap(({ id }) => (taken.has(id) ? [] : id));
}

function valuesOf(rows: readonly PreparedTransaction[]): unknown[] {
  const { plain, text, bytes, uuids, instants } = sqlArray;
  return [
    uuids(rows.map((row) => row.id)),
    uuids(rows.map((row) => row.organisationId)),
    uuids(rows.map((row) => row.clientAppId)),
    text(rows.map((row) => row.submission.transactionId)),
    plain(rows.map((row) => row.source)),
    plain(rows.map((row) => row.submission.type)),
    plain(rows.map((row) => row.submission.channel)),
    plain(rows.map((row) => row.submission.amount)),
    plain(rows.map((row) => row.submission.currency)),
    plain(rows.map((row) => row.submission.direction.value)),
    plain(rows.map((row) => row.submission.direction.source)),
    instants(rows.map((row) => row.submission.occurredAt)),
    instants(rows.map((row) => row.receivedAt)),
    bytes(rows.map((row) => row.fingerprint)),
    bytes(rows.map((row) => row.keys.document)),
    bytes(rows.map((row) => row.keys.customer)),
    bytes(rows.map((row) => row.keys.account)),
    bytes(rows.map((row) => row.keys.device)),
    bytes(rows.map((row) => row.keys.ip)),
    bytes(rows.map((row) => row.keys.counterparty)),
    bytes(rows.map((row) => row.sealedBody)),
    // Warnings are codes without commas. They are sent as quoted text, because an unquoted empty element is invalid.
    text(rows.map((row) => row.submission.warnings.join(','))),
    text(rows.map((row) => row.context.requestId)),
    text(rows.map((row) => row.context.correlationId)),
    text(rows.map((row) => row.context.traceparent)),
    bytes(rows.map((row) => row.received.hash)),
    bytes(rows.map((row) => row.keys.external)),
    plain(rows.map((row) => movesCash(row.submission.type))),
    bytes(rows.map((row) => row.keys.card)),
    text(rows.map((row) => row.submission.origin.country ?? '')),
    text(rows.map((row) => row.submission.destination.country ?? '')),
  ];
}
