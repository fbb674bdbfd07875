import {
  RULESET_ALTERED,
  type ComponentName,
  type Evidence,
  type FactSheet,
  type FeatureSource,
  type Finding,
  type Findings,
  type LiveRulesets,
} from '../../../rules/index.js';
import type { PersonBehindCompany, StoredStanding } from '../../../customers/index.js';
import type { OpenTransaction } from '../claimed.js';
import type { PartyHit } from '../review-need.js';
import { documentsDirection, type Submission } from '../submission/submission.js';

/**
 * Collects facts for a whole batch, sets them in the sheets and returns the findings about its components. Modules
 * add their own (lists, profiles); the pipeline calls all of them, in order. If a provider fails, its facts and
 * components are ERROR, never absent and never zero; a required component without a finding is MISSING_INPUT.
 */
export interface FactProvider {
  readonly components: readonly ComponentName[];
  /** The provider sets the features of these sources; all of them are ERROR when it fails. */
  readonly sources: readonly FeatureSource[];
  /** One finding per transaction, in order; a sheet belongs to the transaction at its place, and so do the parties. */
  find(
    batch: readonly OpenTransaction[],
    sheets: readonly FactSheet[],
    parties: IdentifiedParties[],
  ): Promise<readonly Findings[]>;
  /** As `find`, for transactions that are not stored: writes and sends nothing. Required if `find` does either. */
  dryRun?(
    batch: readonly OpenTransaction[],
    sheets: readonly FactSheet[],
    parties: IdentifiedParties[],
  ): Promise<readonly Findings[]>;
}

/** The customer of a transaction, and the results of screening its parties. */
export interface IdentifiedParties {
  readonly customerId: string | null;
  /** The key of the customer's record: of the document when it has one. */
  readonly subjectIndex: Buffer | null;
  readonly hits: readonly PartyHit[];
  /** The facts about the customer beside transactions; null if there are none. */
  readonly standing: StoredStanding | null;
  /** The owners and representatives who count for the customer. */
  readonly people: readonly PersonBehindCompany[];
  /** True if later transactions of the parties may have been evaluated without this one. */
  readonly cameLate: boolean;
  /** Rules whose alerts two people have lately found to be nothing. */
  readonly settled: DismissedAlertAmounts;
}

/** Rules whose alerts about a customer were false positives, with the largest amount that was looked at, in reais. */
export type DismissedAlertAmounts = ReadonlyMap<string, number>;

/** Used if nobody was identified. */
export const NO_PARTIES: IdentifiedParties = {
  customerId: null,
  subjectIndex: null,
  hits: [],
  standing: null,
  people: [],
  cameLate: false,
  settled: new Map(),
};

/** The findings about a transaction, with its parties: they decide about reviews and step-ups, not about the score. */
export interface CollectedEvidence extends Evidence {
  readonly parties: IdentifiedParties;
}

/** The evidence about a transaction that is to be evaluated. */
export interface TransactionEvidence extends CollectedEvidence {
  /** The rulesets that were live when the facts were collected: the sheet holds what their rules read. */
  readonly live: LiveRulesets;
}

/** The dependency-injection token under which the pipeline gets every provider. */
export const FACT_PROVIDERS = Symbol('vigia.fact-providers');

/** Says how well the customer is identified: PARTIAL by a masked document, NO_HIT by an id or a full one. */
export function identityOf({ submission, receivedAt }: OpenTransaction): Finding {
  const found = { source: 'submission', asOf: receivedAt.toISOString() };
  if (submission.taxId?.isMasked === true) return { state: 'PARTIAL', reason: 'DOCUMENT_MASKED', ...found };
  if (submission.taxId || submission.externalCustomerId !== null) return { state: 'NO_HIT', ...found };
  return { state: 'MISSING_INPUT', reason: 'NO_CUSTOMER_ID_AND_NO_DOCUMENT', ...found };
}

/** Says how well the counterparty is known; an assumed direction leaves that open unless one person is on both sides. */
export function counterpartyOf({ submission, receivedAt }: OpenTransaction): Finding {
  const found = { source: 'submission', asOf: receivedAt.toISOString() };
  const { value, source } = submission.direction;
  if (value === null) return { state: 'MISSING_INPUT', reason: 'DIRECTION_UNKNOWN', ...found };
  const other = value === 'IN' ? submission.origin : submission.destination;
  const named = other.taxId ?? other.accountReference ?? other.walletReference;
  if (named === null) return { state: 'MISSING_INPUT', reason: 'COUNTERPARTY_NOT_IDENTIFIED', ...found };
  if (source === 'TYPE_DEFAULT' && !isSameHolder(submission)) {
    return { state: 'PARTIAL', reason: 'DIRECTION_ASSUMED', ...found };
  }
  if (other.taxId?.isMasked === true) return { state: 'PARTIAL', reason: 'DOCUMENT_MASKED', ...found };
  return { state: 'NO_HIT', ...found };
}

/** Returns codes of facts that contradict each other; a score over them would be an accident. */
export function contradictionsOf(submission: Submission, sheet: FactSheet): string[] {
  const { taxId, origin, destination, direction } = submission;
  const customer = fullDocument(taxId);
  const from = fullDocument(origin.taxId);
  const to = fullDocument(destination.taxId);
  const elsewhere = customer !== null && from !== null && to !== null && customer !== from && customer !== to;
  const told = documentsDirection(submission);
  const reversed = direction.source === 'METADATA' && told !== null && told !== direction.value;
  return [
    ...(elsewhere ? ['CUSTOMER_IS_NEITHER_PARTY'] : []),
    ...(reversed ? ['DIRECTION_AGAINST_DOCUMENTS'] : []),
    ...(sumLacksTransaction(sheet, direction.value) ? ['AGGREGATE_BELOW_TRANSACTION'] : []),
  ];
}

/** A sum over a window that includes the transaction is at least its amount; if not, something was not counted. */
function sumLacksTransaction({ schema, numbers }: FactSheet, direction: string | null): boolean {
  if (direction === null) return false;
  const sum = schema.get(direction === 'IN' ? 'incoming.sum24h' : 'outgoing.sum24h').slot;
  const amount = schema.get('amountBrl').slot;
  // NaN, for what is not known, compares as false.
  return (numbers[sum] ?? NaN) < (numbers[amount] ?? NaN);
}

/** Combines the findings of all providers about one transaction. */
export const assembleEvidence = (
  { submission }: OpenTransaction,
  sheet: FactSheet,
  findings: readonly Findings[],
  parties: IdentifiedParties,
): CollectedEvidence => ({
  sheet,
  parties,
  findings: Object.assign({}, ...findings) as Findings,
  contradictions: contradictionsOf(submission, sheet),
});

const isSameHolder = ({ origin, destination }: Submission): boolean =>
  fullDocument(origin.taxId) !== null && fullDocument(origin.taxId) === fullDocument(destination.taxId);

const fullDocument = (taxId: Submission['taxId']): string | null =>
  taxId && !taxId.isMasked ? taxId.canonical() : null;

/** Returns the evidence of a transaction that no ruleset may evaluate, because rulesets were altered. */
export function evidenceWithoutRuleset(found: TransactionEvidence, at: Date): TransactionEvidence {
  const RULES = { ...RULESET_ALTERED, asOf: at.toISOString() };
  return { ...found, findings: { ...found.findings, RULES } };
}
