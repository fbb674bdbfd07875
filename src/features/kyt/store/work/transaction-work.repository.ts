import { Injectable } from '@nestjs/common';
import { In, type QueryDeepPartialEntity } from 'typeorm';
import {
  isIn,
  column,
  columns,
  execute,
  prepared,
  sqlArray,
  statement,
  system,
  UnitOfWork,
  type Clause,
  type Rows,
  type Tx,
} from '../../../../platform/database/index.js';
import type { ClaimedTransaction } from '../../domain/claimed.js';
import { KytTransactionEntity, KytWorkEntity } from '../entities.js';

// A crash may lose a lease: another worker claims the row. Only evaluations must be on disk when they are acknowledged.
const RELAX_COMMIT = `relaxed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))`;

const MAX_BEGINNINGS = 2_147_483_647;
/** How often a transaction was begun in a batch, and neither ended nor failed by itself. */
const BEGUN_TOGETHER = 'fence - attempts';
// Marks a claim of a single transaction, whose attempt counts even if its end is never stored.
const ALONE = ':alone';
const FREE = `(status = 'QUEUED' OR (status = 'PROCESSING' AND due_at < now()))`;

const COLUMNS = `t.id, t.seq, t.organisation_id, t.client_app_id, t.transaction_id, t.source, t.occurred_at, t.received_at,
    t.document_key, t.customer_key, t.external_key, t.account_key, t.card_key, t.device_key, t.ip_key, t.counterparty_key, t.sealed_body, t.request_id, t.correlation_id,
    t.traceparent, t.trail_hash, e.end_seq, e.end_hash, e.first_hash`;

const STORED = {
  ...columns(
    KytTransactionEntity,
    ...([
      'id',
      'seq',
      'organisationId',
      'clientAppId',
      'transactionId',
      'source',
      'occurredAt',
      'receivedAt',
    ] as const),
    ...([
      'documentKey',
      'customerKey',
      'externalKey',
      'accountKey',
      'cardKey',
      'deviceKey',
      'ipKey',
      'counterpartyKey',
      'sealedBody',
      'requestId',
      'correlationId',
    ] as const),
    ...(['traceparent', 'trailHash'] as const),
  ),
  end_seq: 'integer | null',
  end_hash: 'bytea | null',
  first_hash: 'bytea | null',
} as const;

const TRAIL_END = `LEFT JOIN LATERAL (
           SELECT max(a.subject_seq) AS end_seq,
                  (array_agg(a.hash ORDER BY a.subject_seq DESC))[1] AS end_hash,
                  (array_agg(a.hash ORDER BY a.subject_seq))[1] AS first_hash
           FROM audit_entries a
           WHERE a.organisation_id = t.organisation_id AND a.subject_type = 'transaction'
             AND a.subject_id = t.id::text) e ON true`;

// This finds only evaluated transactions: the pipeline gives queued transactions their first evaluation.
const FIND_COMPLETED = statement(
  'kyt.completed',
  `SELECT ${COLUMNS}, 0 AS fence, 0 AS attempts, 1 AS generation, v.version, s.sequence
  FROM kyt_transactions t
  JOIN LATERAL (SELECT max(evaluation_version) AS version FROM kyt_evaluations
                WHERE transaction_ref = t.id) v ON v.version IS NOT NULL
  JOIN LATERAL (SELECT max(sequence) AS sequence FROM events WHERE resource_id = t.id) s ON true
  ${TRAIL_END}
  WHERE t.id = ANY ($1::uuid[]) AND NOT EXISTS (SELECT 1 FROM kyt_work w WHERE w.transaction_ref = t.id)`,
  {
    ...STORED,
    fence: 'integer',
    attempts: 'integer',
    generation: 'integer',
    version: 'integer',
    sequence: 'integer | null',
  },
);

// OFFSET 0 forces one look-up by id for each claimed row. The planner expects a single row; without OFFSET 0 it
// sometimes read all transactions of the batch again for each of them.
const CLAIM = prepared(
  'kyt.claim',
  `WITH ${RELAX_COMMIT}, due AS (
           SELECT transaction_ref FROM kyt_work CROSS JOIN relaxed
           WHERE transaction_ref = ANY($1::uuid[]) AND ${FREE} AND ${BEGUN_TOGETHER} <= $4
           ORDER BY transaction_ref FOR UPDATE OF kyt_work SKIP LOCKED),
         claimed AS (
           UPDATE kyt_work w
           SET status = 'PROCESSING', attempts = attempts + $5, fence = fence + 1, lease_owner = $2,
               due_at = now() + make_interval(secs => $3)
           WHERE w.transaction_ref = ANY($1::uuid[]) AND ${isIn('w.transaction_ref', 'due', 'transaction_ref')}
           RETURNING w.transaction_ref, w.fence, w.attempts + 1 - $5 AS attempts, w.generation)
         SELECT ${COLUMNS}, c.fence, c.attempts, c.generation
         FROM claimed c
         CROSS JOIN LATERAL (SELECT * FROM kyt_transactions WHERE id = c.transaction_ref OFFSET 0) t
         ${TRAIL_END}`,
  { ...STORED, ...columns(KytWorkEntity, 'fence', 'attempts', 'generation') },
);

const DELETE_CONCLUDED_WORK = `DELETE FROM kyt_work w
  WHERE w.transaction_ref = ANY($1::uuid[]) AND w.status = 'PROCESSING'
    AND ((w.transaction_ref, w.fence) IN (SELECT * FROM unnest($1::uuid[], $2::int[]))) IS TRUE
  RETURNING w.transaction_ref AS id`;

const TRANSACTION = { id: column(KytWorkEntity, 'transactionRef') };

/** Finds free transactions that were begun together more than `$2` times without an end. */
const SUSPECTS = statement(
  'kyt.suspects',
  `SELECT transaction_ref AS id, ${BEGUN_TOGETHER} AS begun FROM kyt_work
   WHERE transaction_ref = ANY($1::uuid[]) AND ${FREE} AND ${BEGUN_TOGETHER} > $2 ORDER BY begun, transaction_ref`,
  { begun: 'integer', ...TRANSACTION },
);

/** Finds transactions of other organisations that wait for their first evaluation. */
const WAITING_OF_OTHERS = statement(
  'kyt.waiting-of-others',
  `SELECT transaction_ref AS id FROM kyt_work
   WHERE status = 'QUEUED' AND organisation_id <> ALL ($1::uuid[]) AND failure_code IS NULL AND ${BEGUN_TOGETHER} <= $2
   ORDER BY transaction_ref LIMIT $3`,
  TRANSACTION,
);

const RENEW = statement(
  'kyt.renew',
  `WITH ${RELAX_COMMIT}
   UPDATE kyt_work SET due_at = now() + make_interval(secs => $3) FROM relaxed
   WHERE transaction_ref = ANY($1::uuid[]) AND lease_owner IN ($2, $2 || '${ALONE}') AND status = 'PROCESSING'`,
);

const requeueUnfinished = (due: string): string => `UPDATE kyt_work
  SET status = 'QUEUED', lease_owner = NULL, due_at = now() + interval '60 seconds'
  WHERE (transaction_ref IN (
    SELECT transaction_ref FROM kyt_work WHERE status IN ('QUEUED', 'PROCESSING') AND ${due}
    ORDER BY transaction_ref LIMIT $1 FOR UPDATE SKIP LOCKED)) IS TRUE
  RETURNING transaction_ref AS id`;

const TAKE_UNFINISHED = {
  overdue: statement('kyt.take-overdue', requeueUnfinished('due_at < now()'), TRANSACTION),
  all: statement(
    'kyt.take-unfinished',
    requeueUnfinished(`(status = 'QUEUED' OR due_at < now())`),
    TRANSACTION,
  ),
};

// Finds transactions of a merged customer that passed from a second before the merge on: the clock of the process that
// evaluated may be behind.
const PASSED_AFTER_MERGE = statement(
  'kyt.passed-after-merge',
  `SELECT t.id FROM customers m
   JOIN kyt_transactions t ON t.organisation_id = m.organisation_id AND t.customer_key = m.external_index
   WHERE m.organisation_id = $1 AND m.id = $2 AND EXISTS (
     SELECT FROM kyt_evaluations e
     WHERE e.transaction_ref = t.id AND e.evaluated_at > m.merged_at - interval '1 second'
       AND e.outcome IN ('APPROVED', 'CHALLENGED')
       AND NOT EXISTS (SELECT FROM kyt_evaluations n
         WHERE n.transaction_ref = t.id AND n.evaluation_version > e.evaluation_version))
   ORDER BY t.id`,
  columns(KytTransactionEntity, 'id'),
);

/** The work of transactions without an evaluation: claims, leases and fences. */
@Injectable()
export class TransactionWorkRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /**
   * Claims and reads the given transactions that are free and were begun together at most `begunUpTo` times without an
   * end. Such an attempt counts only if it fails: another transaction of the batch may have ended the process.
   */
  async claim(
    ids: readonly string[],
    owner: string,
    leaseMs: number,
    begunUpTo = MAX_BEGINNINGS,
  ): Promise<ClaimedTransaction[]> {
    const values = [sqlArray.uuids(ids), owner, leaseMs / 1_000, begunUpTo, 0];
    const rows = await this.uow.write(system('kyt.claim'), CLAIM, values);
    return rows.map(toClaimed);
  }

  /** Claims and reads one transaction if it is free. The claim itself counts as an attempt, unlike that of `claim`. */
  async claimAlone(id: string, owner: string, leaseMs: number): Promise<ClaimedTransaction[]> {
    const values = [sqlArray.uuids([id]), owner + ALONE, leaseMs / 1_000, MAX_BEGINNINGS, 1];
    const rows = await this.uow.write(system('kyt.claim'), CLAIM, values);
    return rows.map(toClaimed);
  }

  /** Returns an evaluated transaction with its newest evaluation version and event; null if none has this id. */
  async readCompleted(organisationId: string, id: string): Promise<CompletedTransaction | null> {
    const rows = await this.uow.rows(organisationId, FIND_COMPLETED, [sqlArray.uuids([id])]);
    const [row] = rows;
    return row
      ? { transaction: toClaimed(row), newestVersion: row.version, newestSequence: row.sequence ?? 0 }
      : null;
  }

  /** Returns transactions under the id of a merged record that passed after the merge. */
  async findPassedAfterMerge(tx: Tx, organisationId: string, mergedId: string): Promise<string[]> {
    const rows = await execute(tx, PASSED_AFTER_MERGE, [organisationId, mergedId]);
    return rows.map(({ id }) => id);
  }

  /** Returns the given transactions that are evaluated and belong to the organisation. */
  async readManyCompleted(organisationId: string, ids: readonly string[]): Promise<ClaimedTransaction[]> {
    if (ids.length === 0) return [];
    const rows = await this.uow.rows(organisationId, FIND_COMPLETED, [sqlArray.uuids(ids)]);
    return rows.map(toClaimed);
  }

  /**
   * Returns the given transactions that are free and were begun together more than `begunUpTo` times without an end, and
   * how often; the fewest times first.
   */
  findCrashSuspects(ids: readonly string[], begunUpTo: number): Promise<CrashSuspect[]> {
    return this.uow.rows(system('kyt.claim'), SUSPECTS, [sqlArray.uuids(ids), begunUpTo]);
  }

  /** Returns transactions of other organisations that wait for their first evaluation, the oldest first. */
  async findWaitingOfOthers(
    organisations: readonly string[],
    begunUpTo: number,
    limit: number,
  ): Promise<string[]> {
    const values = [sqlArray.uuids(organisations), begunUpTo, limit];
    const rows = await this.uow.rows(system('kyt.claim'), WAITING_OF_OTHERS, values);
    return rows.map((row) => row.id);
  }

  /** Extends the leases that this owner still has. */
  async renew(tx: Tx, ids: readonly string[], owner: string, leaseMs: number): Promise<void> {
    await execute(tx, RENEW, [sqlArray.uuids(ids), owner, leaseMs / 1_000]);
  }

  /** Releases the given transactions that this owner still holds, without counting the attempt. */
  async releaseUnstarted(ids: readonly string[], leaseOwner: string): Promise<void> {
    await this.uow.run(system('kyt.leases'), (tx) =>
      tx.update(
        KytWorkEntity,
        {
          transactionRef: In([...ids]),
          leaseOwner: In([leaseOwner, leaseOwner + ALONE]),
          status: 'PROCESSING',
        },
        {
          ...{ status: 'QUEUED', leaseOwner: null, dueAt: () => 'now()' },
          attempts: () => `attempts - (lease_owner LIKE '%${ALONE}')::int`,
        },
      ),
    );
  }

  /** Releases a transaction for a later attempt. Returns false if the fence no longer holds. */
  release(tx: Tx, claim: Attempt, failure: Failure, delayMs: number): Promise<boolean> {
    const dueAt = (): string => `now() + interval '${delayMs} milliseconds'`;
    return end(tx, claim, failure, { status: 'QUEUED', dueAt });
  }

  /** Marks a transaction as a dead letter, until it is replayed. Returns false if the fence no longer holds. */
  deadLetter(tx: Tx, claim: Attempt, failure: Failure): Promise<boolean> {
    return end(tx, claim, failure, { status: 'DEAD_LETTERED', dueAt: () => `'infinity'` });
  }

  /** Returns unfinished work (overdue work, or all that no worker holds), and makes it due again a minute later. */
  async requeueUnfinished(tx: Tx, which: 'overdue' | 'all', limit: number): Promise<string[]> {
    const rows = await execute(tx, TAKE_UNFINISHED[which], [limit]);
    return rows.map((row) => row.id);
  }
}

export type CrashSuspect = Rows<typeof SUSPECTS>;

type Claim = Pick<ClaimedTransaction, 'id' | 'fence'>;
type Attempt = Pick<ClaimedTransaction, 'id' | 'fence' | 'attempt'>;

/** The reason why an attempt failed: a stable code, and the stage. */
interface Failure {
  readonly code: string;
  readonly stage: string;
}

/** Ends an attempt, which counts now; false if the fence no longer holds. */
async function end(
  tx: Tx,
  { id, fence, attempt: attempts }: Attempt,
  { code, stage }: Failure,
  next: Pick<QueryDeepPartialEntity<KytWorkEntity>, 'status' | 'dueAt'>,
): Promise<boolean> {
  const { affected } = await tx.update(
    KytWorkEntity,
    { transactionRef: id, fence, status: 'PROCESSING' },
    { ...next, attempts, leaseOwner: null, failureCode: code, failureStage: stage },
  );
  return affected === 1;
}

/** The evaluation that the next version must follow. */
export interface NewestVersion {
  readonly id: string;
  readonly newestVersion: number;
  /** True if no version may be added after a person's decision. */
  readonly unlessDecided: boolean;
}

/** A clause that returns the transaction if it is evaluated and `newestVersion` is its newest version. */
export function completedClause(name: string, { id, newestVersion, unlessDecided }: NewestVersion): Clause {
  return {
    name,
    text: `SELECT t.id FROM kyt_transactions t
             WHERE t.id = $1 AND NOT EXISTS (SELECT 1 FROM kyt_work w WHERE w.transaction_ref = t.id)
               AND $2::int = (SELECT max(evaluation_version) FROM kyt_evaluations WHERE transaction_ref = t.id)
               AND NOT ($3::boolean AND EXISTS (
                 SELECT 1 FROM kyt_decisions d WHERE d.organisation_id = t.organisation_id
                   AND d.transaction_ref = t.id AND d.evaluation_version = $2))`,
    values: [id, newestVersion, unlessDecided],
  };
}

/** A clause that ends the work of transactions whose fence still holds. Another worker has claimed the others. */
export function concludeClause(claims: readonly Claim[]): Clause {
  return {
    name: 'concluded',
    text: DELETE_CONCLUDED_WORK,
    values: [
      sqlArray.uuids(claims.map((claim) => claim.id)),
      sqlArray.plain(claims.map((claim) => claim.fence)),
    ],
  };
}

export interface CompletedTransaction {
  readonly transaction: ClaimedTransaction;
  readonly newestVersion: number;
  readonly newestSequence: number;
}

function toClaimed(row: Rows<typeof CLAIM>): ClaimedTransaction {
  const { end_seq: seq, end_hash: hash, first_hash: firstHash } = row;
  return {
    id: row.id,
    seq: row.seq,
    organisationId: row.organisation_id,
    clientAppId: row.client_app_id,
    transactionId: row.transaction_id,
    source: row.source,
    occurredAt: row.occurred_at,
    receivedAt: row.received_at,
    documentKey: row.document_key,
    customerKey: row.customer_key,
    externalKey: row.external_key,
    accountKey: row.account_key,
    cardKey: row.card_key,
    deviceKey: row.device_key,
    ipKey: row.ip_key,
    counterpartyKey: row.counterparty_key,
    sealedBody: row.sealed_body,
    requestId: row.request_id,
    correlationId: row.correlation_id,
    traceparent: row.traceparent,
    fence: row.fence,
    attempt: row.attempts,
    generation: row.generation,
    trailHash: row.trail_hash,
    trailEnd: seq !== null && hash && firstHash ? { seq, hash, firstHash } : null,
  };
}
