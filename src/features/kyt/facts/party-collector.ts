import { Injectable } from '@nestjs/common';
import type { CustomerObservation, IdentificationResult } from '../../customers/index.js';
import { required } from '../../../platform/kernel/index.js';
import { canonicalValue, kindsByForm } from '../../../platform/kernel/values/canonical/canonical-value.js';
import type { TaxId } from '../../../platform/kernel/values/tax-id.js';
import { BlindIndex, type SubjectRef } from '../../../platform/privacy/index.js';
import { isComparable, type ListedValue, type ScreenedParty, type PartyRole } from '../../screening/index.js';
import type { DecryptedTransaction } from '../domain/claimed.js';
import type { RelatedPerson } from '../domain/submission/people.js';
import type { Participant, Submission } from '../domain/submission/submission.js';

export interface PartiesToScreen {
  readonly transaction: DecryptedTransaction;
  readonly customer: IdentificationResult | null;
  readonly own: Participant;
  readonly parties: readonly ScreenedParty[];
}

/** Lists the parties to screen: customer, counterparty, and the owners and representatives of both. */
@Injectable()
export class PartyCollector {
  constructor(private readonly index: BlindIndex) {}

  collect(transaction: DecryptedTransaction, customer: IdentificationResult | null): PartiesToScreen {
    const { submission } = transaction;
    const ownIsDestination = submission.direction.value === 'IN';
    const ownParticipant = ownSide(submission);
    const other = ownIsDestination ? submission.origin : submission.destination;
    const parties = [
      this.toParty(
        transaction,
        'CUSTOMER',
        { ...ownParticipant, taxId: ownParticipant.taxId ?? submission.taxId },
        customer,
      ),
      this.toParty(transaction, ownIsDestination ? 'ORIGIN' : 'DESTINATION', other, null),
      ...[...(ownParticipant.people ?? []), ...(other.people ?? [])].map((one) =>
        this.personBehind(transaction, one),
      ),
    ]
      .filter((party) => party !== null)
      // A decision about a hit holds for one customer only, because others may deal with the same person.
      .map((party) =>
        party.role === 'CUSTOMER' ? party : { forCustomerId: customer?.customerId ?? null, ...party },
      );
    return { transaction, customer, own: ownParticipant, parties };
  }

  /** Returns a participant as a party to screen; null if there is nothing to compare. */
  private toParty(
    { id, organisationId, submission }: DecryptedTransaction,
    role: PartyRole,
    participant: Participant,
    customer: IdentificationResult | null,
  ): ScreenedParty | null {
    const { name, taxId } = participant;
    const values = valuesOf(participant, role === 'CUSTOMER' ? submission : null);
    if (name === null && values.length === 0) return null;
    const { document, visibleDigits, kind } = identityOf(taxId);
    const birthDate = participant.metadata['birthDate'];
    return {
      role,
      name,
      kind,
      facts: {
        document,
        visibleDigits,
        birthDate: typeof birthDate === 'string' && /^\d{4}(-\d\d-\d\d)?$/.test(birthDate) ? birthDate : null,
        nationalities: [],
      },
      values,
      subject: customer
        ? { organisationId, index: customer.subjectIndex }
        : this.subjectOf(organisationId, document, name, values),
      customerId: customer?.customerId ?? null,
      transactionRef: id,
    };
  }

  /** Returns an owner or representative as a party to screen. */
  private personBehind({ id, organisationId }: DecryptedTransaction, person: RelatedPerson): ScreenedParty {
    const { role, name, taxId, birthDate, nationality } = person;
    const { document, visibleDigits, kind } = identityOf(taxId);
    const values: ListedValue[] = document === null ? [] : [{ type: 'DOCUMENT', value: document }];
    const nationalities = nationality === null ? [] : [nationality];
    return {
      ...{ role, name, kind, values, customerId: null, transactionRef: id },
      facts: { document, visibleDigits, birthDate, nationalities },
      subject: this.subjectOf(organisationId, document, name, values),
    };
  }

  /** Returns the subject of hits about another party than the customer: by document, else name, else account. */
  private subjectOf(
    organisationId: string,
    document: string | null,
    name: string | null,
    values: readonly ListedValue[],
  ): SubjectRef {
    if (document !== null) {
      return { organisationId, index: this.index.computeIndex(organisationId, 'document', document) };
    }
    if (name !== null) {
      return { organisationId, index: this.index.computeIndex(organisationId, 'name', name.toLowerCase()) };
    }
    const { value } = required(values[0], 'what a party is known by');
    return { organisationId, index: this.index.computeIndex(organisationId, 'account', value) };
  }
}

/** Returns the kind of person, and the full document or the visible digits of a masked document. */
function identityOf(
  taxId: TaxId | null,
): Pick<ScreenedParty, 'kind'> & Pick<ScreenedParty['facts'], 'document' | 'visibleDigits'> {
  const digits = taxId?.kind === 'CPF' ? taxId.canonical().slice(3, 9) : '';
  return {
    kind: taxId === null ? 'UNKNOWN' : taxId.kind === 'CPF' ? 'PERSON' : 'ORGANISATION',
    document: taxId && !taxId.isMasked ? taxId.canonical() : null,
    visibleDigits: /^\d{6}$/.test(digits) ? digits : null,
  };
}

/** Metadata keys of a participant that may hold an identifier that sanctions lists also have. */
const IDENTIFIERS = ['passportNumber', 'nationalId', 'foreignTaxId', 'vesselNumber', 'identifier'] as const;

function valuesOf(participant: Participant, submission: Submission | null): ListedValue[] {
  const { taxId, accountReference, walletReference, metadata } = participant;
  const values: ListedValue[] = [];
  const add = (type: ListedValue['type'], value: unknown): void => {
    const canonical = typeof value === 'string' ? canonicalValue(type, value) : null;
    if (canonical === null || values.some((one) => one.type === type && one.value === canonical)) return;
    values.push({ type, value: canonical });
  };
  const { pixKey } = metadata;
  if (taxId && !taxId.isMasked) add('DOCUMENT', taxId.canonical());
  add('ACCOUNT', accountReference);
  add('WALLET', walletReference);
  add('PIX_KEY', pixKey);
  // A PIX key that is a document is the document of its holder.
  add('DOCUMENT', pixKey);
  for (const text of [accountReference, walletReference, pixKey]) {
    if (typeof text === 'string') for (const type of kindsByForm(text)) add(type, text);
  }
  for (const key of IDENTIFIERS) add('IDENTIFIER', metadata[key]);
  if (submission) {
    add('DEVICE', submission.deviceId);
    add('IP', submission.ipAddress);
  }
  return values;
}

/**
 * Returns the customer's side. Drops a name that screening cannot compare, so that the customer record does not store
 * it and takes the next comparable name.
 */
function ownSide({ direction, origin, destination, taxId }: Submission): Participant {
  const ownParticipant = direction.value === 'IN' ? destination : origin;
  const isNamed =
    ownParticipant.name !== null &&
    isComparable(ownParticipant.name, identityOf(ownParticipant.taxId ?? taxId).kind);
  return isNamed ? ownParticipant : { ...ownParticipant, name: null };
}

/** Returns the transaction's data about its customer, for the identification. */
export const observationOf = (transaction: DecryptedTransaction): CustomerObservation => {
  const { submission } = transaction;
  const ownParticipant = ownSide(submission);
  return {
    organisationId: transaction.organisationId,
    clientAppId: transaction.clientAppId,
    externalCustomerId: submission.externalCustomerId,
    taxId: submission.taxId ?? ownParticipant.taxId,
    name: ownParticipant.name,
    birthDate: null,
    by: 'KYT',
    requestId: transaction.requestId,
    correlationId: transaction.correlationId,
    traceparent: transaction.traceparent,
  };
};
