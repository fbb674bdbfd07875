import type { HandedCheckpoint } from '../../audit/index.js';
import type { EventData } from './event-data.js';

/** The six canonical event types of the interface specification. */
export const eventTypes = [
  'kyt.transaction.queued',
  'kyt.transaction.pipeline.completed',
  'kyt.transaction.dead_lettered',
  'session.created',
  'session.completed',
  'customer.identified',
] as const;

export type EventType = (typeof eventTypes)[number];

/** The newest signed checkpoint of the audit log that the process knew; null before the first. */
export type AuditWitness = HandedCheckpoint | null;

/** The envelope of every webhook; the stored bytes are the bytes that are sent. */
export type EventEnvelope = { [T in EventType]: Enveloped<T> }[EventType];

interface Enveloped<T extends EventType> {
  readonly id: string;
  readonly type: T;
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: string;
  /** Grows per resource, so that a receiver can drop a stale event. */
  readonly sequence: number;
  readonly correlationId: string;
  readonly test: boolean;
  readonly audit: AuditWitness;
  readonly data: EventData[T];
}
