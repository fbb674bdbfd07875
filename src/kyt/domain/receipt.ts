import { canonicalJson } from '../../kernel/canonical-json.js';
import { digestOf, sha256 } from '../../kernel/digest.js';
import {
  encodeFacts,
  type Component,
  type ComponentName,
  type Evaluation,
  type Evidence,
  type Finding,
  type PublishedRuleset,
  type Silence,
} from '../../rules/index.js';

/** Everything that an evaluation read and decided, in the form that is hashed. */
export interface DecisionReceipt {
  /** Canonical JSON. */
  readonly text: string;
  readonly hash: Buffer;
  /** The facts that were read, as `encodeFacts` writes them; the receipt holds their hash. */
  readonly facts: Buffer;
}

/** What a challenger that is only watched would have decided. */
export interface ShadowResult {
  readonly ruleset: PublishedRuleset;
  readonly evaluation: Evaluation;
}

/** What a receipt is made of. */
export interface ReceiptParts {
  readonly transactionRef: string;
  readonly evaluationVersion: number;
  readonly evaluatedAt: string;
  /** Over the canonical submission. */
  readonly inputHash: string;
  readonly evidence: Evidence;
  readonly ruleset: PublishedRuleset | null;
  readonly silenced: ReadonlyMap<string, Silence>;
  readonly trailIntact: boolean;
  /** Where the audit trail of the transaction ended when it was evaluated; null when there was none. */
  readonly trail: { readonly seq: number; readonly hash: string } | null;
  readonly evaluation: Evaluation;
  /** The live ruleset that a challenger took the place of. */
  readonly champion: PublishedRuleset | null;
  readonly shadows: readonly ShadowResult[];
}

// Bound into the receipt; a later formula gets a later number.
export const FORMULA = 2;

/** Writes down what was read and what was decided, so that it can be checked without the database. */
export function receiptOf(parts: ReceiptParts): DecisionReceipt {
  const facts = encodeFacts(parts.evidence.sheet);
  const text = canonicalJson(contentOf(parts, digestOf(facts)));
  return { text, hash: sha256(text), facts };
}

/** The content of a receipt; its canonical JSON is what is hashed. */
export function contentOf(parts: ReceiptParts, factsHash: string): object {
  const { evidence, evaluation, ruleset, champion } = parts;
  return {
    formula: FORMULA,
    transactionRef: parts.transactionRef,
    evaluationVersion: parts.evaluationVersion,
    evaluatedAt: parts.evaluatedAt,
    inputHash: parts.inputHash,
    factsHash,
    contradictions: evidence.contradictions,
    ruleset: pinOf(ruleset),
    ...(champion ? { champion: pinOf(champion) } : {}),
    ...(parts.silenced.size > 0 ? { silenced: Object.fromEntries(parts.silenced) } : {}),
    trailIntact: parts.trailIntact,
    trail: parts.trail,
    ruleCount: evaluation.ruleCount,
    // A rule that is not named came out as NO_HIT.
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

/** Components as they came out, and beside those that rules or failed facts changed, what their provider had found. */
export type ReceiptComponents = Readonly<
  Partial<Record<ComponentName, Component & { readonly found?: Finding }>>
>;

function componentsOf({ components }: Evaluation, { findings }: Evidence): ReceiptComponents {
  const shown: Partial<Record<ComponentName, Component & { readonly found?: Finding }>> = {};
  for (const [key, component] of Object.entries(components)) {
    const name = key as ComponentName;
    const found = findings[name];
    const changed = found && (found.state !== component.state || found.reason !== component.reason);
    shown[name] = changed ? { found, ...component } : component;
  }
  return shown;
}

/** A submission as it was stored, with all that its reading depends on. */
export interface ReceiptInput {
  readonly source: 'INGEST' | 'LEGACY';
  readonly transactionId: string;
  /** ISO 8601. */
  readonly receivedAt: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The hash of a submission over its canonical form. */
export const inputHashOf = ({ source, transactionId, receivedAt, body }: ReceiptInput): string =>
  digestOf(canonicalJson({ source, transactionId, receivedAt, body }));
