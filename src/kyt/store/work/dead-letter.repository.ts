import { Injectable } from '@nestjs/common';
import {
  column,
  execute,
  present,
  properties,
  sqlArray,
  statement,
  UnitOfWork,
  value,
  type Tx,
} from '../../../database/index.js';
import type {
  DeadLetterRef,
  DeadLetterFilter,
  DeadLetterRecord,
  DiscardRequest,
} from '../../domain/dead-letter.js';
import { DeadLetterDiscardEntity } from '../entities/dead-letter-discard.entity.js';
import { KytTransactionEntity } from '../entities/kyt-transaction.entity.js';
import { KytWorkEntity } from '../entities/kyt-work.entity.js';

const DISCARD_REQUEST = `id, status, reason, cardinality(transaction_refs) AS count,
  (SELECT jsonb_agg(jsonb_build_object('transactionRef', ref, 'generation', generation))
   FROM unnest(transaction_refs, generations) AS letter (ref, generation)) AS letters,
  discarded, requested_by AS "requestedBy", requested_at AS "requestedAt", decided_by AS "decidedBy",
  decided_at AS "decidedAt"`;

const LETTER = `w.transaction_ref AS "transactionRef", t.client_app_id AS "clientAppId",
  t.transaction_id AS "transactionId", t.type, w.failure_code AS code, w.failure_stage AS stage, w.attempts,
  w.generation, t.received_at AS "receivedAt", w.queued_at AS "queuedAt", w.discarded_at AS "discardedAt"`;

const LETTER_SHAPE = {
  ...properties(KytWorkEntity, 'transactionRef', 'attempts', 'generation', 'queuedAt', 'discardedAt'),
  ...properties(KytTransactionEntity, 'clientAppId', 'transactionId', 'type', 'receivedAt'),
  code: present(column(KytWorkEntity, 'failureCode')),
  stage: present(column(KytWorkEntity, 'failureStage')),
};

const REQUEST_SHAPE = {
  ...properties(DeadLetterDiscardEntity, 'id', 'status', 'reason', 'discarded', 'requestedBy', 'requestedAt'),
  ...properties(DeadLetterDiscardEntity, 'decidedBy', 'decidedAt'),
  count: 'integer',
  letters: value<readonly DeadLetterRef[]>('jsonb'),
} as const;

const LIST = statement(
  'kyt.list-dead-letters',
  `SELECT ${LETTER} FROM kyt_work w JOIN kyt_transactions t ON t.id = w.transaction_ref
         WHERE w.organisation_id = $1 AND w.status = 'DEAD_LETTERED' AND ($2::uuid IS NULL OR w.transaction_ref > $2)
           AND ($3::text IS NULL OR w.failure_code = $3) AND ($4::text IS NULL OR w.failure_stage = $4)
           AND ($5::text IS NULL OR t.type = $5) AND (w.discarded_at IS NOT NULL) = $6
         ORDER BY w.transaction_ref LIMIT $7`,
  LETTER_SHAPE,
);

const FIND = statement(
  'kyt.find-dead-letter',
  `SELECT ${LETTER} FROM kyt_work w JOIN kyt_transactions t ON t.id = w.transaction_ref
         WHERE w.organisation_id = $1 AND w.transaction_ref = $2 AND w.status = 'DEAD_LETTERED'`,
  LETTER_SHAPE,
);

const REVIVE = statement(
  'kyt.revive-all',
  `UPDATE kyt_work SET status = 'QUEUED', attempts = 0, generation = generation + 1,
                      due_at = now() + interval '60 seconds', failure_code = NULL, failure_stage = NULL
               WHERE transaction_ref = ANY($1::uuid[]) AND status = 'DEAD_LETTERED' AND discarded_at IS NULL
               RETURNING transaction_ref AS id, generation`,
  { id: column(KytWorkEntity, 'transactionRef'), generation: column(KytWorkEntity, 'generation') },
);

const DISCARD = statement(
  'kyt.discard',
  `UPDATE kyt_work w SET discarded_at = now()
               FROM unnest($1::uuid[], $2::integer[]) AS letter (ref, generation)
               WHERE w.transaction_ref = letter.ref AND w.generation = letter.generation
                 AND w.status = 'DEAD_LETTERED' AND w.discarded_at IS NULL
               RETURNING w.transaction_ref AS id`,
  { id: column(KytWorkEntity, 'transactionRef') },
);

const REQUEST = statement(
  'kyt.request-discard',
  `INSERT INTO dead_letter_discards
                 (id, organisation_id, reason, requested_by, requested_at, transaction_refs, generations)
               VALUES ($1, $2, $3, $4, $5, $6::uuid[], $7::integer[])`,
);

const LOCK = statement(
  'kyt.lock-discard',
  `SELECT ${DISCARD_REQUEST} FROM dead_letter_discards WHERE id = $1 AND status = 'REQUESTED' FOR UPDATE`,
  REQUEST_SHAPE,
);

const DECIDE = statement(
  'kyt.decide-discard',
  `UPDATE dead_letter_discards SET status = $2, decided_by = $3, decided_at = $4, discarded = $5
               WHERE id = $1 AND status = 'REQUESTED' RETURNING ${DISCARD_REQUEST}`,
  REQUEST_SHAPE,
);

const REQUESTS = statement(
  'kyt.discard-requests',
  `SELECT ${DISCARD_REQUEST} FROM dead_letter_discards
         WHERE organisation_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
  REQUEST_SHAPE,
);

/** Dead transactions of one organisation, and the requests to discard many of them. */
@Injectable()
export class DeadLetterRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** The oldest first; up to one more than asked for, when there are more. */
  list(
    organisationId: string,
    filter: DeadLetterFilter,
    after: string | null,
    limit: number,
  ): Promise<DeadLetterRecord[]> {
    return this.uow.read(organisationId, (db) =>
      execute(db, LIST, [
        organisationId,
        after,
        filter.code ?? null,
        filter.stage ?? null,
        filter.type ?? null,
        filter.discarded ?? false,
        limit,
      ]),
    );
  }

  async find(organisationId: string, transactionRef: string): Promise<DeadLetterRecord | null> {
    const [row] = await this.uow.read(organisationId, (db) =>
      execute(db, FIND, [organisationId, transactionRef]),
    );
    return row ?? null;
  }

  /** Brings those of the dead transactions back that are not discarded, and returns their generations. */
  async revive(tx: Tx, refs: readonly string[]): Promise<{ id: string; generation: number }[]> {
    return execute(tx, REVIVE, [sqlArray.uuids(refs)]);
  }

  /** Discards those of the dead letters that still stand, and returns their transactions: neither replayed since nor discarded. */
  async discard(tx: Tx, letters: readonly DeadLetterRef[]): Promise<string[]> {
    const rows = await execute(tx, DISCARD, arraysOf(letters));
    return rows.map((row) => row.id);
  }

  async requestDiscard(
    tx: Tx,
    request: Pick<DiscardRequest, 'id' | 'reason' | 'letters' | 'requestedBy' | 'requestedAt'> & {
      readonly organisationId: string;
    },
  ): Promise<void> {
    await execute(tx, REQUEST, [
      request.id,
      request.organisationId,
      request.reason,
      request.requestedBy,
      request.requestedAt,
      ...arraysOf(request.letters),
    ]);
  }

  /** An open request, locked; null when there is none of this id, or it is decided. */
  async lockRequest(tx: Tx, id: string): Promise<DiscardRequest | null> {
    const rows = await execute(tx, LOCK, [id]);
    return rows[0] ?? null;
  }

  async decide(
    tx: Tx,
    id: string,
    decision: { status: 'APPROVED' | 'WITHDRAWN'; by: string; at: Date; discarded: number | null },
  ): Promise<DiscardRequest | null> {
    const rows = await execute(tx, DECIDE, [
      id,
      decision.status,
      decision.by,
      decision.at,
      decision.discarded,
    ]);
    return rows[0] ?? null;
  }

  requests(organisationId: string, before: string | null, limit: number): Promise<DiscardRequest[]> {
    return this.uow.read(organisationId, (db) => execute(db, REQUESTS, [organisationId, before, limit]));
  }
}

const arraysOf = (letters: readonly DeadLetterRef[]): [refs: Buffer, generations: string] => [
  sqlArray.uuids(letters.map((letter) => letter.transactionRef)),
  sqlArray.plain(letters.map((letter) => letter.generation)),
];
