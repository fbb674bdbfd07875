import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/database/index.js';
import type { TransactionStatus } from '../domain/status.js';
import {
  SELECT_BODY,
  FIND_FIRST_SUBMISSIONS,
  SUBMISSION_KEYS,
  type SubmissionKey,
} from './ingest.statements.js';
import type { KytTransactionEntity } from './entities.js';

/** The original submission of a transaction id that was submitted more than once. */
export interface FirstSubmission extends Readonly<
  Pick<KytTransactionEntity, 'id' | 'fingerprint' | 'requestId' | 'correlationId'>
> {
  readonly status: TransactionStatus;
  readonly warnings: readonly string[];
}

/** Reads original submissions, to compare repeated submissions with them. */
@Injectable()
export class IngestRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Finds the original submission of each id, in the order of `rows`. */
  async findFirst(rows: readonly SubmissionKey[]): Promise<(FirstSubmission | undefined)[]> {
    const firstSubmissions = await this.uow.rows(
      rows.map((row) => row.organisationId),
      FIND_FIRST_SUBMISSIONS,
      SUBMISSION_KEYS.arrays(rows),
    );
    const firsts = new Array<FirstSubmission | undefined>(rows.length).fill(undefined);
    for (const row of firstSubmissions) {
      firsts[Number(row.i) - 1] = {
        id: row.id,
        fingerprint: row.fingerprint,
        requestId: row.requestId,
        correlationId: row.correlationId,
        status: row.status,
        warnings: row.warnings ?? [],
      };
    }
    return firsts;
  }

  async readSealedBody(organisationId: string, id: string): Promise<Buffer | null> {
    const [row] = await this.uow.rows(organisationId, SELECT_BODY, [organisationId, id]);
    return row?.sealedBody ?? null;
  }
}
