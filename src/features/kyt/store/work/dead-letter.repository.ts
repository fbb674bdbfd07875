import { Injectable } from '@nestjs/common';
import { In, IsNull } from 'typeorm';
import {
  column,
  execute,
  notNullColumn,
  properties,
  sqlArray,
  statement,
  UnitOfWork,
  type Reader,
  type Tx,
} from '../../../../platform/database/index.js';
import type { DeadLetterFilter, DeadLetterRecord } from '../../domain/dead-letter.js';
import { KytTransactionEntity, KytWorkEntity } from '../entities.js';

const LETTERS = `SELECT w.transaction_ref AS "transactionRef", t.client_app_id AS "clientAppId",
  t.transaction_id AS "transactionId", t.type, t.amount::text AS amount, t.currency, w.failure_code AS code, w.failure_stage AS stage, w.attempts,
  w.generation, t.received_at AS "receivedAt", w.queued_at AS "queuedAt", w.discarded_at AS "discardedAt"
  FROM kyt_work w JOIN kyt_transactions t ON t.id = w.transaction_ref WHERE w.status = 'DEAD_LETTERED'`;

const LETTER_SHAPE = {
  ...properties(KytWorkEntity, 'transactionRef', 'attempts', 'generation', 'queuedAt', 'discardedAt'),
  ...properties(KytTransactionEntity, 'clientAppId', 'transactionId', 'type', 'currency', 'receivedAt'),
  amount: 'text' as const,
  code: notNullColumn(column(KytWorkEntity, 'failureCode')),
  stage: notNullColumn(column(KytWorkEntity, 'failureStage')),
};

const ALL = statement(
  'kyt.dead-letters',
  `${LETTERS} AND w.discarded_at IS NULL ORDER BY w.transaction_ref LIMIT $1`,
  LETTER_SHAPE,
);

const LIST = statement(
  'kyt.list-dead-letters',
  `${LETTERS} AND w.organisation_id = $1 AND ($2::uuid IS NULL OR w.transaction_ref > $2)
     AND ($3::text IS NULL OR w.failure_code = $3) AND ($4::text IS NULL OR w.failure_stage = $4)
     AND ($5::text IS NULL OR t.type = $5) AND (w.discarded_at IS NOT NULL) = $6
   ORDER BY w.transaction_ref LIMIT $7`,
  LETTER_SHAPE,
);

const FIND = statement(
  'kyt.find-dead-letter',
  `${LETTERS} AND w.organisation_id = $1 AND w.transaction_ref = $2`,
  LETTER_SHAPE,
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

@Injectable()
export class DeadLetterRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Lists the dead letters of every organisation that are not discarded, the oldest first. */
  listOfAllOrganisations(reader: Reader, limit: number): Promise<DeadLetterRecord[]> {
    return execute(reader, ALL, [limit]);
  }

  /** Lists dead letters, the oldest first; at most `limit`. */
  list(
    organisationId: string,
    filter: DeadLetterFilter,
    after: string | null,
    limit: number,
  ): Promise<DeadLetterRecord[]> {
    return this.uow.rows(organisationId, LIST, [
      organisationId,
      after,
      filter.code ?? null,
      filter.stage ?? null,
      filter.type ?? null,
      filter.discarded ?? false,
      limit,
    ]);
  }

  async find(organisationId: string, transactionRef: string): Promise<DeadLetterRecord | null> {
    const [row] = await this.uow.rows(organisationId, FIND, [organisationId, transactionRef]);
    return row ?? null;
  }

  /** Queues dead letters again, with new attempts, unless they are discarded. */
  async replay(tx: Tx, refs: readonly string[]): Promise<ReplayedTransaction[]> {
    const revived = await tx
      .createQueryBuilder()
      .update(KytWorkEntity)
      .set({
        status: 'QUEUED',
        attempts: 0,
        generation: () => 'generation + 1',
        dueAt: () => `now() + interval '60 seconds'`,
        failureCode: null,
        failureStage: null,
      })
      .where({ transactionRef: In([...refs]), status: 'DEAD_LETTERED', discardedAt: IsNull() })
      .returning('transaction_ref AS id, organisation_id AS "organisationId", generation')
      .execute();
    return revived.raw as ReplayedTransaction[];
  }

  /** Discards dead letters that still have these generations and are not discarded; returns their transactions. */
  async discard(tx: Tx, refs: readonly string[], generations: readonly number[]): Promise<string[]> {
    const rows = await execute(tx, DISCARD, [sqlArray.uuids(refs), sqlArray.plain(generations)]);
    return rows.map(({ id }) => id);
  }
}

/** A transaction that was queued again, with its new generation. */
interface ReplayedTransaction {
  readonly id: string;
  readonly organisationId: string;
  readonly generation: number;
}
