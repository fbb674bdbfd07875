import { canonicalJson } from '../../../platform/kernel/values/canonical-json.js';
import { digestOf, sha256 } from '../../../platform/kernel/values/digest.js';
import {
  encodeFacts,
  FORMULA,
  packFacts,
  type ChallengeFlows,
  type ScoreComponent,
  type ComponentName,
  type Evaluation,
  type Evidence,
  type ComponentFinding,
  type IntegrityFlag,
  type PublishedRuleset,
  type SuppressionReason,
} from '../../rules/index.js';
import { receiptPacking } from './stored/stored-packing.js';

/** Everything that an evaluation read and decided, as text, with its hash. */
export interface DecisionReceipt {
  /** Canonical JSON. */
  readonly text: string;
  /** SHA-256 of the text. */
  readonly hash: Buffer;
  readonly packed: Buffer;
  /** The facts, packed for storage. The receipt holds the hash of their unpacked form (`encodeFacts`). */
  readonly facts: Buffer;
}

/** The result of a challenger that runs in shadow and decides nothing. */
export interface ShadowResult {
  readonly ruleset: PublishedRuleset;
  readonly evaluation: Evaluation;
}

/** The late transactions that triggered this re-evaluation. */
export interface LateTrigger {
  readonly kind: 'LATE_EVENT';
  /** The stored ids of the late transactions. */
  readonly transactions: readonly string[];
}

export interface ReceiptParts {
  /** The version of the scoring formula: by default the current one; a replay uses the version of its receipt. */
  readonly formula?: number;
  readonly transactionRef: string;
  readonly evaluationVersion: number;
  readonly evaluatedAt: string;
  /** The hash of the canonical submission. */
  readonly inputHash: string;
  readonly evidence: Evidence;
  readonly ruleset: PublishedRuleset | null;
  readonly silenced: ReadonlyMap<string, SuppressionReason>;
  /** The states of the step-up sessions that the rules requested; absent if none was requested. */
  readonly challengeFlows?: ChallengeFlows | undefined;
  /** `SINGLE_CONTROL` if one person alone suppressed a rule. */
  readonly marks?: readonly IntegrityFlag[] | undefined;
  readonly trailIntact: boolean;
  /** The last audit entry of the transaction before the evaluation; null if there was none. */
  readonly trail: { readonly seq: number; readonly hash: string } | null;
  readonly evaluation: Evaluation;
  /** The live ruleset that a challenger replaced. */
  readonly champion: PublishedRuleset | null;
  readonly shadows: readonly ShadowResult[];
  /** Only if late transactions triggered the evaluation. */
  readonly trigger?: LateTrigger;
}

/** Builds the decision receipt, which can be verified without the database. */
export function receiptOf(parts: ReceiptParts): DecisionReceipt {
  const facts = encodeFacts(parts.evidence.sheet);
  const text = canonicalJson(receiptContentOf(parts, digestOf(facts)));
  return { text, hash: sha256(text), packed: receiptPacking.pack(text), facts: packFacts(facts) };
}

/** Returns the content of a receipt; its canonical JSON is hashed. */
export function receiptContentOf(parts: ReceiptParts, factsHash: string): object {
  const { evidence, evaluation, ruleset, champion } = parts;
  return {
    formula: parts.formula ?? FORMULA,
    transactionRef: parts.transactionRef,
    evaluationVersion: parts.evaluationVersion,
    evaluatedAt: parts.evaluatedAt,
    ...(parts.trigger ? { trigger: parts.trigger } : {}),
    inputHash: parts.inputHash,
    factsHash,
    contradictions: evidence.contradictions,
    ...(evidence.unconfirmed ? { unconfirmed: evidence.unconfirmed } : {}),
    ...(evidence.otherwise ? { otherwise: evidence.otherwise } : {}),
    ruleset: pinOf(ruleset),
    ...(champion ? { champion: pinOf(champion) } : {}),
    ...(parts.silenced.size > 0 ? { silenced: Object.fromEntries(parts.silenced) } : {}),
    ...(parts.challengeFlows ? { challengeFlows: parts.challengeFlows } : {}),
    ...(parts.marks ? { marks: parts.marks } : {}),
    trailIntact: parts.trailIntact,
    trail: parts.trail,
    ruleCount: evaluation.ruleCount,
    // Rules without an entry are NO_HIT.
    verdicts: evaluation.rules
      .filter(({ result }) => result !== 'NO_HIT')
      .map(({ rule, result, effect, points, pointsCertain, failed, explanation }) => ({
        ruleId: rule.definition.key,
        version: rule.definition.version,
        result,
        effect,
        points,
        ...(pointsCertain ? {} : { pointsCertain }),
        ...(failed ? { failed } : {}),
        explanation: explanation?.leaves ?? [],
      })),
    dampeners: evaluation.dampeners
      .filter(({ result }) => result !== 'NO_HIT')
      .map(({ dampener, result, effect, points }) => ({
        ruleId: dampener.definition.key,
        version: dampener.definition.version,
        result,
        effect,
        points,
      })),
    required: evaluation.required,
    exempt: evaluation.exempt,
    ...(evaluation.withoutInputs.length > 0 ? { withoutInputs: evaluation.withoutInputs } : {}),
    notEvaluated: evaluation.notEvaluated,
    components: componentsOf(evaluation, evidence),
    composition: evaluation.composition,
    groups: evaluation.groups,
    dampening: evaluation.dampening,
    score: evaluation.score,
    level: evaluation.level,
    defensible: evaluation.defensible,
    nonDefensibleReasons: evaluation.nonDefensibleReasons,
    outcome: evaluation.outcome,
    recommendedAction: evaluation.recommendedAction,
    reasons: evaluation.reasons,
    flags: evaluation.flags,
    actions: evaluation.actions,
    ...(parts.shadows.length > 0 ? { shadows: parts.shadows.map(shadowOf) } : {}),
  };
}

const pinOf = (
  ruleset: PublishedRuleset | null,
): { key: string; version: number; contentHash: string } | null =>
  ruleset && {
    key: ruleset.content.key,
    version: ruleset.content.version,
    contentHash: ruleset.contentHash,
  };

const shadowOf = ({ ruleset, evaluation }: ShadowResult): object => ({
  score: evaluation.score,
  outcome: evaluation.outcome,
  composition: evaluation.composition,
  hits: evaluation.rules
    .filter(({ result, effect }) => result === 'HIT' && effect === 'COUNTED')
    .map(({ rule }) => rule.definition.key),
  ...pinOf(ruleset),
});

/** The components of the result. `found` is the finding of the provider, if rules or failed facts changed it. */
export type ReceiptComponents = Readonly<
  Partial<Record<ComponentName, ScoreComponent & { readonly found?: ComponentFinding }>>
>;

function componentsOf({ components }: Evaluation, { findings }: Evidence): ReceiptComponents {
  const shownComponents: Partial<
    Record<ComponentName, ScoreComponent & { readonly found?: ComponentFinding }>
  > = {};
  for (const [key, component] of Object.entries(components)) {
    const name = key as ComponentName;
    const finding = findings[name];
    const hasChanged = finding && (finding.state !== component.state || finding.reason !== component.reason);
    shownComponents[name] = hasChanged ? { found: finding, ...component } : component;
  }
  return shownComponents;
}

/** A stored submission, with everything that is needed to read it. */
export interface ReceiptInput {
  readonly source: 'INGEST' | 'LEGACY';
  readonly transactionId: string;
  /** ISO 8601. */
  readonly receivedAt: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Returns the hash of the canonical form of a submission. */
export const inputHashOf = ({ source, transactionId, receivedAt, body }: ReceiptInput): string =>
  digestOf(canonicalJson({ source, transactionId, receivedAt, body }));
