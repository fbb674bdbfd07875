import type { TaxId } from '../../kernel/tax-id.js';
import type { BlindIndex, SubjectRef } from '../../privacy/index.js';
import type { CustomerProfile, PersonType } from './customer.js';

/** A customer as a transaction or a session names one. */
export interface CustomerSighting {
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
}

/** A sighting with the keys by which its customer is found. */
export interface KeyedSighting extends CustomerSighting {
  readonly external: Buffer | null;
  readonly document: Buffer | null;
  readonly masked: Buffer | null;
  readonly subject: SubjectRef;
}

type IndexOf = Pick<BlindIndex, 'of'>;

/**
 * Whose data key protects a customer: by document first, so that one key covers a person under all customer ids; the
 * same as for the person's transactions, so that one erasure covers both. Null when nobody is named.
 */
export function customerSubject(
  index: IndexOf,
  {
    organisationId,
    externalCustomerId,
    taxId,
  }: Pick<CustomerSighting, 'organisationId' | 'externalCustomerId' | 'taxId'>,
): SubjectRef | null {
  if (taxId && !taxId.isMasked) {
    return { organisationId, index: index.of(organisationId, 'document', taxId.canonical()) };
  }
  return externalCustomerId === null
    ? null
    : { organisationId, index: index.of(organisationId, 'customer', externalCustomerId) };
}

/** The sighting with its keys; null when it names nobody: neither an id nor a full document. */
export function keyed(index: IndexOf, sighting: CustomerSighting): KeyedSighting | null {
  const subject = customerSubject(index, sighting);
  if (!subject) return null;
  const { organisationId, externalCustomerId, taxId } = sighting;
  return {
    organisationId,
    clientAppId: sighting.clientAppId,
    externalCustomerId,
    taxId,
    name: sighting.name,
    birthDate: sighting.birthDate,
    by: sighting.by,
    requestId: sighting.requestId,
    correlationId: sighting.correlationId,
    traceparent: sighting.traceparent,
    subject,
    external: externalCustomerId === null ? null : index.of(organisationId, 'customer', externalCustomerId),
    document: taxId && !taxId.isMasked ? index.of(organisationId, 'document', taxId.canonical()) : null,
    masked:
      taxId?.kind === 'CPF'
        ? index.of(organisationId, 'document-masked', taxId.canonical().slice(3, 9))
        : null,
  };
}

export const profileOf = ({
  name,
  taxId,
  externalCustomerId,
  birthDate,
}: CustomerSighting): CustomerProfile => ({
  name,
  document: taxId && !taxId.isMasked ? taxId.canonical() : null,
  documentMasked: taxId?.isMasked === true ? taxId.canonical() : null,
  externalCustomerId,
  birthDate,
  nationalities: [],
});

/** A CPF is a person's and a CNPJ a company's; without either it is taken for a person until something says otherwise. */
export const personTypeOf = ({ taxId }: CustomerSighting): PersonType =>
  taxId?.kind === 'CNPJ' ? 'LEGAL' : 'NATURAL';
