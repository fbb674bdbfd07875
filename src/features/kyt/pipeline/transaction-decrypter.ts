import { Injectable, Logger } from '@nestjs/common';
import type { ClaimedTransaction, DecryptedTransaction } from '../domain/claimed.js';
import { mapStoredBody, UnknownBodyVersionError } from '../domain/stored/stored-body.js';
import { BodyEncryption, type DecryptedBody } from '../ingest/body-encryption.js';
import type { EvaluationFailure } from './failure-handler.js';

export interface ReadResult {
  readonly transaction: ClaimedTransaction;
  readonly result: { readonly open: DecryptedTransaction } | { readonly failure: EvaluationFailure };
}

/** Decrypts stored bodies and maps them to submissions, by the same mapping as ingest. */
@Injectable()
export class TransactionDecrypter {
  private readonly logger = new Logger(TransactionDecrypter.name);

  constructor(private readonly bodyEncryption: BodyEncryption) {}

  async decryptAndRead(claimed: readonly ClaimedTransaction[]): Promise<ReadResult[]> {
    const decryptedBodies = await this.bodyEncryption.openMany(
      claimed.map((transaction) => ({
        transactionRef: transaction.id,
        organisationId: transaction.organisationId,
        bytes: transaction.sealedBody,
      })),
    );
    return claimed.map((transaction, i) => ({
      transaction,
      result: this.readSafely(transaction, decryptedBodies[i] ?? { kind: 'broken' }),
    }));
  }

  /** Maps a decrypted body to a submission. Never throws: one body that cannot be read must not fail its batch. */
  private readSafely(transaction: ClaimedTransaction, opened: DecryptedBody): ReadResult['result'] {
    try {
      return toReadResult(transaction, opened);
    } catch (error) {
      // Only the kind of the error is logged: its message may quote the body.
      const kind = error instanceof Error ? error.name : 'unknown error';
      this.logger.error(`the stored body of transaction ${transaction.id} cannot be mapped: ${kind}`);
      return { failure: { code: 'BODY_NOT_UNDERSTOOD', stage: 'OPEN' } };
    }
  }
}

function toReadResult(transaction: ClaimedTransaction, opened: DecryptedBody): ReadResult['result'] {
  switch (opened.kind) {
    case 'broken':
      return { failure: { code: 'SEALED_BODY_BROKEN', stage: 'OPEN' } };
    case 'erased':
      return { failure: { code: 'SUBJECT_ERASED', stage: 'OPEN' } };
    case 'open':
      return {
        open: { body: opened.body, submission: mapStoredBody(opened, transaction), ...transaction },
      };
    case 'unknown':
      throw new UnknownBodyVersionError(opened.version);
  }
}
