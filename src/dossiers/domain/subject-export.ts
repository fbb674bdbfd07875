import type { OwnTransactionView, SubjectPartyView, SubjectPersonView } from '../api/dossier.dto.js';
import { punctuatedTaxId } from './tax-id-text.js';
import type { ArchivedTransaction, CustomerFile, Participant } from './sources.js';

export const personOf = ({ profile, personType, identifiedAt }: CustomerFile): SubjectPersonView => ({
  name: profile?.name ?? null,
  document: profile?.document ? punctuatedTaxId(profile.document) : (profile?.documentMasked ?? null),
  externalCustomerId: profile?.externalCustomerId ?? null,
  birthDate: profile?.birthDate ?? null,
  nationalities: profile?.nationalities ?? [],
  personType,
  knownSince: identifiedAt.toISOString(),
});

/**
 * Returns the submitted data of a transaction. Not its metadata, in which integrators may write what they think of
 * somebody; not its status, which may be waiting for a person. Null when its content is gone.
 */
export function ownTransactionOf(
  transaction: ArchivedTransaction,
  ownDocument: string | null,
): OwnTransactionView | null {
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
): SubjectPartyView {
  const own = taxId !== null && !taxId.isMasked && taxId.canonical() === ownDocument;
  return {
    name,
    document: own ? punctuatedTaxId(taxId.canonical()) : (taxId?.maskedText ?? null),
    account: accountReference ?? walletReference,
    country,
  };
}
