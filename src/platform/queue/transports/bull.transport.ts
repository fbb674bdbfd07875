import { setTimeout as sleep } from 'node:timers/promises';
import { getQueueToken } from '@nestjs/bull';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import Bull, { type Queue } from 'bull';
import { Settings } from '../../config/index.js';
import { queueNames, type JobPayload, type QueueName } from '../queues.js';
import { QueueTransport, type TransportFault, type QueuedJob } from './transport.js';

// Without a timeout, ioredis queues a command while Redis is unavailable, and the relay's transaction would stay open.
const SEND_TIMEOUT_MS = 2_000;
const PROBE_KEPT_MS = 10_000;
// Running jobs get this share of the shutdown timeout. The rest is for closing connections, slow without Redis.
const DRAIN_SHARE = 0.6;

/** A flag on a queue: this process takes none of its jobs and leaves them to other roles. */
export const LEFT_TO_OTHERS = 'leftToOthers';

type Beginning = (...args: unknown[]) => Promise<void>;

/**
 * Nest calls `process` without awaiting its promise, and Bull does the same with `setWorkerName`. If Redis does not answer
 * before the shutdown, these promises reject then, and the unhandled rejection would kill the process during its shutdown.
 * Swallowing it loses nothing: the queue also emits the failing connection as an error event.
 */
function reportErrorsOf(method: 'process' | 'setWorkerName'): void {
  const { prototype } = Bull as unknown as {
    prototype: Record<typeof method, Beginning & { heard?: true }>;
  };
  const begin = prototype[method];
  if (begin.heard) return;
  prototype[method] = Object.assign(
    function (this: Partial<Pick<Internals, 'settings'>>, ...args: unknown[]): Promise<void> {
      // This process takes no jobs of the queue. It has the processor only because the reconciler calls its
      // `findUnfinished`.
      if (method === 'process' && this.settings?.[LEFT_TO_OTHERS] === true) return Promise.resolve();
      const starting = begin.apply(this, args);
      starting.catch(() => undefined);
      return starting;
    },
    { heard: true as const },
  );
}

reportErrorsOf('process');
reportErrorsOf('setWorkerName');

/** Carries jobs through Bull and Redis. */
@Injectable()
export class BullTransport
  extends QueueTransport
  implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown
{
  readonly kind = 'redis';
  private readonly logger = new Logger('Bull');
  private readonly queuesByName = new Map<QueueName, Queue<JobPayload>>();
  private loggedAt = 0;
  private shutdownTimeout: Promise<unknown> | undefined;

  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly settings: Settings,
  ) {
    super();
  }

  onModuleInit(): void {
    for (const name of queueNames) {
      const queue = this.moduleRef.get<Queue<JobPayload>>(getQueueToken(name), { strict: false });
      queue.on('error', (error: Error) => {
        this.logSometimes(name, error);
      });
      // Logs the error name only: a message could quote data.
      queue.on('failed', (_job, error: Error) => {
        this.logger.error(`job of ${name} failed: ${error.name}`);
      });
      this.endQuietly(queue);
      this.queuesByName.set(name, queue);
    }
  }

  /** An unreachable Redis does not prevent the start. A Redis cluster does, because Bull cannot use it. */
  async onApplicationBootstrap(): Promise<void> {
    const info = await withTimeout(SEND_TIMEOUT_MS, this.redisClient().info('cluster')).catch(() => '');
    if (!info.includes('cluster_enabled:1')) return;
    throw new Error(
      'REDIS_URL leads to a Redis Cluster: Bull keeps a queue under keys of one slot and reads them over one connection, ' +
        'which a cluster redirects (MOVED). Use a single Redis or Valkey, with a replica for fail-over.',
    );
  }

  async send(jobs: readonly QueuedJob[]): Promise<void> {
    const grouped = new Map<QueueName, QueuedJob[]>();
    for (const job of jobs) grouped.set(job.queue, [...(grouped.get(job.queue) ?? []), job]);
    // One timeout for all queues, because the outbox rows stay locked meanwhile.
    await withTimeout(SEND_TIMEOUT_MS, this.addJobs(grouped));
  }

  private async addJobs(grouped: ReadonlyMap<QueueName, readonly QueuedJob[]>): Promise<void> {
    for (const [name, hands] of grouped) {
      await this.queueNamed(name).addBulk(
        hands.map((hand) => ({ data: hand.payload, opts: { jobId: hand.jobId } })),
      );
    }
  }

  async countWaiting(name: QueueName): Promise<number> {
    return withTimeout(SEND_TIMEOUT_MS, this.queueNamed(name).getWaitingCount());
  }

  async readEpoch(): Promise<string | null> {
    return withTimeout(SEND_TIMEOUT_MS, this.redisClient().get(this.epochKey()));
  }

  async writeEpoch(epoch: string): Promise<void> {
    await withTimeout(SEND_TIMEOUT_MS, this.redisClient().set(this.epochKey(), epoch));
  }

  async readValue(name: string): Promise<string | null> {
    return withTimeout(SEND_TIMEOUT_MS, this.redisClient().get(`${this.settings.queuePrefix}:${name}`));
  }

  async remember(name: string, value: string): Promise<void> {
    await withTimeout(SEND_TIMEOUT_MS, this.redisClient().set(`${this.settings.queuePrefix}:${name}`, value));
  }

  async listHeldIds(name: QueueName): Promise<readonly string[]> {
    const jobs = await withTimeout(
      SEND_TIMEOUT_MS,
      this.queueNamed(name).getJobs(['waiting', 'active', 'delayed']),
    );
    // Bull returns null for a job that has ended meanwhile.
    return jobs.flatMap((job: { data: JobPayload } | null) => job?.data.refs ?? []);
  }

  async findFault(): Promise<TransportFault | null> {
    try {
      // Writes a key: a Redis that is full or has become a replica still answers a ping.
      await withTimeout(
        500,
        this.redisClient().set(`${this.settings.queuePrefix}:probe`, '1', 'PX', PROBE_KEPT_MS),
      );
      return null;
    } catch (error) {
      return transportFaultOf(error);
    }
  }

  /** Takes no more jobs and waits for running jobs. Bull closes its connections afterwards. */
  async beforeApplicationShutdown(): Promise<void> {
    const pauses = [...this.queuesByName.values()].map((queue) =>
      withTimeout(DRAIN_SHARE * this.settings.shutdownTimeoutMs, queue.pause(true, false)).catch(
        (error: unknown) => {
          this.logger.warn(`queue not drained: ${error instanceof Error ? error.message : 'unknown error'}`);
        },
      ),
    );
    await Promise.all(pauses);
  }

  /**
   * Avoids an unhandled rejection during shutdown. Bull interrupts its blocking connection by reconnecting it, and ignores
   * that promise; if Redis is unavailable then, the rejection would kill the process. A stopping queue needs no new
   * connection, so it disconnects instead, and does not wait for Redis longer than for running jobs.
   */
  private endQuietly(queue: Queue<JobPayload>): void {
    const inner = queue as unknown as Internals;
    const close = queue.close.bind(queue);
    // An error while closing changes nothing: the connection is gone either way.
    queue.close = (doNotWaitJobs) =>
      close(doNotWaitJobs).catch((error: unknown) => {
        this.logger.warn(
          `queue not closed in order: ${error instanceof Error ? error.message : 'unknown error'}`,
        );
      });
    queue.whenCurrentJobsFinished = async () => {
      if (!inner.bclientInitialized) return;
      const { bclient } = inner;
      const disconnect = bclient.disconnect.bind(bclient);
      // Bull disconnects a second time, and ioredis would wait 2 s for a socket that is already closed.
      bclient.disconnect = (reconnect) => {
        if (bclient.status !== 'end') disconnect(reconnect);
      };
      bclient.disconnect();
      // Bull's wait for a connection ends only when an attempt to connect fails.
      if (bclient.status === 'reconnecting') bclient.connect().catch(() => undefined);
      this.shutdownTimeout ??= sleep(DRAIN_SHARE * this.settings.shutdownTimeoutMs, undefined, {
        ref: false,
      });
      await Promise.race([Promise.all(Object.values(inner.processing)), this.shutdownTimeout]);
    };
  }

  private queueNamed(name: QueueName): Queue<JobPayload> {
    const queue = this.queuesByName.get(name);
    if (!queue) throw new Error(`queue ${name} is not registered`);
    return queue;
  }

  private redisClient(): Queue['client'] {
    return this.queueNamed('kyt.pipeline').client;
  }

  private epochKey(): string {
    return `${this.settings.queuePrefix}:epoch`;
  }

  /** Logs an error at most once in 10 s: while Redis is unavailable, every connection reports every attempt. */
  private logSometimes(name: QueueName, error: Error): void {
    const now = performance.now();
    if (this.loggedAt !== 0 && now - this.loggedAt < 10_000) return;
    this.loggedAt = now;
    this.logger.warn(`${name}: ${error.message}`);
  }
}

/** Classifies an error: Redis itself sends the codes in capitals; any other error means no answer in time. */
export function transportFaultOf(error: unknown): TransportFault {
  const [, code = ''] =
    /^(MOVED|CLUSTERDOWN|CROSSSLOT|OOM|READONLY|MISCONF|NOREPLICAS|NOPERM)\b/.exec(
      error instanceof Error ? error.message : '',
    ) ?? [];
  if (code === '') return 'redis';
  return /^(MOVED|CLUSTERDOWN|CROSSSLOT)$/.test(code) ? 'redis-cluster' : 'redis-refuses-writes';
}

/** Private fields and methods of Bull: its blocking connection, and the promises of running jobs. */
interface Internals {
  readonly bclientInitialized: boolean;
  readonly bclient: {
    readonly status: string;
    connect(): Promise<void>;
    disconnect: (reconnect?: boolean) => void;
  };
  readonly settings: { readonly [LEFT_TO_OTHERS]?: boolean };
  readonly processing: Readonly<Record<string, Promise<unknown>>>;
}

async function withTimeout<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`Redis did not answer within ${ms} ms`));
    }, ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
