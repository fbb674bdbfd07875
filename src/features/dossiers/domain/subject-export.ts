import type { DossierInstitution } from './dossier.js';
import { punctuatedTaxId } from './tax-id-text.js';
import type { ArchivedTransaction, CustomerFile, Participant, PersonAnswers } from './sources.js';
import { pick } from '../../../platform/kernel/pick.js';

export interface SubjectPerson {
  readonly name: string | null;
  readonly document: string | null;
  readonly externalCustomerId: string | null;
  readonly birthDate: string | null;
  readonly nationalities: readonly string[];
  readonly personType: string | null;
  readonly knownSince: string;
}

export interface SubjectFile {
  readonly id: string;
  readonly kind: string;
  readonly side: string | null;
  readonly mimeType: string;
  readonly receivedAt: string;
}

export interface SubjectDeclaration {
  readonly field: string;
  readonly value: string;
  readonly by: string;
  readonly at: string;
}

export interface SubjectAnswer {
  readonly question: string;
  readonly answer: string;
}

export interface SubjectSession {
  readonly name: string;
  readonly submittedAt: string | null;
  readonly answers: readonly SubjectAnswer[];
}

export interface SubjectParty {
  readonly name: string | null;
  readonly document: string | null;
  readonly account: string | null;
  readonly country: string | null;
}

export interface SubjectTransaction {
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

/** The data stored about a person, without conclusions drawn from them. */
export interface SubjectExport {
  readonly id: string;
  readonly generatedAt: string;
  readonly institution: DossierInstitution | null;
  readonly person: SubjectPerson;
  readonly declared: readonly SubjectDeclaration[];
  readonly sessions: readonly SubjectSession[];
  readonly files: readonly SubjectFile[];
  iterateTransactions(): AsyncGenerator<readonly SubjectTransaction[]>;
}

export const subjectPersonOf = ({ profile, personType, identifiedAt }: CustomerFile): SubjectPerson => ({
  name: profile?.name ?? null,
  document: profile?.document ? punctuatedTaxId(profile.document) : (profile?.documentMasked ?? null),
  externalCustomerId: profile?.externalCustomerId ?? null,
  birthDate: profile?.birthDate ?? null,
  nationalities: profile?.nationalities ?? [],
  personType,
  knownSince: identifiedAt.toISOString(),
});

/** Returns the declarations of a profile with their authors, without `segment`, which is the institution's opinion. */
export function declarationsOf({ profile }: CustomerFile): SubjectDeclaration[] {
  if (!profile?.declared) return [];
  const { asOf, from, ...members } = profile.declared;
  return Object.entries(members).flatMap(([field, value]) => {
    if (value === null || field === 'segment') return [];
    const source = from?.[field as keyof typeof from] ?? { by: 'OPERATOR', at: asOf };
    return [{ field, value: String(value), by: source.by, at: source.at }];
  });
}

export const toSubjectSession = ({ session, flowName, answers }: PersonAnswers): SubjectSession => ({
  name: flowName,
  submittedAt: session.submittedAt?.toISOString() ?? null,
  answers: answers.flatMap(({ label, text }) => (text === null ? [] : [{ question: label, answer: text }])),
});

/**
 * Returns the submitted data of a transaction; null if its content was erased. Leaves out the metadata, in which
 * integrators may write opinions about people, and the status, which may reveal a review.
 */
export function toSubjectTransaction(
  transaction: ArchivedTransaction,
  ownDocument: string | null,
): SubjectTransaction | null {
  const { submission } = transaction;
  if (!submission) return null;
  return {
    ...pick(transaction, 'transactionId', 'type', 'channel', 'direction', 'amount', 'currency'),
    occurredAt: transaction.occurredAt.toISOString(),
    origin: partyOf(submission.origin, ownDocument),
    destination: partyOf(submission.destination, ownDocument),
  };
}

function partyOf(
  { name, taxId, accountReference, walletReference, country }: Participant,
  ownDocument: string | null,
): SubjectParty {
  const isOwn = taxId !== null && !taxId.isMasked && taxId.canonical() === ownDocument;
  return {
    name,
    document: isOwn ? punctuatedTaxId(taxId.canonical()) : (taxId?.maskedText ?? null),
    account: accountReference ?? walletReference,
    country,
  };
}
