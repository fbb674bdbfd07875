import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { Processors, type FoundProcessor } from '../processors.js';
import type { QueueName } from '../queues.js';
import { QueueTransport, type QueuedJob } from './transport.js';

interface Lane {
  readonly processor: FoundProcessor;
  readonly waiting: QueuedJob[];
  running: number;
}

/**
 * Calls the processors of this process directly, for development without Redis. A crash loses no work: a new process has a
 * new epoch, so all unfinished work is queued again.
 */
@Injectable()
export class InProcessTransport extends QueueTransport implements BeforeApplicationShutdown {
  readonly kind = 'in-process';
  private readonly logger = new Logger(InProcessTransport.name);
  private epoch: string | null = null;
  private lanes: Map<QueueName, Lane> | undefined;
  private readonly memory = new Map<string, string>();
  private isStopped = false;
  private readonly inFlight = new Set<Promise<void>>();

  constructor(private readonly processors: Processors) {
    super();
  }

  send(jobs: readonly QueuedJob[]): Promise<void> {
    if (this.isStopped) return Promise.reject(new Error('the process is stopping'));
    for (const job of jobs) {
      const lane = this.laneOf(job.queue);
      lane.waiting.push(job);
      this.drain(lane);
    }
    return Promise.resolve();
  }

  countWaiting(queue: QueueName): Promise<number> {
    return Promise.resolve(this.laneOf(queue).waiting.length);
  }

  readEpoch(): Promise<string | null> {
    return Promise.resolve(this.epoch);
  }

  writeEpoch(epoch: string): Promise<void> {
    this.epoch = epoch;
    return Promise.resolve();
  }

  readValue(name: string): Promise<string | null> {
    return Promise.resolve(this.memory.get(name) ?? null);
  }

  remember(name: string, value: string): Promise<void> {
    this.memory.set(name, value);
    return Promise.resolve();
  }

  listHeldIds(queue: QueueName): Promise<readonly string[]> {
    return Promise.resolve(this.laneOf(queue).waiting.flatMap((job) => job.payload.refs));
  }

  findFault(): Promise<null> {
    return Promise.resolve(null);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    for (const lane of this.lanes?.values() ?? []) lane.waiting.length = 0;
    await Promise.all(this.inFlight);
  }

  private laneOf(queue: QueueName): Lane {
    this.lanes ??= new Map(
      this.processors.find().map((processor) => [processor.queue, { processor, waiting: [], running: 0 }]),
    );
    const lane = this.lanes.get(queue);
    if (!lane) throw new Error(`no processor for ${queue}`);
    return lane;
  }

  private drain(lane: Lane): void {
    while (lane.running < lane.processor.concurrency) {
      const job = lane.waiting.shift();
      if (!job) return;
      lane.running += 1;
      const run = this.run(lane, job).finally(() => {
        lane.running -= 1;
        this.inFlight.delete(run);
        this.drain(lane);
      });
      this.inFlight.add(run);
    }
  }

  private async run(lane: Lane, job: QueuedJob): Promise<void> {
    try {
      await lane.processor.run({ data: job.payload });
    } catch (error) {
      // The reconciler queues the rows again when their lease or due time has passed.
      this.logger.error(
        `job of ${job.queue} failed: ${error instanceof Error ? error.name : 'unknown error'}`,
      );
    }
  }
}
