import type { IngestSource } from '../submission/prepared-transaction.js';
import {
  legacyToSubmission,
  toSubmission,
  type Submission,
  type SubmittedLegacyTransaction,
  type SubmittedTransaction,
} from '../submission/submission.js';

type Json = Readonly<Record<string, unknown>>;

/** A decrypted body, with the version of its format. */
export interface VersionedBody {
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
 * The version of the field names in new bodies. Bodies are stored as sent, with the names of `Submitted…`. If a field
 * gets another name or meaning after the first release, a new version is added, and its bodies are read beside the old
 * ones. An optional field needs none: an older body does not name it.
 */
export const BODY_VERSION = 1;

/** Maps a stored body without validation: ingest has validated it, and the encryption proves that it is unchanged. */
export function mapStoredBody(
  { version, body }: VersionedBody,
  { source, receivedAt, transactionId }: StoredBodyContext,
): Submission {
  if (version !== BODY_VERSION) throw new UnknownBodyVersionError(version);
  return source === 'INGEST'
    ? toSubmission(body as unknown as SubmittedTransaction, receivedAt.getTime())
    : legacyToSubmission(body as unknown as SubmittedLegacyTransaction, {
        receivedAt,
        idempotencyKey: transactionId,
      });
}

/** Thrown if a body has a version that this release cannot read. */
export class UnknownBodyVersionError extends Error {
  constructor(version: number) {
    super(`a stored body has version ${version}, which this release cannot read`);
    this.name = 'UnknownBodyVersion';
  }
}
