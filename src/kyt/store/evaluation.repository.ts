import { Injectable } from '@nestjs/common';
import { among, sqlArray, type Clause } from '../../database/index.js';
import type { ConcludedTransaction } from '../conclusion.js';

const EVALUATED = `INSERT INTO kyt_evaluations
    (transaction_ref, evaluation_version, organisation_id, outcome, recommended_action, risk_score, risk_level,
     composition, defensible, ruleset_id, receipt, receipt_hash, trail_hash, evaluated_at, facts,
     brief)
  SELECT s.* FROM unnest($1::uuid[], $2::int[], $3::uuid[], $4::text[], $5::text[], $6::int[], $7::text[],
                         $8::text[], $9::boolean[], $10::uuid[], $11::text[], $12::bytea[], $13::bytea[],
                         $14::timestamptz[], $15::bytea[], $16::text[])
    AS s (transaction_ref, evaluation_version, organisation_id, outcome, recommended_action, risk_score, risk_level,
          composition, defensible, ruleset_id, receipt, receipt_hash, trail_hash, evaluated_at, facts, brief)`;

/** Stores evaluations; they are never changed. */
@Injectable()
export class EvaluationRepository {
  /** A clause that stores the evaluations of those transactions whose id an earlier clause returned. */
  insertClause(rows: readonly ConcludedTransaction[], onlyFor: string): Clause {
    return {
      name: 'evaluated',
      text: `${EVALUATED} WHERE ${among('s.transaction_ref', onlyFor)}`,
      values: columns(rows),
    };
  }
}

function columns(rows: readonly ConcludedTransaction[]): unknown[] {
  const { plain, text, bytes, uuids, instants } = sqlArray;
  return [
    uuids(rows.map((row) => row.transaction.id)),
    plain(rows.map((row) => row.evaluationVersion)),
    uuids(rows.map((row) => row.transaction.organisationId)),
    plain(rows.map((row) => row.evaluation.outcome)),
    plain(rows.map((row) => row.evaluation.recommendedAction)),
    plain(rows.map((row) => row.evaluation.score)),
    plain(rows.map((row) => row.evaluation.level)),
    plain(rows.map((row) => row.evaluation.composition)),
    plain(rows.map((row) => row.evaluation.defensible)),
    uuids(rows.map((row) => row.ruleset?.id ?? null)),
    text(rows.map((row) => row.receipt.text)),
    bytes(rows.map((row) => row.receipt.hash)),
    bytes(rows.map((row) => row.evaluated.hash)),
    instants(rows.map((row) => row.evaluatedAt)),
    bytes(rows.map((row) => row.receipt.facts)),
    text(rows.map((row) => row.brief)),
  ];
}
