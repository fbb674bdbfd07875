import { CHAIN_START, type ComposedEntry } from '../../../audit/index.js';
import type { RequestContext } from '../../../../platform/telemetry/index.js';
import type { ComposedEvent } from '../../../webhooks/index.js';
import type { DecryptedTransaction } from '../claimed.js';
import type { GroupingKeys } from './grouping.js';
import type { Submission } from './submission.js';

export type IngestSource = 'INGEST' | 'LEGACY';

/** A value of a custom field that is stored for windows. */
export interface CustomFieldValue {
  readonly field: number;
  /** JSON; null if the field is personal data. */
  readonly value: string | null;
  /** Null if no window is keyed by the field. */
  readonly key: Buffer | null;
}

/** A lease under which this process stores a transaction and evaluates it immediately; `ms` is its duration. */
export interface EvaluationLease {
  readonly owner: string;
  readonly ms: number;
}

/** Everything that the ingest commit stores for a submission, computed before the database transaction begins. */
export interface PreparedTransaction {
  readonly id: string;
  readonly organisationId: string;
  readonly clientAppId: string;
  readonly source: IngestSource;
  readonly submission: Submission;
  readonly receivedAt: Date;
  readonly context: RequestContext;
  readonly fingerprint: Buffer;
  readonly keys: GroupingKeys;
  readonly kept: readonly CustomFieldValue[];
  readonly sealedBody: Buffer;
  readonly received: ComposedEntry;
  readonly queued: ComposedEvent;
}

/**
 * Returns a transaction that was just stored under a lease of this process, in the form in which a claim would read it.
 * Its trail has one entry.
 */
export function toClaimedTransaction(
  stored: PreparedTransaction,
  seq: string,
  body: object,
): DecryptedTransaction {
  const { submission, keys, context, received } = stored;
  return {
    id: stored.id,
    seq,
    organisationId: stored.organisationId,
    clientAppId: stored.clientAppId,
    transactionId: submission.transactionId,
    source: stored.source,
    occurredAt: submission.occurredAt,
    receivedAt: stored.receivedAt,
    documentKey: keys.document,
    customerKey: keys.customer,
    externalKey: keys.external,
    accountKey: keys.account,
    cardKey: keys.card,
    deviceKey: keys.device,
    ipKey: keys.ip,
    counterpartyKey: keys.counterparty,
    sealedBody: stored.sealedBody,
    requestId: context.requestId,
    correlationId: context.correlationId,
    traceparent: context.traceparent,
    trailHash: received.hash,
    fence: 1,
    attempt: 1,
    generation: 1,
    trailEnd: { seq: CHAIN_START.seq, hash: received.hash, firstHash: received.hash },
    // Serialised as the stored body is, because receipts are verified against the stored body.
    body: JSON.parse(JSON.stringify(body)) as DecryptedTransaction['body'],
    submission,
  };
}
