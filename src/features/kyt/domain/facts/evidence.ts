import {
  RULESET_ALTERED,
  type ComponentName,
  type Evidence,
  type FactSheet,
  type FeatureSource,
  type ComponentFinding,
  type ComponentFindings,
  type LiveRulesets,
} from '../../../rules/index.js';
import type { PersonBehindCompany, StoredRiskProfile } from '../../../customers/index.js';
import type { DecryptedTransaction } from '../claimed.js';
import type { PartyHit } from '../review-need.js';
import { documentsDirection, type Submission } from '../submission/submission.js';

/**
 * Collects facts for a batch, sets them in the sheets and returns the findings about its components. The pipeline calls
 * all providers, step by step. If a provider fails, its facts and components are ERROR, never absent and never zero; a
 * required component without a finding is MISSING_INPUT.
 */
export interface FactProvider {
  readonly components: readonly ComponentName[];
  /** The sources whose features the provider sets; all of them are ERROR if it fails. */
  readonly sources: readonly FeatureSource[];
  /**
   * Returns one element per transaction. All arrays have the same order; a provider may replace elements of `parties`.
   */
  find(
    batch: readonly DecryptedTransaction[],
    sheets: readonly FactSheet[],
    parties: IdentifiedParties[],
  ): Promise<readonly ComponentFindings[]>;
  /** Finds the facts of transactions that are not stored; writes and sends nothing. Required if `find` does either. */
  dryRun?(
    batch: readonly DecryptedTransaction[],
    sheets: readonly FactSheet[],
    parties: IdentifiedParties[],
  ): Promise<readonly ComponentFindings[]>;
}

/** The customer of a transaction, and the results of screening its parties. */
export interface IdentifiedParties {
  readonly customerId: string | null;
  /** Blind index of the customer's record: of the document if it has one. */
  readonly subjectIndex: Buffer | null;
  readonly hits: readonly PartyHit[];
  /** The stored facts about the customer, such as declarations and the risk level; null if there are none. */
  readonly standing: StoredRiskProfile | null;
  /** Owners and representatives of the customer, if it is a company: their hits and status count for the company. */
  readonly people: readonly PersonBehindCompany[];
  /** True if the transaction arrived late, so that later transactions may have been evaluated without it. */
  readonly cameLate: boolean;
  /** Rules whose alerts about the customer two people dismissed recently. */
  readonly settled: DismissedAlertAmounts;
}

/** Rules whose alerts about a customer were dismissed, each with the largest amount in reais of those alerts. */
export type DismissedAlertAmounts = ReadonlyMap<string, number>;

/** The initial value, before a provider identifies the customer. */
export const NO_PARTIES: IdentifiedParties = {
  customerId: null,
  subjectIndex: null,
  hits: [],
  standing: null,
  people: [],
  cameLate: false,
  settled: new Map(),
};

/** The findings about a transaction, and its parties, which decide about reviews and step-ups, not about the score. */
export interface CollectedEvidence extends Evidence {
  readonly parties: IdentifiedParties;
}

/** The evidence about a transaction that is to be evaluated. */
export interface TransactionEvidence extends CollectedEvidence {
  /** The rulesets that were live when the facts were collected; the sheet holds the facts that they read. */
  readonly live: LiveRulesets;
}

/** The dependency-injection token under which the pipeline gets every provider. */
export const FACT_PROVIDERS = Symbol('vigia.fact-providers');

/** All providers, by step. A provider may read facts that earlier steps have set, but none of its own step. */
export type FactProviderSteps = readonly (readonly FactProvider[])[];

/** Returns the finding of IDENTITY: PARTIAL for a masked document, NO_HIT for a full document or an id. */
export function identityFindingOf({ submission, receivedAt }: DecryptedTransaction): ComponentFinding {
  const found = { source: 'submission', asOf: receivedAt.toISOString() };
  if (submission.taxId?.isMasked === true) return { state: 'PARTIAL', reason: 'DOCUMENT_MASKED', ...found };
  if (submission.taxId || submission.externalCustomerId !== null) return { state: 'NO_HIT', ...found };
  return { state: 'MISSING_INPUT', reason: 'NO_CUSTOMER_ID_AND_NO_DOCUMENT', ...found };
}

/**
 * Returns the finding of COUNTERPARTY: PARTIAL for a masked document, or if the direction, which decides who is the
 * counterparty, was only assumed from the type.
 */
export function counterpartyFindingOf({ submission, receivedAt }: DecryptedTransaction): ComponentFinding {
  const found = { source: 'submission', asOf: receivedAt.toISOString() };
  const { value, source } = submission.direction;
  if (value === null) return { state: 'MISSING_INPUT', reason: 'DIRECTION_UNKNOWN', ...found };
  const other = value === 'IN' ? submission.origin : submission.destination;
  const identifier = other.taxId ?? other.accountReference ?? other.walletReference;
  if (identifier === null) return { state: 'MISSING_INPUT', reason: 'COUNTERPARTY_NOT_IDENTIFIED', ...found };
  if (source === 'TYPE_DEFAULT' && !isSameHolder(submission)) {
    return { state: 'PARTIAL', reason: 'DIRECTION_ASSUMED', ...found };
  }
  if (other.taxId?.isMasked === true) return { state: 'PARTIAL', reason: 'DOCUMENT_MASKED', ...found };
  return { state: 'NO_HIT', ...found };
}

/** Returns a code for each contradiction among the facts. A score over contradictory facts would be arbitrary. */
export function contradictionsOf(submission: Submission, sheet: FactSheet): string[] {
  const { taxId, origin, destination, direction } = submission;
  const customer = fullDocument(taxId);
  const from = fullDocument(origin.taxId);
  const to = fullDocument(destination.taxId);
  const elsewhere = customer !== null && from !== null && to !== null && customer !== from && customer !== to;
  const documented = documentsDirection(submission);
  const reversed = direction.source === 'METADATA' && documented !== null && documented !== direction.value;
  return [
    ...(elsewhere ? ['CUSTOMER_IS_NEITHER_PARTY'] : []),
    ...(reversed ? ['DIRECTION_AGAINST_DOCUMENTS'] : []),
    ...(sumLacksTransaction(sheet, direction.value) ? ['AGGREGATE_BELOW_TRANSACTION'] : []),
  ];
}

/**
 * True if the sum of the last 24 hours, which includes the transaction, is less than its amount: rows were not counted.
 */
function sumLacksTransaction({ schema, numbers }: FactSheet, direction: string | null): boolean {
  if (direction === null) return false;
  const sum = schema.get(direction === 'IN' ? 'incoming.sum24h' : 'outgoing.sum24h').slot;
  const amount = schema.get('amountBrl').slot;
  // An unknown value is NaN, which compares as false.
  return (numbers[sum] ?? NaN) < (numbers[amount] ?? NaN);
}

/** Combines the findings of all providers about one transaction. */
export const assembleEvidence = (
  { submission }: DecryptedTransaction,
  sheet: FactSheet,
  findings: readonly ComponentFindings[],
  parties: IdentifiedParties,
): CollectedEvidence => ({
  sheet,
  parties,
  findings: Object.assign({}, ...findings) as ComponentFindings,
  contradictions: contradictionsOf(submission, sheet),
});

const isSameHolder = ({ origin, destination }: Submission): boolean =>
  fullDocument(origin.taxId) !== null && fullDocument(origin.taxId) === fullDocument(destination.taxId);

const fullDocument = (taxId: Submission['taxId']): string | null =>
  taxId && !taxId.isMasked ? taxId.canonical() : null;

/** Returns the evidence of a transaction without a ruleset, because the stored rulesets were altered. */
export function evidenceWithoutRuleset(found: TransactionEvidence, at: Date): TransactionEvidence {
  const RULES = { ...RULESET_ALTERED, asOf: at.toISOString() };
  return { ...found, findings: { ...found.findings, RULES } };
}
