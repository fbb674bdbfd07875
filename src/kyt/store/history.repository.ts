import { Injectable } from '@nestjs/common';
import { And, LessThan, MoreThanOrEqual } from 'typeorm';
import { columns, copyOut, statement, UnitOfWork } from '../../database/index.js';
import { firstUuidAt } from '../../kernel/index.js';
import { BacktestHistory, snapshotRefAt, type HistoryPiece, type HistoryRange } from '../../rules/index.js';
import { KytEvaluationEntity } from './entities/kyt-evaluation.entity.js';
import { KytTransactionEntity } from './entities/kyt-transaction.entity.js';

// A transaction may occur this long after it was received, by its sender's clock, and no longer (decisions, 3).
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

/** Reads what first evaluations saw out of the evaluations themselves. */
@Injectable()
export class EvaluationHistory extends BacktestHistory {
  constructor(private readonly uow: UnitOfWork) {
    super();
  }

  count({ organisationId, from, to }: HistoryRange): Promise<number> {
    const occurredAt = And(MoreThanOrEqual(from), LessThan(to));
    return this.uow.read(organisationId, (db) =>
      db.countBy(KytTransactionEntity, { organisationId, id: MoreThanOrEqual(earliest(from)), occurredAt }),
    );
  }

  async next(
    { organisationId, from }: HistoryRange,
    after: string,
    limit: number,
  ): Promise<HistoryPiece | null> {
    const start = earliest(from);
    const { bytes, count, last } = await this.uow.read(organisationId, (db) =>
      copyOut(db, SEEN, [organisationId, after < start ? start : after, limit]),
    );
    return count > 0 ? { bytes, last: snapshotRefAt(bytes, last) } : null;
  }
}

const earliest = (from: Date): string => firstUuidAt(new Date(from.getTime() - EARLIEST_MS));
