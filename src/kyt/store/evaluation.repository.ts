import { Injectable } from '@nestjs/common';
import { execute, sqlArray, type Tx } from '../../database/index.js';
import type { ConcludedTransaction } from '../conclusion.js';

const INSERT = {
  name: 'kyt-evaluations-insert',
  text: `INSERT INTO kyt_evaluations
           (transaction_ref, evaluation_version, organisation_id, outcome, recommended_action, risk_score, risk_level,
            composition, defensible, ruleset_id, receipt, receipt_hash, trail_hash, evaluated_at)
         SELECT * FROM unnest($1::uuid[], $2::int[], $3::uuid[], $4::text[], $5::text[], $6::int[], $7::text[],
                              $8::text[], $9::boolean[], $10::uuid[], $11::text[], $12::bytea[], $13::bytea[],
                              $14::timestamptz[])`,
};

/** Stores evaluations; they are never changed. */
@Injectable()
export class EvaluationRepository {
  async insert(tx: Tx, rows: readonly ConcludedTransaction[]): Promise<void> {
    const { plain, text, bytes } = sqlArray;
    await execute(tx, INSERT, [
      plain(rows.map((row) => row.transaction.id)),
      plain(rows.map((row) => row.evaluationVersion)),
      plain(rows.map((row) => row.transaction.organisationId)),
      plain(rows.map((row) => row.evaluation.outcome)),
      plain(rows.map((row) => row.evaluation.recommendedAction)),
      plain(rows.map((row) => row.evaluation.score)),
      plain(rows.map((row) => row.evaluation.level)),
      plain(rows.map((row) => row.evaluation.composition)),
      plain(rows.map((row) => row.evaluation.defensible)),
      plain(rows.map((row) => row.ruleset?.id ?? null)),
      text(rows.map((row) => row.receipt.text)),
      bytes(rows.map((row) => row.receipt.hash)),
      bytes(rows.map((row) => row.evaluated.hash)),
      plain(rows.map((row) => row.evaluatedAt.toISOString())),
    ]);
  }
}
