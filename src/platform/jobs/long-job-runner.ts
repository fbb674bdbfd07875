import { Logger, type OnModuleDestroy } from '@nestjs/common';
import { isDatabaseUnavailable } from '../database/index.js';
import type { LeasedJob } from './store/leased-job.repository.js';

/** The claims on the jobs of one table. */
interface Claims<Claimed> {
  claimNext(): Promise<Claimed | null>;
  release(claimed: Claimed): Promise<void>;
}

/** Runs the long jobs of one kind: one after the other, in turns among organisations, each under a lease. */
export abstract class LongJobRunner<Claimed extends LeasedJob> implements OnModuleDestroy {
  protected readonly logger = new Logger(this.constructor.name);
  protected stopping = false;

  protected constructor(
    private readonly claims: Claims<Claimed>,
    /** The name of the kind in the log, and how many attempts in a row a job has without progress. */
    private readonly kind: { readonly title: string; readonly maxAttempts: number },
  ) {}

  onModuleDestroy(): void {
    this.stopping = true;
  }

  /** Claims and runs jobs until none may run now. */
  async runAll(): Promise<void> {
    while (!this.stopping) {
      const claimed = await this.claims.claimNext();
      if (!claimed) return;
      await this.attempt(claimed);
    }
  }

  /** Does the work of a job, and ends or releases it. */
  protected abstract work(claimed: Claimed): Promise<void>;

  /** Ends a job that does not succeed. */
  protected abstract fail(claimed: Claimed, code: string): Promise<void>;

  /** Ends a job because of an error that another attempt would not change; false for any other error. */
  protected failAfter?(claimed: Claimed, error: unknown): Promise<boolean>;

  protected release(claimed: Claimed): Promise<void> {
    return this.claims.release(claimed);
  }

  private async attempt(claimed: Claimed): Promise<void> {
    const { id, attempts } = claimed;
    if (attempts > this.kind.maxAttempts) {
      await this.fail(claimed, 'ATTEMPTS_EXHAUSTED');
      return;
    }
    try {
      await this.work(claimed);
    } catch (error) {
      // The lease expires, and the next process that reaches the database continues the job.
      if (isDatabaseUnavailable(error)) throw error;
      if (await this.failAfter?.(claimed, error)) return;
      // Only the kind of the error is logged: its message may quote data.
      const name = error instanceof Error ? error.name : 'unknown error';
      this.logger.error(`${this.kind.title} ${id} was interrupted (${name}), attempt ${attempts}`);
      await this.claims.release(claimed);
    }
  }
}
