import { Injectable } from '@nestjs/common';
import { execute, sqlArray, type Tx } from '../../database/index.js';
import type { TransactionStatus } from '../domain/status.js';
import type { PreparedTransaction } from '../prepared-transaction.js';
import { INSERT_TRANSACTIONS, SELECT_FIRST } from './ingest.statements.js';

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
  /** Inserts and queues each transaction unless its id was used before; returns the ids of the rows that are new. */
  async insertOnce(tx: Tx, rows: readonly PreparedTransaction[]): Promise<Set<string>> {
    const created = await execute<{ id: string }>(tx, INSERT_TRANSACTIONS, columns(rows));
    return new Set(created.map((row) => row.id));
  }

  /** Finds what was first accepted under the ids of these submissions, in their order. */
  async findFirst(tx: Tx, rows: readonly PreparedTransaction[]): Promise<(FirstSubmission | undefined)[]> {
    const found = await execute<{
      i: string;
      id: string;
      fingerprint: Buffer;
      request_id: string;
      correlation_id: string;
      warnings: string[] | null;
      status: TransactionStatus;
    }>(tx, SELECT_FIRST, [
      sqlArray.plain(rows.map((row) => row.clientAppId)),
      sqlArray.text(rows.map((row) => row.submission.transactionId)),
    ]);
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

function columns(rows: readonly PreparedTransaction[]): string[] {
  const { plain, text, bytes } = sqlArray;
  return [
    plain(rows.map((row) => row.id)),
    plain(rows.map((row) => row.organisationId)),
    plain(rows.map((row) => row.clientAppId)),
    text(rows.map((row) => row.submission.transactionId)),
    plain(rows.map((row) => row.source)),
    plain(rows.map((row) => row.submission.type)),
    plain(rows.map((row) => row.submission.channel)),
    plain(rows.map((row) => row.submission.amount)),
    plain(rows.map((row) => row.submission.currency)),
    plain(rows.map((row) => row.submission.direction.value)),
    plain(rows.map((row) => row.submission.direction.source)),
    plain(rows.map((row) => row.submission.occurredAt.toISOString())),
    plain(rows.map((row) => row.receivedAt.toISOString())),
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
