import { isRealName } from '../../../platform/kernel/values/canonical/missing-name.js';
import type { TaxId } from '../../../platform/kernel/values/tax-id.js';
import type { BlindIndex, SubjectRef } from '../../../platform/privacy/index.js';
import type { CustomerProfile, PersonType } from './customer.js';

/** The data about a customer in one transaction or session. */
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
  /** True for imported history: a new customer causes no event. */
  readonly quiet?: boolean;
  /** True if one person alone says it: it neither merges records nor gives a known customer another id or document. */
  readonly keepsApart?: boolean;
}

/** An observation with the blind indexes that find its customer. */
export interface KeyedObservation extends CustomerObservation {
  readonly external: Buffer | null;
  readonly document: Buffer | null;
  readonly masked: Buffer | null;
  readonly subject: SubjectRef;
}

type IndexOf = Pick<BlindIndex, 'computeIndex'>;

/**
 * Returns the subject whose data key protects a customer: by document if there is one, so that one key covers all ids
 * of a person. Transactions use the same subject, so that one erasure covers both. Null if nobody is named.
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
    return { organisationId, index: index.computeIndex(organisationId, 'document', taxId.canonical()) };
  }
  return externalCustomerId === null
    ? null
    : { organisationId, index: index.computeIndex(organisationId, 'customer', externalCustomerId) };
}

/** Returns the observation with its blind indexes; null when it has neither an external id nor a full document. */
export function withBlindIndexes(index: IndexOf, observation: CustomerObservation): KeyedObservation | null {
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
    keepsApart: observation.keepsApart === true,
    subject,
    external:
      externalCustomerId === null ? null : index.computeIndex(organisationId, 'customer', externalCustomerId),
    document:
      taxId && !taxId.isMasked ? index.computeIndex(organisationId, 'document', taxId.canonical()) : null,
    masked:
      taxId?.kind === 'CPF'
        ? index.computeIndex(organisationId, 'document-masked', taxId.canonical().slice(3, 9))
        : null,
  };
}

const nameIn = ({ name }: CustomerObservation): string | null =>
  name !== null && isRealName(name) ? name : null;

export const profileOfObservation = (observation: CustomerObservation): CustomerProfile => ({
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

/**
 * Returns LEGAL for a CNPJ. With a CPF, or as long as no document is known, the customer counts as a natural person.
 */
export const personTypeOf = ({ taxId }: CustomerObservation): PersonType =>
  taxId?.kind === 'CNPJ' ? 'LEGAL' : 'NATURAL';
