import type { AuditContent, ComposedEntry } from '../../../audit/index.js';
import type { GroupingKeys } from '../submission/grouping.js';
import { digestOf, sortedColumns } from '../submission/row-digest.js';
import type { CustomerEvent } from './customer-event.js';

/** Everything that the commit stores for an event, computed before the database transaction begins. */
export interface PreparedEvent {
  readonly id: string;
  readonly organisationId: string;
  readonly clientAppId: string;
  readonly event: CustomerEvent;
  readonly receivedAt: Date;
  readonly requestId: string;
  readonly correlationId: string;
  readonly fingerprint: Buffer;
  readonly keys: GroupingKeys;
  readonly sealedBody: Buffer;
  readonly received: ComposedEntry;
}

/** The columns of a stored event that its audit entry holds only as a digest. */
interface EventRow {
  readonly organisationId: string;
  readonly clientAppId: string;
  readonly channel: string;
  readonly receivedAt: Date;
  readonly documentKey: Buffer | null;
  readonly customerKey: Buffer | null;
  readonly externalKey: Buffer | null;
  readonly accountKey: Buffer | null;
  readonly deviceKey: Buffer | null;
  readonly ipKey: Buffer | null;
  /** SHA-256. */
  readonly sealedBody: Buffer;
  readonly requestId: string;
  readonly correlationId: string;
}

/** The columns of a stored event that its audit entry has in clear. */
interface EventContent {
  readonly eventId: string;
  /** In hexadecimal. */
  readonly fingerprint: string;
  readonly type: string;
  readonly occurredAt: Date;
  readonly warnings: readonly string[];
}

const COLUMNS = sortedColumns<EventRow>({
  ...{ organisationId: 1, clientAppId: 1, channel: 1, receivedAt: 1, sealedBody: 1 },
  ...{ documentKey: 1, customerKey: 1, externalKey: 1, accountKey: 1, deviceKey: 1, ipKey: 1 },
  ...{ requestId: 1, correlationId: 1 },
});

/** Returns the content of the audit entry of an event. It repeats the columns that rules read, and has a digest of the others. */
export const receivedEventContent = (
  { eventId, fingerprint, type, occurredAt, warnings }: EventContent,
  row: EventRow,
): AuditContent => ({
  eventId,
  fingerprint,
  type,
  occurredAt: occurredAt.toISOString(),
  warnings,
  row: digestOf(row, COLUMNS),
});
