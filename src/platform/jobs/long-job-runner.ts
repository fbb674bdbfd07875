import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, type OnModuleDestroy } from '@nestjs/common';
import { isDatabaseUnavailable } from '../database/index.js';
import type { LeasedJob } from './store/leased-job.repository.js';

/** Milliseconds between two renewals, a third of a lease; of the first pause, which doubles; and of the longest. */
const TIMES = { renewal: 5_000, pause: 1_000, longestPause: 8_000 };

/** The claims on the jobs of one table. */
interface Claims<Claimed> {
  claimNext(): Promise<Claimed | null>;
  renew(claimed: Claimed): Promise<boolean>;
  release(claimed: Claimed): Promise<void>;
}

/** Runs the long jobs of one kind: one after the other, in turns among organisations, each under a lease. */
export abstract class LongJobRunner<Claimed extends LeasedJob> implements OnModuleDestroy {
  protected readonly logger = new Logger(this.constructor.name);
  private readonly shutdown = new AbortController();

  protected constructor(
    private readonly claims: Claims<Claimed>,
    /** The name of the kind in the log, and how many attempts in a row a job of a kind with `fail` has without progress. */
    private readonly kind: { readonly title: string; readonly maxAttempts?: number },
    private readonly times = TIMES,
  ) {}

  protected get stopping(): boolean {
    return this.shutdown.signal.aborted;
  }

  onModuleDestroy(): void {
    this.shutdown.abort();
  }

  /** Claims and runs jobs until none may run now. */
  async runAll(): Promise<void> {
    while (!this.stopping) {
      const claimed = await this.claims.claimNext();
      if (!claimed) return;
      await this.attempt(claimed);
    }
  }

  /** Does the work of a job, and ends or releases it. The lease lasts meanwhile, however long a step takes. */
  protected abstract work(claimed: Claimed): Promise<void>;

  /** Ends a job that does not succeed. A kind without it repeats its jobs until they do. */
  protected fail?(claimed: Claimed, code: string): Promise<void>;

  /** Ends a job because of an error that another attempt would not change; false for any other error. */
  protected failAfter?(claimed: Claimed, error: unknown): Promise<boolean>;

  protected release(claimed: Claimed): Promise<void> {
    return this.claims.release(claimed);
  }

  private async attempt(claimed: Claimed): Promise<void> {
    const { id, attempts } = claimed;
    if (this.fail && attempts > (this.kind.maxAttempts ?? Infinity)) {
      await this.fail(claimed, 'ATTEMPTS_EXHAUSTED');
      return;
    }
    const heartbeat = setInterval(() => void this.renew(claimed), this.times.renewal);
    try {
      await this.work(claimed);
    } catch (error) {
      // The lease expires, and the next process that reaches the database continues the job.
      if (isDatabaseUnavailable(error)) throw error;
      if (await this.failAfter?.(claimed, error)) return;
      // Only the kind of the error is logged: its message may quote data.
      this.logger.error(`${this.kind.title} ${id} was interrupted (${nameOf(error)}), attempt ${attempts}`);
      // The pause gives a busy machine time; a shutdown ends it.
      const pause = Math.min(this.times.pause * 2 ** (attempts - 1), this.times.longestPause);
      await sleep(pause, null, this.shutdown).catch(() => null);
      await this.claims.release(claimed);
    } finally {
      clearInterval(heartbeat);
    }
  }

  private async renew(claimed: Claimed): Promise<void> {
    try {
      await this.claims.renew(claimed);
    } catch (error) {
      this.logger.warn(`the lease of ${this.kind.title} ${claimed.id} was not renewed (${nameOf(error)})`);
    }
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown error');
