import type { JobPayload, QueueName } from '../queues.js';

/** A job to hand over. The id makes a repeated hand-over of the same message a no-op while the job exists. */
export interface Hand {
  readonly queue: QueueName;
  readonly jobId: string;
  readonly payload: JobPayload;
}

/** The seam between the outbox and whatever carries jobs to processors. */
export abstract class QueueTransport {
  /** Hands the jobs over; rejects within a bounded time when the carrier is away. Nothing is lost by a rejection. */
  abstract send(jobs: readonly Hand[]): Promise<void>;

  /** How many jobs were handed over and are taken by nobody yet. Rejects when the carrier is away. */
  abstract waiting(queue: QueueName): Promise<number>;

  /** A value that the carrier forgets when it loses its jobs; null when it never had one. Rejects when away. */
  abstract readEpoch(): Promise<string | null>;
  abstract writeEpoch(epoch: string): Promise<void>;

  abstract readonly kind: 'redis' | 'in-process';
  /** True when the carrier answers now. */
  abstract isUp(): Promise<boolean>;
}
