import { isName } from '../../../platform/kernel/values/canonical/missing-name.js';
import type { TaxId } from '../../../platform/kernel/values/tax-id.js';
import type { BlindIndex, SubjectRef } from '../../../platform/privacy/index.js';
import type { CustomerProfile, PersonType } from './customer.js';

/** A customer as a transaction or a session names one. */
export interface CustomerObservation {
  readonly organisationId: string;
  readonly clientAppId: string | null;
  readonly externalCustomerId: string | null;
  readonly taxId: TaxId | null;
  readonly name: string | null;
  readonly birthDate: string | null;
  readonly by: 'KYT' | 'SESSION' | 'OPERATOR';
  readonly requestId: string | null;
  readonly correlationId: string;
  readonly traceparent: string | null;
  /** True if new customers are not announced, because the observation is history and not news. */
  readonly quiet?: boolean;
}

/** An observation with the keys by which its customer is found. */
export interface KeyedObservation extends CustomerObservation {
  readonly external: Buffer | null;
  readonly document: Buffer | null;
  readonly masked: Buffer | null;
  readonly subject: SubjectRef;
}

type IndexOf = Pick<BlindIndex, 'of'>;

/**
 * Returns the subject whose data key protects a customer: by document first, so that one key covers a person under
 * all customer ids; the same as for the person's transactions, so that one erasure covers both. Null when nobody is
 * named.
 */
export function customerSubject(
  index: IndexOf,
  {
    organisationId,
    externalCustomerId,
    taxId,
  }: Pick<CustomerObservation, 'organisationId' | 'externalCustomerId' | 'taxId'>,
): SubjectRef | null {
  if (taxId && !taxId.isMasked) {
    return { organisationId, index: index.of(organisationId, 'document', taxId.canonical()) };
  }
  return externalCustomerId === null
    ? null
    : { organisationId, index: index.of(organisationId, 'customer', externalCustomerId) };
}

/** The observation with its keys; null when it names nobody: neither an id nor a full document. */
export function withKeys(index: IndexOf, observation: CustomerObservation): KeyedObservation | null {
  const subject = customerSubject(index, observation);
  if (!subject) return null;
  const { organisationId, externalCustomerId, taxId } = observation;
  return {
    organisationId,
    clientAppId: observation.clientAppId,
    externalCustomerId,
    taxId,
    name: nameIn(observation),
    birthDate: observation.birthDate,
    by: observation.by,
    requestId: observation.requestId,
    correlationId: observation.correlationId,
    traceparent: observation.traceparent,
    quiet: observation.quiet === true,
    subject,
    external: externalCustomerId === null ? null : index.of(organisationId, 'customer', externalCustomerId),
    document: taxId && !taxId.isMasked ? index.of(organisationId, 'document', taxId.canonical()) : null,
    masked:
      taxId?.kind === 'CPF'
        ? index.of(organisationId, 'document-masked', taxId.canonical().slice(3, 9))
        : null,
  };
}

const nameIn = ({ name }: CustomerObservation): string | null =>
  name !== null && isName(name) ? name : null;

export const profileOf = (observation: CustomerObservation): CustomerProfile => ({
  name: nameIn(observation),
  ...documentsOf(observation.taxId),
  externalCustomerId: observation.externalCustomerId,
  birthDate: observation.birthDate,
  nationalities: [],
});

const documentsOf = (taxId: TaxId | null): Pick<CustomerProfile, 'document' | 'documentMasked'> => ({
  document: taxId && !taxId.isMasked ? taxId.canonical() : null,
  documentMasked: taxId?.isMasked === true ? taxId.canonical() : null,
});

/** A CNPJ is a company's; with a CPF or without a document the customer counts as a natural person for now. */
export const personTypeOf = ({ taxId }: CustomerObservation): PersonType =>
  taxId?.kind === 'CNPJ' ? 'LEGAL' : 'NATURAL';
