import { newUuid } from '../../../../platform/kernel/ids.js';
import { toSubmission, type SubmittedTransaction } from './submission.js';
import type { DecryptedTransaction } from '../claimed.js';
import { computeGroupingKeys } from './grouping.js';

/** An event that is evaluated without being submitted. */
export interface SimulatedEvent {
  readonly organisationId: string;
  readonly clientAppId: string;
  /** Already validated. */
  readonly body: SubmittedTransaction;
  readonly receivedAt: Date;
  /** Orders transactions of the same moment. */
  readonly seq: string;
}

/** Returns the event as the pipeline would claim it, but without a trail. Nothing is stored. */
export function toSimulatedTransaction(
  index: Parameters<typeof computeGroupingKeys>[0],
  event: SimulatedEvent,
): DecryptedTransaction {
  const { organisationId, body, receivedAt } = event;
  const submission = toSubmission(body, receivedAt.getTime());
  const keys = computeGroupingKeys(index, organisationId, submission);
  return {
    id: newUuid(),
    seq: event.seq,
    organisationId,
    clientAppId: event.clientAppId,
    transactionId: submission.transactionId,
    source: 'INGEST',
    occurredAt: submission.occurredAt,
    receivedAt,
    documentKey: keys.document,
    customerKey: keys.customer,
    externalKey: keys.external,
    accountKey: keys.account,
    cardKey: keys.card,
    deviceKey: keys.device,
    ipKey: keys.ip,
    counterpartyKey: keys.counterparty,
    sealedBody: Buffer.alloc(0),
    requestId: '',
    correlationId: '',
    traceparent: null,
    fence: 0,
    attempt: 1,
    generation: 1,
    trailHash: Buffer.alloc(0),
    trailEnd: null,
    body: { ...body },
    submission,
  };
}
