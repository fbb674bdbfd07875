import type {
  OwnDeclarationView,
  OwnSessionView,
  OwnTransactionView,
  SubjectPartyView,
  SubjectPersonView,
} from '../api/dossier.dto.js';
import { punctuatedTaxId } from './tax-id-text.js';
import type { ArchivedTransaction, CustomerFile, Participant, SaidInSession } from './sources.js';

export const personOf = ({ profile, personType, identifiedAt }: CustomerFile): SubjectPersonView => ({
  name: profile?.name ?? null,
  document: profile?.document ? punctuatedTaxId(profile.document) : (profile?.documentMasked ?? null),
  externalCustomerId: profile?.externalCustomerId ?? null,
  birthDate: profile?.birthDate ?? null,
  nationalities: profile?.nationalities ?? [],
  personType,
  knownSince: identifiedAt.toISOString(),
});

/** The figures and facts of the profile, each with who wrote it down. A segment is the institution's view, not a datum. */
export function declarationsOf({ profile }: CustomerFile): OwnDeclarationView[] {
  if (!profile?.declared) return [];
  const { asOf, from, ...members } = profile.declared;
  return Object.entries(members).flatMap(([field, value]) => {
    if (value === null || field === 'segment') return [];
    const said = from?.[field as keyof typeof from] ?? { by: 'OPERATOR', at: asOf };
    return [{ field, value: String(value), by: said.by, at: said.at }];
  });
}

export const ownSessionOf = ({ session, flowName, answers }: SaidInSession): OwnSessionView => ({
  name: flowName,
  submittedAt: session.submittedAt?.toISOString() ?? null,
  answers: answers.flatMap(({ label, text }) => (text === null ? [] : [{ question: label, answer: text }])),
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
