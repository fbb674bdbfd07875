import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Options } from '@node-rs/argon2';
import { Settings } from '../../../platform/config/index.js';
import { networksOf } from '../../../platform/http/index.js';
import { DomainError, FairQueue, type Turn } from '../../../platform/kernel/index.js';

export type PasswordTask =
  | { readonly kind: 'hash'; readonly password: string; readonly options: Options }
  | { readonly kind: 'verify'; readonly password: string; readonly hash: string }
  | { readonly kind: 'guesses'; readonly password: string; readonly context: readonly string[] };

export type PasswordAnswer = { readonly value: unknown } | { readonly failure: string };

/** Who has a password hashed or judged. */
export interface PasswordAsker {
  readonly ip: string | null;
  /** The account whose password it is said to be, whether there is one or not. */
  readonly account?: string;
  /** By a device that logged in before, a session or an invitation; anybody else may be guessing. */
  readonly known: boolean;
}

/** The command line, which only whoever runs the service can use. */
export const COMMAND_LINE: PasswordAsker = { ip: null, known: true };

interface Waiting extends Turn {
  readonly task: PasswordTask;
  /** The smallest network of whoever asks. */
  readonly network: string;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

// Fifty callers that wait cost less than fifty that are refused and come again at once.
const MAX_WAITING = 50;
// One network cannot fill the queue for all others.
const MAX_WAITING_PER_NETWORK = 8;
const overloaded = (): DomainError => new DomainError('OVERLOADED', { retryAfterSeconds: 2 });

const KNOWN_IN_A_ROW = 8;

// Colleagues who come to work at the same minute do not wait for each other.
const BURST = 10;
const SCRIPT = fileURLToPath(new URL('./password.child.mjs', import.meta.url));

/**
 * The costly work on passwords, one at a time in a process of its own, with a bounded queue before it: beyond it the
 * answer is OVERLOADED. A process, not a thread: the 46 MiB that each password takes and gives back would hold up the
 * memory management of the process that answers requests; and one, so that a processor is always left for those.
 * Passwords of strangers are held to a rate, because two threads of one core slow each other down however they are
 * scheduled; whoever is known goes before them, eight times to one, and is not held up by an attack. All have their turns
 * by network and account: a flood from one network, or at one account, leaves the others served.
 */
@Injectable()
export class PasswordProcess implements OnApplicationShutdown {
  private child: ChildProcess | null = null;
  private current: Waiting | null = null;
  private readonly known = new FairQueue<Waiting>(MAX_WAITING);
  private readonly strangers = new FairQueue<Waiting>(MAX_WAITING);
  /** When the passwords of strangers that were looked at so far would have come at the rate. */
  private strangersDueAt = 0;
  /** Turns of the known since the last one of a stranger. */
  private inARow = 0;
  private pause: NodeJS.Timeout | undefined;

  constructor(private readonly settings: Settings) {}

  /** Performs the task in its turn; the share of one network in the queue is limited. */
  perform(task: PasswordTask, asker: PasswordAsker): Promise<unknown> {
    const networks = networksOf(asker.ip);
    const network = networks[0].key;
    const queue = asker.known ? this.known : this.strangers;
    const sameNetwork = queue.items().filter((waiting) => waiting.network === network).length;
    if (sameNetwork >= MAX_WAITING_PER_NETWORK) return Promise.reject(overloaded());
    const charges = networks.map(({ key, factor }) => ({ key, weight: 1 / factor }));
    if (asker.account !== undefined) charges.push({ key: `account ${asker.account}`, weight: 1 });
    return new Promise((resolve, reject) => {
      const waiting = { task, network, charges, resolve, reject };
      queue.push(waiting)?.reject(overloaded());
      this.next();
    });
  }

  onApplicationShutdown(): void {
    clearTimeout(this.pause);
    const refused = new DomainError('NOT_READY');
    for (const waiting of [...this.known.clear(), ...this.strangers.clear()]) waiting.reject(refused);
    this.settle()?.reject(refused);
    const { child } = this;
    this.child = null;
    child?.kill();
  }

  private next(): void {
    if (this.current) return;
    this.current = this.turn();
    if (!this.current) return;
    this.child ??= this.start();
    const { child } = this;
    child.ref();
    child.channel?.ref();
    child.send(this.current.task, (error) => {
      if (error) child.kill();
    });
  }

  /** The known go first, but not for ever: among them may be whoever has many sessions, or one invitation. */
  private turn(): Waiting | null {
    const stranger = this.inARow >= KNOWN_IN_A_ROW ? this.nextStranger() : null;
    const known = stranger ? null : this.known.shift();
    this.inARow = known ? this.inARow + 1 : 0;
    return known ?? stranger ?? this.nextStranger();
  }

  private nextStranger(): Waiting | null {
    if (this.strangers.length === 0) return null;
    const intervalMs = 1_000 / this.settings.strangerPasswordsPerSecond;
    const now = performance.now();
    const waitMs = this.strangersDueAt - now;
    if (waitMs > 0) {
      clearTimeout(this.pause);
      this.pause = setTimeout(() => {
        this.next();
      }, waitMs);
      return null;
    }
    this.strangersDueAt = Math.max(this.strangersDueAt, now - BURST * intervalMs) + intervalMs;
    return this.strangers.shift();
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
