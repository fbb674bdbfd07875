import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Options } from '@node-rs/argon2';
import { Settings } from '../../../platform/config/index.js';
import { rateLimitedNetworksOf } from '../../../platform/http/index.js';
import { DomainError, FairQueue, type QueuedItem } from '../../../platform/kernel/index.js';

export type PasswordTask =
  | { readonly kind: 'hash'; readonly password: string; readonly options: Options }
  | { readonly kind: 'verify'; readonly password: string; readonly hash: string }
  | { readonly kind: 'guesses'; readonly password: string; readonly context: readonly string[] };

export type PasswordAnswer = { readonly value: unknown } | { readonly failure: string };

/** The caller for whom a password is hashed or checked. */
export interface PasswordCaller {
  readonly ip: string | null;
  /** The account that the caller claims, existing or not. */
  readonly account?: string;
  /** True for a caller with a known device, a session or an invitation; others may be guessing passwords. */
  readonly known: boolean;
}

/** The command line: requires access to the server. */
export const COMMAND_LINE: PasswordCaller = { ip: null, known: true };

interface WaitingTask extends QueuedItem {
  readonly task: PasswordTask;
  /** The narrowest network prefix of the caller. */
  readonly network: string;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

// Maximum number of waiting callers: 50 that wait cost less than 50 refused callers that retry immediately.
const MAX_WAITING = 50;
// Limits the waiting callers per network, so that one network cannot fill the whole queue.
const MAX_WAITING_PER_NETWORK = 8;
const overloaded = (): DomainError => new DomainError('OVERLOADED', { retryAfterSeconds: 2 });

const MAX_KNOWN_IN_A_ROW = 8;

// Passwords of unknown callers checked without waiting: colleagues may log in within the same minute.
const BURST = 10;
const SCRIPT = fileURLToPath(new URL('./password.child.mjs', import.meta.url));

/**
 * Hashes and checks passwords one at a time in a child process, behind a bounded queue: when it is full, the error is
 * OVERLOADED. A process, not a thread, because allocating and freeing 46 MiB per password would slow down the garbage
 * collector of the main process; only one, so that a CPU core is left for requests. Passwords of unknown callers are
 * limited to a rate, because two threads of one core slow each other down. Known callers have priority eight to one, so
 * that an attack does not delay them. The queue is fair by network and account, so that a flood from one network, or at
 * one account, does not block the others.
 */
@Injectable()
export class PasswordProcess implements OnApplicationShutdown {
  private child: ChildProcess | null = null;
  private current: WaitingTask | null = null;
  private readonly knownCallers = new FairQueue<WaitingTask>(MAX_WAITING);
  private readonly unknownCallers = new FairQueue<WaitingTask>(MAX_WAITING);
  /** Limiter state: the `performance.now()` time at which the next password of an unknown caller is due. */
  private unknownDueAt = 0;
  /** The number of known callers served since the last unknown caller. */
  private knownInARow = 0;
  private pauseTimer: NodeJS.Timeout | undefined;

  constructor(private readonly settings: Settings) {}

  /** Queues a task. Rejects with OVERLOADED when the queue, or the share of one network in it, is full. */
  perform(task: PasswordTask, asker: PasswordCaller): Promise<unknown> {
    const networks = rateLimitedNetworksOf(asker.ip);
    const network = networks[0].key;
    const queue = asker.known ? this.knownCallers : this.unknownCallers;
    const sameNetwork = queue.items().filter((waiting) => waiting.network === network).length;
    if (sameNetwork >= MAX_WAITING_PER_NETWORK) return Promise.reject(overloaded());
    const charges = networks.map(({ key, factor }) => ({ key, weight: 1 / factor }));
    if (asker.account !== undefined) charges.push({ key: `account ${asker.account}`, weight: 1 });
    return new Promise((resolve, reject) => {
      const waiting = { task, network, charges, resolve, reject };
      queue.push(waiting)?.reject(overloaded());
      this.startNext();
    });
  }

  onApplicationShutdown(): void {
    clearTimeout(this.pauseTimer);
    const refused = new DomainError('NOT_READY');
    for (const waiting of [...this.knownCallers.clear(), ...this.unknownCallers.clear()]) {
      waiting.reject(refused);
    }
    this.takeCurrent()?.reject(refused);
    const { child } = this;
    this.child = null;
    child?.kill();
  }

  private startNext(): void {
    if (this.current) return;
    this.current = this.takeNext();
    if (!this.current) return;
    this.child ??= this.startChild();
    const { child } = this;
    child.ref();
    child.channel?.ref();
    child.send(this.current.task, (error) => {
      if (error) child.kill();
    });
  }

  /** Takes a task of a known caller first, but not always: a known caller can also flood the queue. */
  private takeNext(): WaitingTask | null {
    const unknown = this.knownInARow >= MAX_KNOWN_IN_A_ROW ? this.takeUnknown() : null;
    const knownTask = unknown ? null : this.knownCallers.shift();
    this.knownInARow = knownTask ? this.knownInARow + 1 : 0;
    return knownTask ?? unknown ?? this.takeUnknown();
  }

  private takeUnknown(): WaitingTask | null {
    if (this.unknownCallers.length === 0) return null;
    const intervalMs = 1_000 / this.settings.strangerPasswordsPerSecond;
    const now = performance.now();
    const waitMs = this.unknownDueAt - now;
    if (waitMs > 0) {
      clearTimeout(this.pauseTimer);
      this.pauseTimer = setTimeout(() => {
        this.startNext();
      }, waitMs);
      return null;
    }
    this.unknownDueAt = Math.max(this.unknownDueAt, now - BURST * intervalMs) + intervalMs;
    return this.unknownCallers.shift();
  }

  private startChild(): ChildProcess {
    const child = fork(SCRIPT, [], {
      // Does not pass the environment of the service, which contains its keys.
      env: {},
      execArgv: ['--disable-proto=delete'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('message', (answer: PasswordAnswer) => {
      const waiting = this.takeCurrent();
      // An idle child process must not keep the service running.
      child.unref();
      child.channel?.unref();
      if ('value' in answer) waiting?.resolve(answer.value);
      else waiting?.reject(new Error(`work on a password failed: ${answer.failure}`));
      this.startNext();
    });
    child.on('error', () => {
      this.handleExit(child);
    });
    child.on('exit', () => {
      this.handleExit(child);
    });
    return child;
  }

  /** Rejects the task of a child process that exited. The next task starts a new process. */
  private handleExit(child: ChildProcess): void {
    if (this.child !== child) return;
    this.child = null;
    this.takeCurrent()?.reject(new Error('the process for passwords ended'));
    this.startNext();
  }

  private takeCurrent(): WaitingTask | null {
    const { current } = this;
    this.current = null;
    return current;
  }
}
