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
import { QueueTransport, type TransportTrouble, type JobHandler } from './transport.js';

// ioredis would queue a command for ever while Redis is away; the relay holds a transaction meanwhile.
const SEND_TIMEOUT_MS = 2_000;
const PROBE_KEPT_MS = 10_000;
// The share of the shutdown time for running jobs; the rest closes connections, slowly if Redis is away.
const DRAIN_SHARE = 0.6;

/** The setting of a queue whose jobs this process leaves to processes of other roles. */
export const LEFT_TO_OTHERS = 'leftToOthers';

type Beginning = (...args: unknown[]) => Promise<void>;

/**
 * Nest begins to process a queue without waiting for the promise that says whether it could, and Bull gives its
 * connection a name in the same way. When Redis does not answer until the service stops, those promises are rejected at
 * the end, and a rejection that nobody hears ends the process in the middle of its shutdown. The queue reports the
 * failing connection itself, as an error event.
 */
function reportErrorsOf(method: 'process' | 'setWorkerName'): void {
  const { prototype } = Bull as unknown as {
    prototype: Record<typeof method, Beginning & { heard?: true }>;
  };
  const begin = prototype[method];
  if (begin.heard) return;
  prototype[method] = Object.assign(
    function (this: Partial<Pick<Internals, 'settings'>>, ...args: unknown[]): Promise<void> {
      // Its processor exists for the reconciler, which asks for the unfinished rows of each queue.
      if (method === 'process' && this.settings?.[LEFT_TO_OTHERS] === true) return Promise.resolve();
      const begun = begin.apply(this, args);
      begun.catch(() => undefined);
      return begun;
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
  private readonly byName = new Map<QueueName, Queue<JobPayload>>();
  private loggedAt = 0;
  private patience: Promise<unknown> | undefined;

  constructor(
    private readonly modules: ModuleRef,
    private readonly settings: Settings,
  ) {
    super();
  }

  onModuleInit(): void {
    for (const name of queueNames) {
      const queue = this.modules.get<Queue<JobPayload>>(getQueueToken(name), { strict: false });
      queue.on('error', (error: Error) => {
        this.logSometimes(name, error);
      });
      // Only the kind: a message could quote data.
      queue.on('failed', (_job, error: Error) => {
        this.logger.error(`job of ${name} failed: ${error.name}`);
      });
      this.endQuietly(queue);
      this.byName.set(name, queue);
    }
  }

  /** An unreachable Redis does not stop the start; one that answers has to be one that Bull can use. */
  async onApplicationBootstrap(): Promise<void> {
    const info = await within(SEND_TIMEOUT_MS, this.client().info('cluster')).catch(() => '');
    if (!info.includes('cluster_enabled:1')) return;
    throw new Error(
      'REDIS_URL leads to a Redis Cluster: Bull keeps a queue under keys of one slot and reads them over one connection, ' +
        'which a cluster redirects (MOVED). Use a single Redis or Valkey, with a replica for fail-over.',
    );
  }

  async send(jobs: readonly JobHandler[]): Promise<void> {
    const grouped = new Map<QueueName, JobHandler[]>();
    for (const job of jobs) grouped.set(job.queue, [...(grouped.get(job.queue) ?? []), job]);
    // One limit for all of them: the rows of the outbox are locked meanwhile.
    await within(SEND_TIMEOUT_MS, this.add(grouped));
  }

  private async add(grouped: ReadonlyMap<QueueName, readonly JobHandler[]>): Promise<void> {
    for (const [name, hands] of grouped) {
      await this.queue(name).addBulk(
        hands.map((hand) => ({ data: hand.payload, opts: { jobId: hand.jobId } })),
      );
    }
  }

  async waiting(name: QueueName): Promise<number> {
    return within(SEND_TIMEOUT_MS, this.queue(name).getWaitingCount());
  }

  async readEpoch(): Promise<string | null> {
    return within(SEND_TIMEOUT_MS, this.client().get(this.epochKey()));
  }

  async writeEpoch(epoch: string): Promise<void> {
    await within(SEND_TIMEOUT_MS, this.client().set(this.epochKey(), epoch));
  }

  async readRemembered(name: string): Promise<string | null> {
    return within(SEND_TIMEOUT_MS, this.client().get(`${this.settings.queuePrefix}:${name}`));
  }

  async remember(name: string, value: string): Promise<void> {
    await within(SEND_TIMEOUT_MS, this.client().set(`${this.settings.queuePrefix}:${name}`, value));
  }

  async held(name: QueueName): Promise<readonly string[]> {
    const jobs = await within(SEND_TIMEOUT_MS, this.queue(name).getJobs(['waiting', 'active', 'delayed']));
    // A job that ended meanwhile is null there.
    return jobs.flatMap((job: { data: JobPayload } | null) => job?.data.refs ?? []);
  }

  async trouble(): Promise<TransportTrouble | null> {
    try {
      // Written, not only asked: a Redis that is full or has become a replica answers a ping.
      await within(500, this.client().set(`${this.settings.queuePrefix}:probe`, '1', 'PX', PROBE_KEPT_MS));
      return null;
    } catch (error) {
      return troubleOf(error);
    }
  }

  /** Stops taking jobs and lets running ones finish; Bull closes its connections after this. */
  async beforeApplicationShutdown(): Promise<void> {
    const pauses = [...this.byName.values()].map((queue) =>
      within(DRAIN_SHARE * this.settings.shutdownTimeoutMs, queue.pause(true, false)).catch(
        (error: unknown) => {
          this.logger.warn(`queue not drained: ${error instanceof Error ? error.message : 'unknown error'}`);
        },
      ),
    );
    await Promise.all(pauses);
  }

  /**
   * Bull interrupts its waiting connection by reconnecting it, and while the last jobs finish nobody listens whether
   * that succeeds: when Redis is away at that moment, the rejection ends the process in the middle of its shutdown.
   * A queue that stops needs no new connection, and a Redis that is away is not waited for longer than the jobs are.
   */
  private endQuietly(queue: Queue<JobPayload>): void {
    const inner = queue as unknown as Internals;
    const close = queue.close.bind(queue);
    // A connection that fails while it is being given up is given up all the same.
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
      // Bull ends it once more, and ioredis would wait two seconds for the close of what is closed.
      bclient.disconnect = (reconnect) => {
        if (bclient.status !== 'end') disconnect(reconnect);
      };
      bclient.disconnect();
      // Waiting for a connection ends only when an attempt fails.
      if (bclient.status === 'reconnecting') bclient.connect().catch(() => undefined);
      this.patience ??= sleep(DRAIN_SHARE * this.settings.shutdownTimeoutMs, undefined, { ref: false });
      await Promise.race([Promise.all(Object.values(inner.processing)), this.patience]);
    };
  }

  private queue(name: QueueName): Queue<JobPayload> {
    const queue = this.byName.get(name);
    if (!queue) throw new Error(`queue ${name} is not registered`);
    return queue;
  }

  private client(): Queue['client'] {
    return this.queue('kyt.pipeline').client;
  }

  private epochKey(): string {
    return `${this.settings.queuePrefix}:epoch`;
  }

  /** A Redis that is away reports every reconnection of every connection; one line in ten seconds is enough. */
  private logSometimes(name: QueueName, error: Error): void {
    const now = performance.now();
    if (this.loggedAt !== 0 && now - this.loggedAt < 10_000) return;
    this.loggedAt = now;
    this.logger.warn(`${name}: ${error.message}`);
  }
}

/** An answer in capitals is an error of Redis itself; everything else is a failure to answer in time. */
export function troubleOf(error: unknown): TransportTrouble {
  const [, code = ''] =
    /^(MOVED|CLUSTERDOWN|CROSSSLOT|OOM|READONLY|MISCONF|NOREPLICAS|NOPERM)\b/.exec(
      error instanceof Error ? error.message : '',
    ) ?? [];
  if (code === '') return 'redis';
  return /^(MOVED|CLUSTERDOWN|CROSSSLOT)$/.test(code) ? 'redis-cluster' : 'redis-refuses-writes';
}

/** Bull's private parts: the connection that waits for jobs, and the work on those that came. */
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

async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
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
