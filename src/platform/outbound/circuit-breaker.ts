export interface BreakerLimits {
  /** Failures in a row after which nothing is tried any more. */
  readonly failures: number;
  /** The pause before one request may try again. */
  readonly pauseMs: number;
}

/** Stops requests to a source that keeps failing. Pure: the caller brings the time, in milliseconds. */
export class CircuitBreaker {
  private failed = 0;
  private openUntil = 0;
  private trying = false;

  constructor(private readonly limits: BreakerLimits) {}

  /** True if a request may be made now; after a pause only one may, until it has ended. */
  allows(now: number): boolean {
    if (this.failed < this.limits.failures) return true;
    if (now < this.openUntil || this.trying) return false;
    this.trying = true;
    return true;
  }

  succeeded(): void {
    this.failed = 0;
    this.trying = false;
  }

  failedAt(now: number): void {
    this.failed += 1;
    this.trying = false;
    if (this.failed >= this.limits.failures) this.openUntil = now + this.limits.pauseMs;
  }
}
