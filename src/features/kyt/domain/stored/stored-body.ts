import type { IngestSource } from '../../ingest/prepared-transaction.js';
import {
  legacyToSubmission,
  toSubmission,
  type Submission,
  type SubmittedLegacyTransaction,
  type SubmittedParticipant,
  type SubmittedPerson,
  type SubmittedTransaction,
} from '../submission/submission.js';

type Json = Readonly<Record<string, unknown>>;

/** A decrypted body, with the version of its format. */
export interface StoredBody {
  readonly version: number;
  readonly body: Json;
}

/** Columns of the transaction that are needed to map its body. */
export interface StoredBodyContext {
  readonly source: IngestSource;
  readonly receivedAt: Date;
  readonly transactionId: string;
}

/**
 * The version of the field names in new bodies, which are stored as they were sent. If a field is renamed or added, a
 * new version with its own reader is added, and the old readers stay. Until the first release version 1 may still
 * change.
 */
export const BODY_VERSION = 1;

/** Maps a stored body without validation: ingest has validated it, and the encryption proves that it is unchanged. */
export function readStored(
  { version, body }: StoredBody,
  { source, receivedAt, transactionId }: StoredBodyContext,
): Submission {
  if (version !== BODY_VERSION) throw new UnknownBodyVersion(version);
  return source === 'INGEST'
    ? toSubmission(ingestOf(body as unknown as IngestBodyV1), receivedAt.getTime())
    : legacyToSubmission(legacyOf(body as unknown as LegacyBodyV1), {
        receivedAt,
        idempotencyKey: transactionId,
      });
}

/** The body was stored by a release that this one does not know. */
export class UnknownBodyVersion extends Error {
  constructor(version: number) {
    super(`a stored body has version ${version}, which this release cannot read`);
    this.name = 'UnknownBodyVersion';
  }
}

/** Version 1. The names are those in the database and stay when the classes of the API rename theirs. */
export interface IngestBodyV1 {
  readonly transactionId: string;
  readonly externalCustomerId?: string | null;
  readonly cpfCnpj?: string | null;
  readonly type: string;
  readonly channel: string;
  readonly amount: number;
  readonly currency: string;
  readonly occurredAt: string;
  readonly origin: ParticipantV1;
  readonly destination: ParticipantV1;
  readonly metadata?: Json | null;
}

export interface ParticipantV1 {
  readonly name?: string | null;
  readonly cpfCnpj?: string | null;
  readonly accountReference?: string | null;
  readonly bankReference?: string | null;
  readonly walletReference?: string | null;
  readonly country?: string | null;
  readonly people?: readonly PersonV1[] | null;
  readonly metadata?: Json | null;
}

export interface PersonV1 {
  readonly role: 'OWNER' | 'REPRESENTATIVE';
  readonly name: string;
  readonly cpfCnpj?: string | null;
  readonly birthDate?: string | null;
  readonly nationality?: string | null;
}

export interface LegacyBodyV1 {
  readonly transactionId?: string | null;
  readonly customer: LegacyCustomerV1;
  readonly amount: number;
  readonly currency?: string | null;
  readonly type?: string | null;
  readonly metadata?: Json | null;
}

export interface LegacyCustomerV1 {
  readonly id?: string | null;
  readonly name?: string | null;
  readonly document?: string | null;
}

const ingestOf = (body: IngestBodyV1): Required<SubmittedTransaction> => ({
  transactionId: body.transactionId,
  externalCustomerId: body.externalCustomerId ?? null,
  cpfCnpj: body.cpfCnpj ?? null,
  type: body.type,
  channel: body.channel,
  amount: body.amount,
  currency: body.currency,
  occurredAt: body.occurredAt,
  origin: participantOf(body.origin),
  destination: participantOf(body.destination),
  metadata: body.metadata ?? null,
});

const participantOf = (body: ParticipantV1): Required<SubmittedParticipant> => ({
  name: body.name ?? null,
  cpfCnpj: body.cpfCnpj ?? null,
  accountReference: body.accountReference ?? null,
  bankReference: body.bankReference ?? null,
  walletReference: body.walletReference ?? null,
  country: body.country ?? null,
  people: body.people?.map(personOf) ?? null,
  metadata: body.metadata ?? null,
});

const personOf = (body: PersonV1): Required<SubmittedPerson> => ({
  role: body.role,
  name: body.name,
  cpfCnpj: body.cpfCnpj ?? null,
  birthDate: body.birthDate ?? null,
  nationality: body.nationality ?? null,
});

const legacyOf = (body: LegacyBodyV1): Required<SubmittedLegacyTransaction> => ({
  transactionId: body.transactionId ?? null,
  customer: {
    id: body.customer.id ?? null,
    name: body.customer.name ?? null,
    document: body.customer.document ?? null,
  },
  amount: body.amount,
  currency: body.currency ?? null,
  type: body.type ?? null,
  metadata: body.metadata ?? null,
});
