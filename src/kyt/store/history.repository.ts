import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/index.js';
import { firstUuidAt } from '../../kernel/index.js';
import { BacktestHistory, type HistoryPiece, type HistoryRange } from '../../rules/index.js';

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

  // The pieces come in the order of the subquery; to sort them once more would cost a third of the reading.
  /** As one text, for the thread to decode: a thousand values cost the driver more than the whole back-test. */
  async next(
    { organisationId, from }: HistoryRange,
    after: string,
    limit: number,
  ): Promise<HistoryPiece | null> {
    const start = earliest(from);
    const [row]: { hex: string | null; count: number; last: string | null }[] = await this.uow.read(
      organisationId,
      (db) =>
        db.query(
          `SELECT encode(string_agg(uuid_send(ref) || int4send(coalesce(risk_score, -1))
                           || int4send(octet_length(said)) || said
                           || int4send(octet_length(facts)) || facts, ''::bytea), 'hex') AS hex,
                  count(*)::int AS count, max(ref::text) AS last
           FROM (SELECT e.transaction_ref AS ref, e.risk_score, e.facts,
                        convert_to(e.outcome || '|' || e.brief, 'UTF8') AS said
                 FROM kyt_evaluations e
                 WHERE e.organisation_id = $1 AND e.transaction_ref > $2 AND e.evaluation_version = 1
                   AND e.brief IS NOT NULL AND e.facts IS NOT NULL
                 ORDER BY e.transaction_ref LIMIT $3) AS piece`,
          [organisationId, after < start ? start : after, limit],
        ),
    );
    const { hex = null, count = 0, last = null } = row ?? {};
    return hex !== null && last !== null ? { hex, count, last } : null;
  }
}

const earliest = (from: Date): string => firstUuidAt(new Date(from.getTime() - EARLIEST_MS));
