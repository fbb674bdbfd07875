import { canonicalValue } from '../../../../platform/kernel/values/canonical/canonical-value.js';
import type { CustomerEventType } from '../../../../platform/kernel/reference/customer-events.js';
import { isKnownChannel } from '../submission/channels.js';
import type { KeyedSubmission } from '../submission/grouping.js';
import {
  givenId,
  givenValue,
  instantOf,
  NO_PARTICIPANT,
  taxIdOf,
  type SubmissionWarning,
} from '../submission/submission.js';

/** A validated body of an event; null means absent. */
export interface SubmittedEvent {
  readonly eventId: string;
  readonly type: CustomerEventType;
  readonly occurredAt: string;
  readonly externalCustomerId?: string | null;
  readonly cpfCnpj?: string | null;
  readonly accountReference?: string | null;
  readonly deviceId?: string | null;
  readonly ipAddress?: string | null;
  readonly channel?: string | null;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
}

/** An event of a customer that moves no money. Its keys are computed as those of a transaction. */
export interface CustomerEvent {
  readonly eventId: string;
  readonly type: CustomerEventType;
  /** Empty if none was sent. */
  readonly channel: string;
  readonly occurredAt: Date;
  readonly keyed: KeyedSubmission;
  readonly warnings: readonly SubmissionWarning[];
}

/** Maps a valid body. */
export function toCustomerEvent(body: SubmittedEvent): CustomerEvent {
  const externalCustomerId = givenId(body.externalCustomerId);
  const accountReference = givenValue('ACCOUNT', body.accountReference);
  const deviceId = canonicalOrNull('DEVICE', body.deviceId);
  const ipAddress = canonicalOrNull('IP', body.ipAddress);
  const channel = body.channel ?? '';
  const sent = [
    [body.externalCustomerId, externalCustomerId],
    [body.accountReference, accountReference],
    [body.deviceId, deviceId],
    [body.ipAddress, ipAddress],
  ];
  return {
    eventId: body.eventId,
    type: body.type,
    channel,
    occurredAt: instantOf(body.occurredAt),
    keyed: {
      taxId: taxIdOf(body.cpfCnpj),
      externalCustomerId,
      direction: { value: null, source: 'UNKNOWN' },
      origin: { ...NO_PARTICIPANT, accountReference },
      destination: NO_PARTICIPANT,
      deviceId,
      ipAddress,
      cardId: null,
    },
    warnings: [
      ...(channel === '' || isKnownChannel(channel) ? [] : (['UNKNOWN_CHANNEL'] as const)),
      ...(sent.some(([text, read]) => typeof text === 'string' && read === null)
        ? (['PLACEHOLDER_IGNORED'] as const)
        : []),
    ],
  };
}

const canonicalOrNull = (kind: 'DEVICE' | 'IP', text: string | null | undefined): string | null =>
  text === null || text === undefined ? null : canonicalValue(kind, text);
