import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Options } from '@node-rs/argon2';
import { DomainError } from '../kernel/index.js';

export type PasswordTask =
  | { readonly kind: 'hash'; readonly password: string; readonly options: Options }
  | { readonly kind: 'verify'; readonly password: string; readonly hash: string }
  | { readonly kind: 'guesses'; readonly password: string; readonly context: readonly string[] };

export type PasswordAnswer = { readonly value: unknown } | { readonly failure: string };

interface Waiting {
  readonly task: PasswordTask;
  readonly from: string;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

// About fifteen a second on a free processor: whoever is last waits three seconds. Fifty callers that wait cost less than
// fifty that are refused and come again at once.
const MAX_WAITING = 50;
// One address cannot fill the queue for all others.
const MAX_WAITING_PER_ADDRESS = 8;
const SCRIPT = fileURLToPath(new URL('./password.child.mjs', import.meta.url));

/**
 * The costly work on passwords, one at a time in a process of its own, with a bounded queue before it: beyond it the
 * answer is OVERLOADED. A process, not a thread: the 46 MiB that each password takes and gives back would hold up the
 * memory management of the process that answers requests; and one, so that a processor is always left for those.
 */
@Injectable()
export class PasswordProcess implements OnApplicationShutdown {
  private child: ChildProcess | null = null;
  private current: Waiting | null = null;
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

  onApplicationShutdown(): void {
    const refused = new DomainError('NOT_READY');
    for (const waiting of this.queue.splice(0)) waiting.reject(refused);
    this.settle()?.reject(refused);
    const { child } = this;
    this.child = null;
    child?.kill();
  }

  private next(): void {
    if (this.current) return;
    this.current = this.queue.shift() ?? null;
    if (!this.current) return;
    this.child ??= this.start();
    const { child } = this;
    child.ref();
    child.channel?.ref();
    child.send(this.current.task, (error) => {
      if (error) child.kill();
    });
  }

  private start(): ChildProcess {
    const child = fork(SCRIPT, [], {
      // Nothing of the service's environment, which holds its keys.
      env: {},
      execArgv: ['--disable-proto=delete'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('message', (answer: PasswordAnswer) => {
      const waiting = this.settle();
      // An idle process does not keep the service from ending.
      child.unref();
      child.channel?.unref();
      if ('value' in answer) waiting?.resolve(answer.value);
      else waiting?.reject(new Error(`work on a password failed: ${answer.failure}`));
      this.next();
    });
    child.on('error', () => {
      this.ended(child);
    });
    child.on('exit', () => {
      this.ended(child);
    });
    return child;
  }

  /** A process that dies takes its task along and is replaced by the next one that is needed. */
  private ended(child: ChildProcess): void {
    if (this.child !== child) return;
    this.child = null;
    this.settle()?.reject(new Error('the process for passwords ended'));
    this.next();
  }

  private settle(): Waiting | null {
    const { current } = this;
    this.current = null;
    return current;
  }
}
