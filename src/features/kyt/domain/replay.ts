import { canonicalJson, canonicalJsonWithout } from '../../../platform/kernel/values/canonical-json.js';
import { digestOf } from '../../../platform/kernel/values/digest.js';
import {
  compileRuleset,
  contentHashOf,
  decodeFacts,
  evaluate,
  RULESET_ALTERED,
  FactSheet,
  evaluationSchema,
  knownFormulas,
  unpackFacts,
  type ChallengeFlows,
  type ComponentName,
  type Evidence,
  type Feature,
  type FeatureSchema,
  type FeatureSource,
  type ComponentFinding,
  type IntegrityFlag,
  type ComponentFindings,
  type ListLookup,
  type PublishedRuleset,
  type RulesetContent,
  type SuppressionReason,
} from '../../rules/index.js';
import {
  inputHashOf,
  receiptOf,
  type LateTrigger,
  type ReceiptComponents,
  type ReceiptInput,
  type ReceiptParts,
} from './receipt.js';
import { mapStoredBody } from './stored/stored-body.js';
import { setCustomFieldFacts, setMetadataFacts, setTransactionFacts } from './facts/transaction-facts.js';

const FORMAT = 'vigia-receipt/1';
/** The body version of the submission in a bundle of that format. */
export const BUNDLED_BODY_VERSION = 1;

/** A decision receipt with everything that is needed to repeat the evaluation outside of the service. */
export interface ReceiptBundle {
  /** `vigia-receipt/1`. */
  readonly format: string;
  /** Canonical JSON, exactly as it was hashed. */
  readonly receipt: string;
  /** SHA-256 of the receipt, in hexadecimal, as in the completed event and the audit trail. */
  readonly receiptHash: string;
  /** Base64. */
  readonly facts: string;
  /** The deciding ruleset, the champion that it replaced, and the shadow rulesets, by content hash. */
  readonly rulesets: Readonly<Record<string, RulesetContent>>;
  /** The submission; null when the person was erased. */
  readonly input: ReceiptInput | null;
}

/** The result of a verification. `problems` is empty when everything is unchanged. */
export interface ReplayReport {
  readonly problems: readonly string[];
  readonly score: number | null;
  readonly receiptHash: string;
}

/** The fields of a stored receipt that a replay needs. */
export interface StoredReceipt {
  readonly formula: number;
  readonly transactionRef: string;
  readonly evaluationVersion: number;
  readonly evaluatedAt: string;
  readonly inputHash: string;
  readonly factsHash: string;
  readonly contradictions: readonly string[];
  readonly unconfirmed?: readonly string[];
  readonly otherwise?: Evidence['otherwise'];
  readonly ruleset: Pin | null;
  readonly champion?: Pin;
  readonly silenced?: Readonly<Record<string, SuppressionReason>>;
  readonly challengeFlows?: ChallengeFlows;
  readonly marks?: readonly IntegrityFlag[];
  readonly trailIntact: boolean;
  readonly trail: ReceiptParts['trail'];
  readonly components: ReceiptComponents;
  readonly shadows?: readonly Pin[];
  readonly trigger?: LateTrigger;
}

interface Pin {
  readonly key: string;
  readonly version: number;
  readonly contentHash: string;
}

/**
 * Evaluates again from the bundle alone, and compares: receipt, facts and submission with their hashes, the facts that
 * the submission determines, the rulesets with their hashes, and last the whole receipt, byte by byte. Never throws:
 * unreadable bytes are one of the problems.
 */
export function verifyBundle(text: string): ReplayReport {
  let bundle: ReceiptBundle;
  try {
    bundle = JSON.parse(text) as ReceiptBundle;
    // The bundle must serialise to the same text, so that repeated or unknown keys cannot hide content.
    if (JSON.stringify(knownBundleFields(bundle)) !== text.trimEnd()) throw new Error('not a bundle');
  } catch {
    return { problems: ['NOT_READABLE'], score: null, receiptHash: '' };
  }
  return verifyReceipt(bundle);
}

/** Returns the known fields of a bundle, in their fixed order. */
export const knownBundleFields = ({
  format,
  receipt,
  receiptHash,
  facts,
  rulesets,
  input,
}: ReceiptBundle): ReceiptBundle => ({
  format,
  receipt,
  receiptHash,
  facts,
  rulesets,
  input: input && {
    source: input.source,
    transactionId: input.transactionId,
    receivedAt: input.receivedAt,
    body: input.body,
  },
});

export function verifyReceipt(bundle: ReceiptBundle): ReplayReport {
  if (bundle.format !== FORMAT) return { problems: ['NOT_READABLE'], score: null, receiptHash: '' };
  const receiptHash = digestOf(bundle.receipt);
  if (receiptHash !== bundle.receiptHash) {
    return { problems: ['RECEIPT_DOES_NOT_MATCH_ITS_HASH'], score: null, receiptHash };
  }
  try {
    return replay(bundle, receiptHash);
  } catch {
    return { problems: ['NOT_READABLE'], score: null, receiptHash };
  }
}

function replay(bundle: ReceiptBundle, receiptHash: string): ReplayReport {
  const storedReceipt = JSON.parse(bundle.receipt) as StoredReceipt;
  const problems: string[] = [];
  if (!knownFormulas.includes(storedReceipt.formula)) problems.push('FORMULA_IS_NOT_KNOWN');
  const facts = Buffer.from(bundle.facts, 'base64');
  if (facts.toString('base64') !== bundle.facts || digestOf(facts) !== storedReceipt.factsHash) {
    problems.push('FACTS_DO_NOT_MATCH_THEIR_HASH');
  }
  for (const [hash, content] of Object.entries(bundle.rulesets)) {
    if (prepare(content).hash !== hash) problems.push('RULESET_DOES_NOT_MATCH_ITS_HASH');
  }
  const rulesets = new Rulesets(bundle.rulesets, problems);
  const ruleset = rulesets.find(storedReceipt.ruleset);
  const champion = rulesets.find(storedReceipt.champion ?? null);
  const shadows = (storedReceipt.shadows ?? []).map((pin) => rulesets.find(pin));
  if (problems.length > 0) return { problems, score: null, receiptHash };
  const judging = [ruleset, ...shadows].filter((one) => one !== null);
  const { sheet, withheld } = decodeFacts(facts, evaluationSchema(judging));
  problems.push(...restoreAndCompareFacts(sheet, withheld, bundle.input, storedReceipt.inputHash));
  const evidence: Evidence = {
    sheet,
    findings: providerFindingsOf(storedReceipt.components),
    contradictions: storedReceipt.contradictions,
    unconfirmed: storedReceipt.unconfirmed,
    otherwise: storedReceipt.otherwise,
  };
  const silenced = new Map(Object.entries(storedReceipt.silenced ?? {}));
  const { trailIntact, evaluatedAt, challengeFlows, marks } = storedReceipt;
  const context = { trailIntact, asOf: evaluatedAt, silenced, challengeFlows, marks };
  const evaluation = evaluate(evidence, ruleset, context);
  const again = receiptOf({
    ...storedReceipt,
    evidence,
    ruleset,
    silenced,
    evaluation,
    champion,
    shadows: shadows.flatMap((shadow) =>
      shadow ? [{ ruleset: shadow, evaluation: evaluate(evidence, shadow, context) }] : [],
    ),
  });
  // Only `factsHash` may differ: the sheet now holds the personal facts, which are not in the stored facts.
  if (withoutFactsHash(again.text) !== withoutFactsHash(bundle.receipt)) problems.push('REPLAY_DIFFERS');
  return { problems, score: evaluation.score, receiptHash };
}

function withoutFactsHash(receipt: string): string {
  return canonicalJsonWithout('factsHash', JSON.parse(receipt) as Record<string, unknown>);
}

const SUBMITTED: readonly FeatureSource[] = ['TRANSACTION', 'METADATA', 'DICT', 'CUSTOM'];

/**
 * Restores personal facts from the submission, and compares every fact that the submission determines. After an erasure
 * these facts stay unknown; the replay shows if a rule depended on one.
 */
function restoreAndCompareFacts(
  sheet: FactSheet,
  withheld: readonly Feature[],
  input: ReceiptBundle['input'],
  inputHash: string,
): string[] {
  if (input === null) return [];
  if (inputHashOf(input) !== inputHash) return ['SUBMISSION_DOES_NOT_MATCH_ITS_HASH'];
  const receivedAt = new Date(input.receivedAt);
  const { source, body, transactionId } = input;
  const storedBody = { version: BUNDLED_BODY_VERSION, body };
  const submission = mapStoredBody(storedBody, { source, receivedAt, transactionId });
  const submittedFacts = restoreWithheldFacts(sheet, withheld, { submission, receivedAt });
  const differing = sheet.schema.features.find((feature) => {
    if (!SUBMITTED.includes(feature.source)) return false;
    const value = submittedFacts.valueAt(feature);
    return value !== null && canonicalJson(value) !== canonicalJson(sheet.valueAt(feature));
  });
  return differing ? [`SUBMISSION_CONTRADICTS_FACT:${differing.name}`] : [];
}

/** Restores the evidence of an evaluation from its stored facts; personal facts come from the transaction. */
export function restoreEvaluationInputs(
  transaction: Parameters<typeof restoreWithheldFacts>[2],
  { components }: Pick<StoredReceipt, 'components'>,
  facts: Buffer,
  /** The schema of the rulesets that evaluate now. Stored facts that only other rulesets declared are skipped. */
  { schema, lists }: { readonly schema: FeatureSchema; readonly lists: ListLookup },
): { readonly sheet: FactSheet; readonly findings: ComponentFindings } {
  const { sheet, withheld } = decodeFacts(unpackFacts(facts), schema, lists);
  restoreWithheldFacts(sheet, withheld, transaction);
  return { sheet, findings: providerFindingsOf(components) };
}

/** Restores personal facts, which are not stored. Returns every fact that the submission determines. */
export function restoreWithheldFacts(
  sheet: FactSheet,
  withheld: readonly Feature[],
  { submission, receivedAt }: Parameters<typeof setTransactionFacts>[1],
): FactSheet {
  const submittedFacts = new FactSheet(sheet.schema);
  setTransactionFacts(submittedFacts, { submission, receivedAt });
  setMetadataFacts(submittedFacts, submission);
  setCustomFieldFacts(submittedFacts, submission);
  for (const feature of withheld) {
    const value = submittedFacts.valueAt(feature);
    if (value !== null) sheet.setAt(feature, value);
  }
  return submittedFacts;
}

/** Returns the findings of the providers before rules and failed facts changed them. */
export function providerFindingsOf(components: ReceiptComponents): ComponentFindings {
  const findings: Partial<Record<ComponentName, ComponentFinding>> = {};
  for (const [key, component] of Object.entries(components)) {
    const name = key as ComponentName;
    if (component.source === 'none') continue;
    if (name === 'RULES' && component.reason !== RULESET_ALTERED.reason) continue;
    const { state, source, asOf, reason, hits, marks, terms, found } = component;
    findings[name] = found ?? {
      state,
      source,
      asOf,
      ...(reason === undefined ? {} : { reason }),
      ...(hits === undefined ? {} : { hits }),
      ...(marks === undefined ? {} : { marks }),
      ...(terms === undefined ? {} : { terms }),
    };
  }
  return findings;
}

interface Prepared {
  readonly hash: string;
  readonly compiled: PublishedRuleset['compiled'] | null;
}

// Verifying many receipts of one ruleset hashes and compiles it once.
const preparations = new WeakMap<RulesetContent, Prepared>();

function prepare(content: RulesetContent): Prepared {
  let cachedPreparation = preparations.get(content);
  if (!cachedPreparation) {
    const result = compileRuleset(content);
    cachedPreparation = { hash: contentHashOf(content), compiled: result.ok ? result.ruleset : null };
    preparations.set(content, cachedPreparation);
  }
  return cachedPreparation;
}

/** The rulesets of a bundle. `find` returns a ruleset only if it has the pinned hash. */
class Rulesets {
  constructor(
    private readonly contents: Readonly<Record<string, RulesetContent>>,
    private readonly problems: string[],
  ) {}

  find(pin: Pin | null): PublishedRuleset | null {
    if (pin === null) return null;
    const content = Object.hasOwn(this.contents, pin.contentHash)
      ? this.contents[pin.contentHash]
      : undefined;
    const rulesetName = `${pin.key}@${pin.version}`;
    if (!content) return this.refuse(`RULESET_IS_NOT_IN_THE_BUNDLE:${rulesetName}`);
    const { compiled } = prepare(content);
    if (!compiled) return this.refuse(`RULESET_CANNOT_BE_COMPILED:${rulesetName}`);
    return { id: '', contentHash: pin.contentHash, content, compiled };
  }

  private refuse(problem: string): null {
    this.problems.push(problem);
    return null;
  }
}
