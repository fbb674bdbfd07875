import type { JobPayload, QueueName } from '../queues.js';

/** A job to hand over. The id makes a repeated hand-over of the same message a no-op while the job exists. */
export interface JobHandler {
  readonly queue: QueueName;
  readonly jobId: string;
  readonly payload: JobPayload;
}

/** The carrier does not answer; it takes no writes (full, or a replica); it is a cluster, which Bull cannot use. */
export type TransportTrouble = 'redis' | 'redis-refuses-writes' | 'redis-cluster';

/** Stands between the outbox and the carrier of jobs to processors. */
export abstract class QueueTransport {
  /** Hands the jobs over; rejects within a bounded time when the carrier is away. Nothing is lost by a rejection. */
  abstract send(jobs: readonly JobHandler[]): Promise<void>;

  /** Counts the jobs that were handed over and that no worker has taken yet. Rejects when the carrier is away. */
  abstract waiting(queue: QueueName): Promise<number>;

  /** A value that the carrier forgets when it loses its jobs; null when it never had one. Rejects when away. */
  abstract readEpoch(): Promise<string | null>;
  abstract writeEpoch(epoch: string): Promise<void>;

  /** Returns the value that `remember` kept under that name; null if it is lost. Rejects when the carrier is away. */
  abstract readRemembered(name: string): Promise<string | null>;
  abstract remember(name: string, value: string): Promise<void>;

  /** Returns the references in the jobs that the carrier holds, whoever wrote them. Rejects when away. */
  abstract held(queue: QueueName): Promise<readonly string[]>;

  abstract readonly kind: 'redis' | 'in-process';
  /** Returns why the carrier cannot be used now; null if it takes jobs. */
  abstract trouble(): Promise<TransportTrouble | null>;
}
