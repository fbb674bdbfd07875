import { punctuatedTaxId } from './tax-id-text.js';
import type { ArchivedTransaction, CustomerFile, Participant } from './sources.js';

/** The person as the records have them, in full. */
export interface SubjectPerson {
  readonly name: string | null;
  readonly document: string | null;
  readonly externalCustomerId: string | null;
  readonly birthDate: string | null;
  readonly nationalities: readonly string[];
  readonly personType: string | null;
  readonly knownSince: string;
}

/** Somebody in a transaction; of others no more of a document than anybody may see. */
export interface SubjectParty {
  readonly name: string | null;
  readonly document: string | null;
  readonly account: string | null;
  readonly country: string | null;
}

export interface OwnTransaction {
  readonly transactionId: string;
  readonly type: string;
  readonly channel: string;
  readonly direction: string | null;
  readonly amount: string;
  readonly currency: string;
  readonly occurredAt: string;
  readonly origin: SubjectParty;
  readonly destination: SubjectParty;
}

export interface SubjectExport {
  readonly id: string;
  readonly generatedAt: string;
  readonly person: SubjectPerson;
  readonly files: readonly {
    readonly kind: string;
    readonly side: string | null;
    readonly mimeType: string;
    readonly receivedAt: string;
  }[];
  transactions(): AsyncGenerator<readonly OwnTransaction[]>;
}

export const personOf = ({ profile, personType, identifiedAt }: CustomerFile): SubjectPerson => ({
  name: profile?.name ?? null,
  document: profile?.document ? punctuatedTaxId(profile.document) : (profile?.documentMasked ?? null),
  externalCustomerId: profile?.externalCustomerId ?? null,
  birthDate: profile?.birthDate ?? null,
  nationalities: profile?.nationalities ?? [],
  personType,
  knownSince: identifiedAt.toISOString(),
});

/**
 * What was submitted of a transaction. Not its metadata, in which integrators may write what they think of somebody; not
 * its status, which may be waiting for a person. Null when its content is gone.
 */
export function ownTransactionOf(
  transaction: ArchivedTransaction,
  ownDocument: string | null,
): OwnTransaction | null {
  const { submission } = transaction;
  if (!submission) return null;
  return {
    transactionId: transaction.transactionId,
    type: transaction.type,
    channel: transaction.channel,
    direction: transaction.direction,
    amount: transaction.amount,
    currency: transaction.currency,
    occurredAt: transaction.occurredAt.toISOString(),
    origin: partyOf(submission.origin, ownDocument),
    destination: partyOf(submission.destination, ownDocument),
  };
}

function partyOf(
  { name, taxId, accountReference, walletReference, country }: Participant,
  ownDocument: string | null,
): SubjectParty {
  const own = taxId !== null && !taxId.isMasked && taxId.canonical() === ownDocument;
  return {
    name,
    document: own ? punctuatedTaxId(taxId.canonical()) : (taxId?.maskedText ?? null),
    account: accountReference ?? walletReference,
    country,
  };
}
