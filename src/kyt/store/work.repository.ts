import { Injectable } from '@nestjs/common';
import {
  among,
  execute,
  sqlArray,
  system,
  UnitOfWork,
  type Clause,
  type Reader,
  type Tx,
} from '../../database/index.js';
import type { ClaimedTransaction } from '../domain/claimed.js';
import type { IngestSource } from '../prepared-transaction.js';

interface ClaimRow {
  readonly id: string;
  readonly seq: string;
  readonly organisation_id: string;
  readonly client_app_id: string;
  readonly transaction_id: string;
  readonly source: IngestSource;
  readonly occurred_at: Date;
  readonly received_at: Date;
  readonly customer_key: Buffer | null;
  readonly device_key: Buffer | null;
  readonly ip_key: Buffer | null;
  readonly counterparty_key: Buffer | null;
  readonly sealed_body: Buffer;
  readonly request_id: string;
  readonly correlation_id: string;
  readonly traceparent: string | null;
  readonly fence: number;
  readonly attempts: number;
  readonly generation: number;
  readonly trail_hash: Buffer;
  readonly end_seq: number | null;
  readonly end_hash: Buffer | null;
  readonly first_hash: Buffer | null;
}

// A lease is a hint that may be lost; only the commit that concludes must reach the disk before it is believed.
const RELAXED = `relaxed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))`;

const MOST_ATTEMPTS = 2_147_483_647;
const FREE = `(status = 'QUEUED' OR (status = 'PROCESSING' AND due_at < now()))`;

const COLUMNS = `t.id, t.seq, t.organisation_id, t.client_app_id, t.transaction_id, t.source, t.occurred_at, t.received_at,
    t.customer_key, t.device_key, t.ip_key, t.counterparty_key, t.sealed_body, t.request_id, t.correlation_id,
    t.traceparent, t.trail_hash, e.end_seq, e.end_hash, e.first_hash`;

const TRAIL_END = `LEFT JOIN LATERAL (
           SELECT max(a.subject_seq) AS end_seq,
                  (array_agg(a.hash ORDER BY a.subject_seq DESC))[1] AS end_hash,
                  (array_agg(a.hash ORDER BY a.subject_seq))[1] AS first_hash
           FROM audit_entries a
           WHERE a.organisation_id = t.organisation_id AND a.subject_type = 'transaction'
             AND a.subject_id = t.id::text) e ON true`;

// Only what is evaluated: what waits gets its first evaluation from the pipeline.
const COMPLETED = `SELECT ${COLUMNS}, 0 AS fence, 0 AS attempts, 1 AS generation, v.version, s.sequence
  FROM kyt_transactions t
  JOIN LATERAL (SELECT max(evaluation_version) AS version FROM kyt_evaluations
                WHERE transaction_ref = t.id) v ON v.version IS NOT NULL
  JOIN LATERAL (SELECT max(sequence) AS sequence FROM events WHERE resource_id = t.id) s ON true
  ${TRAIL_END}
  WHERE t.id = ANY ($1::uuid[]) AND NOT EXISTS (SELECT 1 FROM kyt_work w WHERE w.transaction_ref = t.id)`;

// OFFSET 0: each is looked up by its id, whatever the planner takes the claimed for. It takes them for one row, and read all
// transactions of the batch again for each of them when that looked as cheap.
const CLAIM = `WITH ${RELAXED}, due AS (
           SELECT transaction_ref FROM kyt_work CROSS JOIN relaxed
           WHERE transaction_ref = ANY($1::uuid[]) AND ${FREE} AND attempts <= $4
           ORDER BY transaction_ref FOR UPDATE OF kyt_work SKIP LOCKED),
         claimed AS (
           UPDATE kyt_work w
           SET status = 'PROCESSING', attempts = attempts + 1, fence = fence + 1, lease_owner = $2,
               due_at = now() + make_interval(secs => $3)
           WHERE w.transaction_ref = ANY($1::uuid[]) AND ${among('w.transaction_ref', 'due', 'transaction_ref')}
           RETURNING w.transaction_ref, w.fence, w.attempts, w.generation)
         SELECT ${COLUMNS}, c.fence, c.attempts, c.generation
         FROM claimed c
         CROSS JOIN LATERAL (SELECT * FROM kyt_transactions WHERE id = c.transaction_ref OFFSET 0) t
         ${TRAIL_END}`;

const CONCLUDED = `DELETE FROM kyt_work w
  WHERE w.transaction_ref = ANY($1::uuid[]) AND w.status = 'PROCESSING'
    AND ((w.transaction_ref, w.fence) IN (SELECT * FROM unnest($1::uuid[], $2::int[]))) IS TRUE
  RETURNING w.transaction_ref AS id`;

const RELEASE = {
  text: `UPDATE kyt_work SET status = 'QUEUED', lease_owner = NULL, due_at = now() + make_interval(secs => $3),
                failure_code = $4, failure_stage = $5
         WHERE transaction_ref = $1 AND fence = $2 AND status = 'PROCESSING' RETURNING transaction_ref AS id`,
};

const BURY = {
  text: `UPDATE kyt_work SET status = 'DEAD_LETTERED', lease_owner = NULL, due_at = 'infinity',
                failure_code = $3, failure_stage = $4
         WHERE transaction_ref = $1 AND fence = $2 AND status = 'PROCESSING' RETURNING transaction_ref AS id`,
};

/** The leases and fences of transactions that have no evaluation yet. */
@Injectable()
export class WorkRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Takes the lease of every given transaction that is free and was begun at most that often, and reads it. */
  async claim(
    ids: readonly string[],
    owner: string,
    leaseMs: number,
    begunUpTo = MOST_ATTEMPTS,
  ): Promise<ClaimedTransaction[]> {
    const values = [sqlArray.uuids(ids), owner, leaseMs / 1_000, begunUpTo];
    const rows = await this.uow.write<ClaimRow>(system('kyt.claim'), {
      name: 'kyt-claim',
      text: CLAIM,
      values,
    });
    return rows.map(toClaimed);
  }

  /** An evaluated transaction with its newest evaluation version and event; null when there is none of this id. */
  async readCompleted(organisationId: string, id: string): Promise<CompletedTransaction | null> {
    const rows = await this.uow.read<(ClaimRow & { version: number; sequence: number | null })[]>(
      organisationId,
      (db) => db.query(COMPLETED, [sqlArray.uuids([id])]),
    );
    const [row] = rows;
    return row
      ? { transaction: toClaimed(row), newestVersion: row.version, newestSequence: row.sequence ?? 0 }
      : null;
  }

  /** Evaluated transactions; those that are not, and those of others, are left out. */
  async readManyCompleted(organisationId: string, ids: readonly string[]): Promise<ClaimedTransaction[]> {
    if (ids.length === 0) return [];
    const rows = await this.uow.read<ClaimRow[]>(organisationId, (db) =>
      db.query(COMPLETED, [sqlArray.uuids(ids)]),
    );
    return rows.map(toClaimed);
  }

  /** A clause that names those of the transactions that are still evaluated, and whose newest version is that one. */
  completedClause(id: string, newestVersion: number): Clause {
    return {
      name: 'concluded',
      text: `SELECT t.id FROM kyt_transactions t
             WHERE t.id = $1 AND NOT EXISTS (SELECT 1 FROM kyt_work w WHERE w.transaction_ref = t.id)
               AND $2::int = (SELECT max(evaluation_version) FROM kyt_evaluations WHERE transaction_ref = t.id)`,
      values: [id, newestVersion],
    };
  }

  /** Those of the given transactions that are free and were begun more often than that. */
  async suspects(ids: readonly string[], begunUpTo: number): Promise<string[]> {
    const rows: { id: string }[] = await this.uow.read(system('kyt.claim'), (db) =>
      db.query(
        `SELECT transaction_ref AS id FROM kyt_work WHERE transaction_ref = ANY($1::uuid[]) AND ${FREE} AND attempts > $2`,
        [sqlArray.uuids(ids), begunUpTo],
      ),
    );
    return rows.map((row) => row.id);
  }

  /** Extends the leases that this owner still has. */
  async renew(tx: Tx, ids: readonly string[], owner: string, leaseMs: number): Promise<void> {
    await execute(
      tx,
      {
        text: `WITH ${RELAXED}
               UPDATE kyt_work SET due_at = now() + make_interval(secs => $3) FROM relaxed
               WHERE transaction_ref = ANY($1::uuid[]) AND lease_owner = $2 AND status = 'PROCESSING'`,
      },
      [sqlArray.uuids(ids), owner, leaseMs / 1_000],
    );
  }

  /** A clause that ends the work of those whose fence still holds; the others belong to somebody else now. */
  concludeClause(claims: readonly Pick<ClaimedTransaction, 'id' | 'fence'>[]): Clause {
    return {
      name: 'concluded',
      text: CONCLUDED,
      values: [
        sqlArray.uuids(claims.map((claim) => claim.id)),
        sqlArray.plain(claims.map((claim) => claim.fence)),
      ],
    };
  }

  /** Gives a transaction back for a later attempt. */
  async release(
    tx: Tx,
    claim: Pick<ClaimedTransaction, 'id' | 'fence'>,
    failure: { readonly code: string; readonly stage: string },
    delayMs: number,
  ): Promise<boolean> {
    const rows = await execute(tx, RELEASE, [
      claim.id,
      claim.fence,
      delayMs / 1_000,
      failure.code,
      failure.stage,
    ]);
    return rows.length === 1;
  }

  /** Marks a transaction as dead; it stays until somebody replays it. */
  async bury(
    tx: Tx,
    claim: Pick<ClaimedTransaction, 'id' | 'fence'>,
    failure: { readonly code: string; readonly stage: string },
  ): Promise<boolean> {
    const rows = await execute(tx, BURY, [claim.id, claim.fence, failure.code, failure.stage]);
    return rows.length === 1;
  }

  /** Unfinished work: all of it that nobody holds, or only what is overdue. Each is due again a minute later. */
  async takeUnfinished(tx: Tx, which: 'overdue' | 'all', limit: number): Promise<string[]> {
    const due = which === 'overdue' ? 'due_at < now()' : `(status = 'QUEUED' OR due_at < now())`;
    const rows = await execute<{ id: string }>(
      tx,
      {
        text: `UPDATE kyt_work SET status = 'QUEUED', lease_owner = NULL, due_at = now() + interval '60 seconds'
               WHERE (transaction_ref IN (
                 SELECT transaction_ref FROM kyt_work WHERE status IN ('QUEUED', 'PROCESSING') AND ${due}
                 ORDER BY transaction_ref LIMIT $1 FOR UPDATE SKIP LOCKED)) IS TRUE
               RETURNING transaction_ref AS id`,
      },
      [limit],
    );
    return rows.map((row) => row.id);
  }

  /** Brings a dead transaction back to the beginning of its attempts. */
  async revive(
    tx: Tx,
    transactionRef: string,
  ): Promise<{ organisationId: string; generation: number } | null> {
    const rows = await execute<{ organisation_id: string; generation: number }>(
      tx,
      {
        text: `UPDATE kyt_work SET status = 'QUEUED', attempts = 0, generation = generation + 1,
                      due_at = now() + interval '60 seconds', failure_code = NULL, failure_stage = NULL
               WHERE transaction_ref = $1 AND status = 'DEAD_LETTERED' AND discarded_at IS NULL
               RETURNING organisation_id, generation`,
      },
      [transactionRef],
    );
    const [row] = rows;
    return row ? { organisationId: row.organisation_id, generation: row.generation } : null;
  }

  /** Dead transactions, the oldest first. */
  async deadLetters(reader: Reader, limit: number): Promise<DeadLetter[]> {
    const rows: unknown = await reader.query(
      `SELECT w.transaction_ref AS "transactionRef", t.transaction_id AS "transactionId",
              w.failure_code AS code, w.failure_stage AS stage, w.attempts, w.generation, w.queued_at AS "queuedAt"
       FROM kyt_work w JOIN kyt_transactions t ON t.id = w.transaction_ref
       WHERE w.status = 'DEAD_LETTERED' AND w.discarded_at IS NULL ORDER BY w.transaction_ref LIMIT $1`,
      [limit],
    );
    return rows as DeadLetter[];
  }
}

export interface CompletedTransaction {
  readonly transaction: ClaimedTransaction;
  readonly newestVersion: number;
  readonly newestSequence: number;
}

export interface DeadLetter {
  readonly transactionRef: string;
  readonly transactionId: string;
  readonly code: string;
  readonly stage: string;
  readonly attempts: number;
  readonly generation: number;
  readonly queuedAt: Date;
}

function toClaimed(row: ClaimRow): ClaimedTransaction {
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
    customerKey: row.customer_key,
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
