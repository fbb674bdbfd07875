import { Injectable } from '@nestjs/common';
import { And, LessThan, MoreThanOrEqual } from 'typeorm';
import {
  columns,
  copyOut,
  statement,
  UnitOfWork,
  type CopiedRows,
} from '../../../platform/database/index.js';
import { firstUuidAt } from '../../../platform/kernel/index.js';
import { KytEvaluationEntity, KytTransactionEntity } from './entities.js';

// A transaction may occur at most this long after its receipt, because the sender's clock may be ahead (decisions, 3).
const EARLIEST_MS = 5 * 60_000;

const SEEN = statement(
  'kyt.first-evaluations',
  `SELECT transaction_ref, coalesce(risk_score, -1) AS score, outcome || '|' || brief AS brief, facts
   FROM kyt_evaluations
   WHERE organisation_id = $1 AND evaluation_version = 1 AND transaction_ref > $2
     AND brief IS NOT NULL AND facts IS NOT NULL
   ORDER BY transaction_ref LIMIT $3`,
  { ...columns(KytEvaluationEntity, 'transactionRef', 'facts'), score: 'integer', brief: 'text' },
);

/** Reads first evaluations of a time, for back-tests. */
@Injectable()
export class EvaluationHistoryQueries {
  constructor(private readonly uow: UnitOfWork) {}

  count(organisationId: string, from: Date, to: Date): Promise<number> {
    const occurredAt = And(MoreThanOrEqual(from), LessThan(to));
    return this.uow.read(organisationId, (db) =>
      db.countBy(KytTransactionEntity, { organisationId, id: MoreThanOrEqual(firstIdAt(from)), occurredAt }),
    );
  }

  /** Returns the next evaluations after an id as the bytes that PostgreSQL copies out. */
  read(organisationId: string, from: Date, after: string, limit: number): Promise<CopiedRows> {
    const start = firstIdAt(from);
    return this.uow.read(organisationId, (db) =>
      copyOut(db, SEEN, [organisationId, after < start ? start : after, limit]),
    );
  }
}

const firstIdAt = (from: Date): string => firstUuidAt(new Date(from.getTime() - EARLIEST_MS));
