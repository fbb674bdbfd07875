import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { Tx } from '../database/index.js';
import type { JobPayload, QueueName } from './queues.js';

/** `overdue`: rows whose lease or due time passed without a job. `all`: all unfinished rows, if the queue was emptied. */
export type UnfinishedScope = 'overdue' | 'all';

/** A Bull processor whose jobs may be lost, because it finds its unfinished rows in PostgreSQL. */
export interface DurableProcessor {
  /** Returns ids of unfinished rows. Called in the reconciler's transaction, which writes jobs for them. */
  findUnfinished(tx: Tx, which: UnfinishedScope): Promise<readonly string[]>;
  /**
   * Returns true if there are rows that may become due at a planned time. Left out where rows are overdue only because a
   * job was lost or a process died.
   */
  hasPlanned?(tx: Tx): Promise<boolean>;
}

/** A processor of this application: its queue, and the method that takes its jobs. */
export interface FoundProcessor {
  readonly queue: QueueName;
  readonly owner: string;
  readonly concurrency: number;
  run(job: { readonly data: JobPayload }): Promise<void>;
  readonly findUnfinished: DurableProcessor['findUnfinished'];
  readonly hasPlanned: ((tx: Tx) => Promise<boolean>) | null;
}

// The metadata keys of @nestjs/bull's @Processor and @Process.
const PROCESSOR = 'bull:module_queue';
const PROCESS = 'bull:module_queue_process';

/** Finds the @Processor classes, for the check at startup and for the in-process transport. */
@Injectable()
export class Processors {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  find(): FoundProcessor[] {
    return this.discovery.getProviders().flatMap((wrapper) => {
      const instance = wrapper.instance as Record<string, unknown> | null;
      const type = wrapper.metatype;
      if (!instance || typeof type !== 'function') return [];
      const on = this.reflector.get<{ name?: QueueName } | undefined>(PROCESSOR, type);
      if (!on?.name) return [];
      const queue = on.name;
      const { findUnfinished, hasPlanned } = instance as Partial<DurableProcessor>;
      if (!findUnfinished) throw new Error(`${wrapper.name} cannot say what of ${queue} is unfinished`);
      const prototype = Object.getPrototypeOf(instance) as object;
      return this.scanner.getAllMethodNames(prototype).flatMap((method) => {
        const handler = instance[method] as (job: { data: JobPayload }) => Promise<void>;
        const options = this.reflector.get<{ concurrency?: number } | undefined>(PROCESS, handler);
        if (!options) return [];
        return [
          {
            queue,
            owner: `${wrapper.name}.${method}`,
            concurrency: options.concurrency ?? 1,
            run: (job: { data: JobPayload }) => handler.call(instance, job),
            findUnfinished: (tx: Tx, which: UnfinishedScope) => findUnfinished.call(instance, tx, which),
            hasPlanned: hasPlanned ? (tx: Tx) => hasPlanned.call(instance, tx) : null,
          },
        ];
      });
    });
  }
}
