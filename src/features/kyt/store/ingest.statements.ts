import { appendClause } from '../../audit/index.js';
import {
  columns,
  composite,
  properties,
  sqlArray,
  statement,
  unnested,
  value,
} from '../../../platform/database/index.js';
import { messageClause, messageClauseAmong } from '../../../platform/queue/index.js';
import { newUuid } from '../../../platform/kernel/index.js';
import { FIRST_WAITS, publishClauses, HAS_DELIVERIES } from '../../webhooks/index.js';
import { movesCash } from '../../../platform/kernel/reference/transaction-types.js';
import type { TransactionStatus } from '../domain/status.js';
import type { EvaluationLease } from '../domain/submission/prepared-transaction.js';
import type { CustomFieldValue } from '../domain/submission/prepared-transaction.js';
import type { PreparedTransaction } from '../domain/submission/prepared-transaction.js';
import { KytTransactionEntity } from './entities.js';

/** The columns of new transactions. Each statement of the ingest path writes all rows of a batch. */

const NEW = unnested<PreparedTransaction>(
  { uuid: ['id', 'organisationId', 'clientAppId'], text: ['submission.transactionId'], code: ['source'] },
  { code: ['submission.type', 'submission.channel'], numeric: ['submission.amount'] },
  { code: { currency: 'submission.currency', direction: 'submission.direction.value' } },
  { code: { directionSource: 'submission.direction.source' } },
  { timestamptz: ['submission.occurredAt', 'receivedAt'], bytea: ['fingerprint'] },
  { bytea: { documentKey: 'keys.document', customerKey: 'keys.customer', accountKey: 'keys.account' } },
  { bytea: { deviceKey: 'keys.device', ipKey: 'keys.ip', counterpartyKey: 'keys.counterparty' } },
  { bytea: ['sealedBody'] },
  { codes: { warnings: ({ submission: { warnings } }) => (warnings.length > 0 ? warnings : null) } },
  { text: ['context.requestId', 'context.correlationId', 'context.traceparent'] },
  { bytea: { trailHash: 'received.hash', externalKey: 'keys.external' } },
  { boolean: { cash: ({ submission }) => movesCash(submission.type) }, bytea: { cardKey: 'keys.card' } },
  { text: { originCountry: ({ submission }) => submission.origin.country ?? '' } },
  { text: { destinationCountry: ({ submission }) => submission.destination.country ?? '' } },
);

/** Stores the transactions whose id is new. */
const INSERT_TRANSACTIONS = `INSERT INTO kyt_transactions (${NEW.columns})
         SELECT ${NEW.read} FROM ${NEW.from()}
         ON CONFLICT ON CONSTRAINT kyt_transactions_once DO NOTHING
         RETURNING id, organisation_id, seq`;

const CUSTOM_FIELD_VALUES = unnested<CustomFieldValue & { readonly id: string }>(
  { uuid: ['id'], int: ['field'] },
  { text: ['value'], bytea: ['key'] },
);

const INSERT_CUSTOM_FIELD_VALUES = `INSERT INTO kyt_custom_field_values
           (organisation_id, seq, field, transaction_ref, occurred_at, value, key, velocity_entry)
         SELECT c.organisation_id, c.seq, v.field, c.id, c.occurred_at, v.value, v.key, c.velocity_entry
         FROM created c JOIN ${CUSTOM_FIELD_VALUES.from(1, 'v')} ON v.id = c.id`;

/** Queues each new transaction for its evaluation. */
const QUEUE_TRANSACTIONS = `INSERT INTO kyt_work (transaction_ref, organisation_id, due_at)
         SELECT id, organisation_id, now() + interval '60 seconds' FROM created`;

/**
 * Queues each new transaction. The transactions of `$1` start with a lease of `$2`; the reconciler queues such a
 * transaction if its lease expires.
 */
const QUEUE_OR_CLAIM_TRANSACTIONS = `INSERT INTO kyt_work (transaction_ref, organisation_id, status, fence, lease_owner, due_at)
         SELECT id, organisation_id, CASE WHEN held THEN 'PROCESSING' ELSE 'QUEUED' END, held::int,
                CASE WHEN held THEN $2::text END,
                now() + CASE WHEN held THEN make_interval(secs => $3) ELSE interval '60 seconds' END
         FROM (SELECT id, organisation_id, id = ANY ($1::uuid[]) AS held FROM created) c`;

/** A batch of submissions to store. */
interface Intake {
  readonly rows: readonly PreparedTransaction[];
  /** Transactions that this process evaluates immediately. */
  readonly held: { readonly refs: readonly string[]; readonly lease: EvaluationLease } | null;
  readonly firstWait: number;
  /** True if some rows have custom field values to store. */
  readonly isKept: boolean;
}

/** Stores and queues the transactions whose id is new, with their entries, events and deliveries; returns them. */
export const INGEST = composite('kyt-ingest', {
  clauses: ({ rows, held, firstWait, isKept }: Intake) => [
    ...(isKept
      ? [
          {
            name: 'created',
            text: `${INSERT_TRANSACTIONS}, occurred_at, velocity_entry`,
            values: NEW.arrays(rows),
          },
          {
            name: 'custom_field_values',
            text: INSERT_CUSTOM_FIELD_VALUES,
            values: CUSTOM_FIELD_VALUES.arrays(keptOf(rows)),
          },
        ]
      : [{ name: 'created', text: INSERT_TRANSACTIONS, values: NEW.arrays(rows) }]),
    held === null
      ? { name: 'waiting', text: QUEUE_TRANSACTIONS, values: [] }
      : {
          name: 'waiting_or_held',
          text: QUEUE_OR_CLAIM_TRANSACTIONS,
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
      : messageClauseAmong('rest_handed', 'kyt.pipeline', 'created', withoutHeld(rows, held.refs)),
  ],
  every: {
    rows: [[]],
    held: [null, { refs: [newUuid()], lease: { owner: '', ms: 1 } }],
    firstWait: FIRST_WAITS,
    isKept: [false, true],
  },
  result: `SELECT id, seq, ${HAS_DELIVERIES} AS "hasDeliveries" FROM created`,
  shape: { ...columns(KytTransactionEntity, 'id', 'seq'), hasDeliveries: 'boolean' },
  // One plan is right for all batches: there are only inserts, and a join with the few endpoints of an application.
  prepared: true,
});

/** Identifies a submission: the application and its own id of the transaction. */
export type SubmissionKey = Pick<PreparedTransaction, 'organisationId' | 'clientAppId' | 'submission'>;

export const SUBMISSION_KEYS = unnested<SubmissionKey>(
  { uuid: ['clientAppId'], text: ['submission.transactionId'] },
  { uuid: ['organisationId'] },
);

/** Reads the original submission of an id that was sent again. */
export const FIND_FIRST_SUBMISSIONS = statement(
  'kyt.select-first',
  `SELECT s.i, t.id, t.fingerprint, t.request_id AS "requestId", t.correlation_id AS "correlationId", t.warnings,
                CASE WHEN w.status IS NOT NULL THEN w.status ELSE 'COMPLETED' END AS status
         FROM ${SUBMISSION_KEYS.from(1, 's', 'i')}
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

const keptOf = (rows: readonly PreparedTransaction[]): (CustomFieldValue & { readonly id: string })[] =>
  rows.flatMap(({ id, kept }) => kept.map((one) => ({ id, ...one })));

function withoutHeld(rows: readonly PreparedTransaction[], held: readonly string[]): string[] {
  const heldRefs = new Set(held);
  return rows.flatMap(({ id }) => (heldRefs.has(id) ? [] : id));
}
