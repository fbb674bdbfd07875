import type { BlindIndex, SubjectRef } from '../../../../platform/privacy/index.js';
import type { Participant, Submission } from './submission.js';

/** Keyed hashes that group transactions; the values themselves are only in the encrypted body. */
export interface GroupingKeys {
  readonly document: Buffer | null;
  readonly customer: Buffer | null;
  /** The institution's id of the customer. */
  readonly external: Buffer | null;
  readonly account: Buffer | null;
  readonly device: Buffer | null;
  readonly ip: Buffer | null;
  readonly counterparty: Buffer | null;
  readonly card: Buffer | null;
}

/** The people whose data keys encrypt the parts of the submission. */
export interface SubmissionSubjects {
  readonly main: SubjectRef;
  /** Participants with a full document that is not the customer's: their part is encrypted under their own key. */
  readonly origin: SubjectRef | null;
  readonly destination: SubjectRef | null;
}

type IndexOf = Pick<BlindIndex, 'computeIndex'>;

/** The parts of a submission from which its keys and subjects follow. */
export type KeyedSubmission = Pick<
  Submission,
  | 'taxId'
  | 'externalCustomerId'
  | 'direction'
  | 'origin'
  | 'destination'
  | 'deviceId'
  | 'ipAddress'
  | 'cardId'
>;

/** Returns the customer's side and the counterparty's; `other` is null if the direction is unknown. */
function sidesOf(submission: KeyedSubmission): { own: Participant; other: Participant | null } {
  const { origin, destination } = submission;
  if (submission.direction.value === 'IN') return { own: destination, other: origin };
  // If the direction is unknown, the origin counts as the customer's account, and there is no counterparty.
  return { own: origin, other: submission.direction.value === 'OUT' ? destination : null };
}

/**
 * Computes the grouping keys. The customer is known by document, so that a person is one customer under all ids; if
 * there is none, by the institution's id; else by account.
 */
export function computeGroupingKeys(
  index: IndexOf,
  organisationId: string,
  submission: KeyedSubmission,
): GroupingKeys {
  const indexOf = (
    kind: Parameters<IndexOf['computeIndex']>[1],
    value: string | null | undefined,
  ): Buffer | null =>
    value === null || value === undefined ? null : index.computeIndex(organisationId, kind, value);
  const { own, other } = sidesOf(submission);
  const document = fullDocument(submission.taxId);
  const documentKey = indexOf('document', document);
  const external = indexOf('customer', submission.externalCustomerId);
  const account = indexOf('account', own.accountReference);
  return {
    document: documentKey,
    customer: documentKey ?? external ?? account,
    external,
    account,
    device: indexOf('device', submission.deviceId),
    ip: indexOf('ip', submission.ipAddress),
    card: indexOf('card', submission.cardId),
    counterparty:
      indexOf('document', fullDocument(other?.taxId ?? null)) ??
      // A wallet may be sent in either of two members; it is the same counterparty in both.
      indexOf('account', other?.accountReference ?? other?.walletReference),
  };
}

/**
 * Chooses the person whose key encrypts each part: by document first, so that one key covers a person under all ids. A
 * part that names nobody is encrypted under a key of its month, which is destroyed when its retention ends.
 */
export function submissionSubjectsOf(
  index: IndexOf,
  organisationId: string,
  submission: KeyedSubmission,
  receivedAt: Date,
): SubmissionSubjects {
  const subject = (kind: Parameters<IndexOf['computeIndex']>[1], value: string): SubjectRef => ({
    organisationId,
    index: index.computeIndex(organisationId, kind, value),
  });
  const document = fullDocument(submission.taxId);
  const account = sidesOf(submission).own.accountReference;
  let main: SubjectRef;
  if (document !== null) main = subject('document', document);
  else if (submission.externalCustomerId !== null) main = subject('customer', submission.externalCustomerId);
  else if (account !== null) main = subject('account', account);
  else main = subject('unattributed', receivedAt.toISOString().slice(0, 7));
  const other = (participant: Participant): SubjectRef | null => {
    const participantDocument = fullDocument(participant.taxId);
    return participantDocument === null || participantDocument === document
      ? null
      : subject('document', participantDocument);
  };
  return { main, origin: other(submission.origin), destination: other(submission.destination) };
}

const fullDocument = (taxId: Submission['taxId']): string | null =>
  taxId && !taxId.isMasked ? taxId.canonical() : null;
