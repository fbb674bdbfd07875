import type { JobPayload, QueueName } from '../queues.js';

/** A job to send. While the job exists, sending the same id again has no effect. */
export interface QueuedJob {
  readonly queue: QueueName;
  readonly jobId: string;
  readonly payload: JobPayload;
}

/** `redis`: no answer. `redis-refuses-writes`: full, or a replica. `redis-cluster`: Bull cannot use a cluster. */
export type TransportFault = 'redis' | 'redis-refuses-writes' | 'redis-cluster';

/** The queue system that carries jobs from the outbox to the processors. A call rejects if the system is unavailable. */
export abstract class QueueTransport {
  /** Sends jobs. Rejects within a bounded time if the queue is unavailable; their messages then remain in the outbox. */
  abstract send(jobs: readonly QueuedJob[]): Promise<void>;

  /** Counts the jobs that no worker has taken yet. */
  abstract countWaiting(queue: QueueName): Promise<number>;

  /** Returns the stored epoch, which is lost together with the jobs; null if there is none. */
  abstract readEpoch(): Promise<string | null>;
  abstract writeEpoch(epoch: string): Promise<void>;

  /** Returns the value that `remember` stored under that name; null if it is lost. */
  abstract readValue(name: string): Promise<string | null>;
  abstract remember(name: string, value: string): Promise<void>;

  /** Returns the references in all jobs of the queue, including jobs of other processes. */
  abstract listHeldIds(queue: QueueName): Promise<readonly string[]>;

  abstract readonly kind: 'redis' | 'in-process';
  /** Returns why the queue cannot be used now; null if it can. */
  abstract findFault(): Promise<TransportFault | null>;
}
