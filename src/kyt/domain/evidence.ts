import {
  known,
  unknown,
  type Component,
  type ComponentName,
  type Evidence,
  type Fact,
} from '../../rules/index.js';
import type { OpenTransaction } from './claimed.js';
import type { Submission } from './submission.js';

type Found = Omit<Component, 'points'>;

/** What one provider contributes to the evidence of a transaction. */
export interface Contribution {
  readonly components: Readonly<Partial<Record<ComponentName, Found>>>;
  readonly customerCount24h?: Fact<number>;
}

/**
 * Finds out facts for a whole batch at once. Modules add their own (lists, profiles, devices); the pipeline asks
 * all of them. A provider that fails makes its components ERROR, never absent and never zero.
 */
export interface EvidenceProvider {
  readonly components: readonly ComponentName[];
  /** One contribution per transaction, in order. */
  contribute(batch: readonly OpenTransaction[]): Promise<readonly Contribution[]>;
}

/** The dependency-injection token under which the pipeline gets every provider. */
export const EVIDENCE_PROVIDERS = Symbol('vigia.evidence-providers');

/** Who the customer is: complete with an id or a full document, partial with a masked one. */
export function identityOf({ submission, receivedAt }: OpenTransaction): Found {
  const found = { source: 'submission', asOf: receivedAt.toISOString() };
  if (submission.taxId?.isMasked === true) return { ...found, state: 'PARTIAL', reason: 'DOCUMENT_MASKED' };
  if (submission.taxId || submission.externalCustomerId !== null) return { ...found, state: 'NO_HIT' };
  return { ...found, state: 'MISSING_INPUT', reason: 'NO_CUSTOMER_ID_AND_NO_DOCUMENT' };
}

/** Who the other side is. An assumed direction leaves open which side that is. */
export function counterpartyOf({ submission, receivedAt }: OpenTransaction): Found {
  const found = { source: 'submission', asOf: receivedAt.toISOString() };
  const { value, source } = submission.direction;
  if (value === null) return { ...found, state: 'MISSING_INPUT', reason: 'DIRECTION_UNKNOWN' };
  const other = value === 'IN' ? submission.origin : submission.destination;
  const named = other.taxId ?? other.accountReference ?? other.walletReference;
  if (named === null) return { ...found, state: 'MISSING_INPUT', reason: 'COUNTERPARTY_NOT_IDENTIFIED' };
  if (source === 'TYPE_DEFAULT') return { ...found, state: 'PARTIAL', reason: 'DIRECTION_ASSUMED' };
  if (other.taxId?.isMasked === true) return { ...found, state: 'PARTIAL', reason: 'DOCUMENT_MASKED' };
  return { ...found, state: 'NO_HIT' };
}

/** Facts that cannot all be true; a score over them would be an accident. */
export function contradictionsOf({ taxId, origin, destination }: Submission): string[] {
  const customer = fullDocument(taxId);
  const from = fullDocument(origin.taxId);
  const to = fullDocument(destination.taxId);
  const elsewhere = customer !== null && from !== null && to !== null && customer !== from && customer !== to;
  return elsewhere ? ['CUSTOMER_IS_NEITHER_PARTY'] : [];
}

/** Puts together what the providers found out about one transaction. */
export function assembleEvidence(
  transaction: OpenTransaction,
  contributions: readonly Contribution[],
): Evidence {
  const { submission } = transaction;
  const countries = [submission.origin.country, submission.destination.country].filter(
    (code) => code !== null,
  );
  const count = contributions.find((contribution) => contribution.customerCount24h)?.customerCount24h;
  return {
    facts: {
      type: submission.type,
      amount: known(submission.amount),
      currency: submission.currency,
      countries: countries.length > 0 ? known(countries) : unknown('NO_COUNTRY_GIVEN'),
      customerCount24h: count ?? unknown('VELOCITY_NOT_AVAILABLE'),
    },
    components: Object.assign(
      {},
      ...contributions.map((contribution) => contribution.components),
    ) as Evidence['components'],
    contradictions: contradictionsOf(submission),
  };
}

const fullDocument = (taxId: Submission['taxId']): string | null =>
  taxId && !taxId.isMasked ? taxId.canonical() : null;
