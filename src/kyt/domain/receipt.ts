import { createHash } from 'node:crypto';
import { canonicalJson } from '../../kernel/canonical-json.js';
import type { Evaluation, Evidence, PublishedRuleset } from '../../rules/index.js';
import type { OpenTransaction } from './claimed.js';

/** Everything that an evaluation read and decided, in the form that is hashed. */
export interface DecisionReceipt {
  /** Canonical JSON. */
  readonly text: string;
  readonly hash: Buffer;
}

// Bound into the receipt; a later formula gets a later number.
const FORMULA = 1;

/** Writes down what was read and what was decided, so that it can be checked without the database. */
export function receiptOf(
  transaction: OpenTransaction,
  evidence: Evidence,
  evaluation: Evaluation,
  ruleset: PublishedRuleset | null,
  evaluationVersion: number,
  evaluatedAt: Date,
): DecisionReceipt {
  const text = canonicalJson({
    formula: FORMULA,
    transactionRef: transaction.id,
    evaluationVersion,
    evaluatedAt: evaluatedAt.toISOString(),
    inputHash: sha256(canonicalJson(transaction.body)).toString('hex'),
    facts: evidence.facts,
    contradictions: evaluation.contradictions,
    ruleset: ruleset
      ? { key: ruleset.content.key, version: ruleset.content.version, contentHash: ruleset.contentHash }
      : null,
    verdicts: evaluation.verdicts.map((verdict) => ({
      ruleId: verdict.rule.id,
      version: verdict.rule.version,
      result: verdict.result,
      observed: verdict.observed,
      reason: verdict.reason,
      points: verdict.result === 'HIT' ? verdict.rule.points : 0,
    })),
    required: evaluation.required,
    components: evaluation.components,
    composition: evaluation.composition,
    score: evaluation.score,
    level: evaluation.level,
    defensible: evaluation.defensible,
    nonDefensibleReasons: evaluation.nonDefensibleReasons,
    outcome: evaluation.outcome,
    recommendedAction: evaluation.recommendedAction,
    reasons: evaluation.reasons,
    trail: transaction.trailEnd
      ? { seq: transaction.trailEnd.seq, hash: transaction.trailEnd.hash.toString('hex') }
      : null,
  });
  return { text, hash: sha256(text) };
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
