import { Worker } from 'node:worker_threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Options } from '@node-rs/argon2';
import { DomainError } from '../kernel/index.js';

export type PasswordTask =
  | { readonly kind: 'hash'; readonly password: string; readonly options: Options }
  | { readonly kind: 'verify'; readonly password: string; readonly hash: string }
  | { readonly kind: 'guesses'; readonly password: string; readonly context: readonly string[] };

interface Waiting {
  readonly task: PasswordTask;
  readonly from: string;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

// Two passwords at once need 92 MiB and two processors' spare time; more would only be slower.
const THREADS = 2;
// Two threads do about twenty a second: whoever is last waits two seconds, and a person does not wait longer.
const MAX_WAITING = 40;
// One address cannot fill the queue for all others.
const MAX_WAITING_PER_ADDRESS = 8;
const WORKER = new URL('./password.worker.mjs', import.meta.url);

/** Two threads for the costly work on passwords, and a bounded queue before them: beyond it the answer is OVERLOADED. */
@Injectable()
export class PasswordThreads implements OnApplicationShutdown {
  private readonly idle: Worker[] = [];
  private readonly busy = new Map<Worker, Waiting>();
  private readonly queue: Waiting[] = [];

  /** Performs the task; `from` is the address that asked, whose share of the queue is limited. */
  perform(task: PasswordTask, from: string | null): Promise<unknown> {
    const address = from ?? '';
    const sameAddress = this.queue.filter((waiting) => waiting.from === address).length;
    if (this.queue.length >= MAX_WAITING || sameAddress >= MAX_WAITING_PER_ADDRESS) {
      return Promise.reject(new DomainError('OVERLOADED', { retryAfterSeconds: 2 }));
    }
    return new Promise((resolve, reject) => {
      this.queue.push({ task, from: address, resolve, reject });
      this.next();
    });
  }

  async onApplicationShutdown(): Promise<void> {
    const refused = new DomainError('NOT_READY');
    for (const waiting of [...this.queue.splice(0), ...this.busy.values()]) waiting.reject(refused);
    const threads = [...this.idle.splice(0), ...this.busy.keys()];
    this.busy.clear();
    await Promise.all(threads.map((thread) => thread.terminate()));
  }

  private next(): void {
    if (this.queue.length === 0) return;
    const thread = this.idle.pop() ?? (this.busy.size < THREADS ? this.start() : undefined);
    const waiting = thread && this.queue.shift();
    if (!waiting) return;
    this.busy.set(thread, waiting);
    thread.ref();
    thread.postMessage(waiting.task);
  }

  private start(): Worker {
    const thread = new Worker(WORKER);
    thread.on('message', (answer: { value: unknown } | { failure: string }) => {
      const waiting = this.done(thread);
      thread.unref();
      this.idle.push(thread);
      if ('value' in answer) waiting?.resolve(answer.value);
      else waiting?.reject(new Error(`work on a password failed: ${answer.failure}`));
      this.next();
    });
    // A thread that dies takes its task along and is replaced by the next one that is needed.
    thread.on('error', (error) => {
      this.done(thread)?.reject(new Error('the password thread failed', { cause: error }));
      this.next();
    });
    return thread;
  }

  private done(thread: Worker): Waiting | undefined {
    const waiting = this.busy.get(thread);
    this.busy.delete(thread);
    return waiting;
  }
}
