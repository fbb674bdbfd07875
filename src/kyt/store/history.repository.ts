import { Injectable } from '@nestjs/common';
import { copyOut, literal, UnitOfWork } from '../../database/index.js';
import { firstUuidAt } from '../../kernel/index.js';
import { BacktestHistory, snapshotRefAt, type HistoryPiece, type HistoryRange } from '../../rules/index.js';

// A transaction may occur this long after it was received, by its sender's clock, and no longer (decisions, 3).
const EARLIEST_MS = 5 * 60_000;

/** Reads what first evaluations saw out of the evaluations themselves. */
@Injectable()
export class EvaluationHistory extends BacktestHistory {
  constructor(private readonly uow: UnitOfWork) {
    super();
  }

  async count({ organisationId, from, to }: HistoryRange): Promise<number> {
    const [row]: { count: number }[] = await this.uow.read(organisationId, (db) =>
      db.query(
        `SELECT count(*)::int AS count FROM kyt_transactions
         WHERE organisation_id = $1 AND id >= $2 AND occurred_at >= $3 AND occurred_at < $4`,
        [organisationId, earliest(from), from, to],
      ),
    );
    return row?.count ?? 0;
  }

  async next(
    { organisationId, from }: HistoryRange,
    after: string,
    limit: number,
  ): Promise<HistoryPiece | null> {
    const start = earliest(from);
    const { bytes, count, last } = await this.uow.read(organisationId, (db) =>
      copyOut(
        db,
        `SELECT transaction_ref, coalesce(risk_score, -1), outcome || '|' || brief, facts
         FROM kyt_evaluations
         WHERE organisation_id = ${literal(organisationId)} AND evaluation_version = 1
           AND transaction_ref > ${literal(after < start ? start : after)}
           AND brief IS NOT NULL AND facts IS NOT NULL
         ORDER BY transaction_ref LIMIT ${limit}`,
      ),
    );
    return count > 0 ? { bytes, last: snapshotRefAt(bytes, last) } : null;
  }
}

const earliest = (from: Date): string => firstUuidAt(new Date(from.getTime() - EARLIEST_MS));
