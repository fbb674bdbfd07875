import { Injectable } from '@nestjs/common';
import { sqlArray, UnitOfWork, type Clause } from '../../database/index.js';
import type { TransactionStatus } from '../domain/status.js';
import type { PreparedTransaction } from '../prepared-transaction.js';
import { CREATED, SELECT_FIRST, WAITING } from './ingest.statements.js';

/** The first submission of a transaction id that came again. */
export interface FirstSubmission {
  readonly id: string;
  readonly fingerprint: Buffer;
  readonly requestId: string;
  readonly correlationId: string;
  readonly status: TransactionStatus;
  readonly warnings: readonly string[];
}

/** The write path of ingest. */
@Injectable()
export class IngestRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Clauses that store and queue each transaction whose id is new; `created` returns the ids of those. */
  createClauses(rows: readonly PreparedTransaction[]): Clause[] {
    return [
      { name: 'created', text: CREATED, values: columns(rows) },
      { name: 'waiting', text: WAITING, values: [] },
    ];
  }

  /** Finds what was first accepted under the ids of these submissions, in their order. */
  async findFirst(rows: readonly PreparedTransaction[]): Promise<(FirstSubmission | undefined)[]> {
    const found: {
      i: string;
      id: string;
      fingerprint: Buffer;
      request_id: string;
      correlation_id: string;
      warnings: string[] | null;
      status: TransactionStatus;
    }[] = await this.uow.read(
      rows.map((row) => row.organisationId),
      (db) =>
        db.query(SELECT_FIRST, [
          sqlArray.uuids(rows.map((row) => row.clientAppId)),
          sqlArray.text(rows.map((row) => row.submission.transactionId)),
          sqlArray.uuids(rows.map((row) => row.organisationId)),
        ]),
    );
    const firsts = new Array<FirstSubmission | undefined>(rows.length).fill(undefined);
    for (const row of found) {
      firsts[Number(row.i) - 1] = {
        id: row.id,
        fingerprint: row.fingerprint,
        requestId: row.request_id,
        correlationId: row.correlation_id,
        status: row.status,
        warnings: row.warnings ?? [],
      };
    }
    return firsts;
  }
}

function columns(rows: readonly PreparedTransaction[]): unknown[] {
  const { plain, text, bytes, uuids, instants } = sqlArray;
  return [
    uuids(rows.map((row) => row.id)),
    uuids(rows.map((row) => row.organisationId)),
    uuids(rows.map((row) => row.clientAppId)),
    text(rows.map((row) => row.submission.transactionId)),
    plain(rows.map((row) => row.source)),
    plain(rows.map((row) => row.submission.type)),
    plain(rows.map((row) => row.submission.channel)),
    plain(rows.map((row) => row.submission.amount)),
    plain(rows.map((row) => row.submission.currency)),
    plain(rows.map((row) => row.submission.direction.value)),
    plain(rows.map((row) => row.submission.direction.source)),
    instants(rows.map((row) => row.submission.occurredAt)),
    instants(rows.map((row) => row.receivedAt)),
    bytes(rows.map((row) => row.fingerprint)),
    bytes(rows.map((row) => row.keys.document)),
    bytes(rows.map((row) => row.keys.customer)),
    bytes(rows.map((row) => row.keys.account)),
    bytes(rows.map((row) => row.keys.device)),
    bytes(rows.map((row) => row.keys.ip)),
    bytes(rows.map((row) => row.keys.counterparty)),
    bytes(rows.map((row) => row.sealedBody)),
    // Codes of a closed set, so that a comma separates them safely; quoted because an empty element is not valid.
    text(rows.map((row) => row.submission.warnings.join(','))),
    text(rows.map((row) => row.context.requestId)),
    text(rows.map((row) => row.context.correlationId)),
    text(rows.map((row) => row.context.traceparent)),
    bytes(rows.map((row) => row.received.hash)),
  ];
}
