export interface BreakerLimits {
  /** The breaker opens after this many failures in a row. */
  readonly failures: number;
  /** How long the breaker stays open before one trial request. */
  readonly pauseMs: number;
}

/** Stops requests to a service that keeps failing. Pure: the caller passes the time, in milliseconds. */
export class CircuitBreaker {
  private failed = 0;
  private openUntil = 0;
  private trying = false;

  constructor(private readonly limits: BreakerLimits) {}

  /** True if a request may be sent now. After the pause, only one trial request may be under way. */
  allows(now: number): boolean {
    if (this.failed < this.limits.failures) return true;
    if (now < this.openUntil || this.trying) return false;
    this.trying = true;
    return true;
  }

  recordSuccess(): void {
    this.failed = 0;
    this.trying = false;
  }

  recordFailure(now: number): void {
    this.failed += 1;
    this.trying = false;
    if (this.failed >= this.limits.failures) this.openUntil = now + this.limits.pauseMs;
  }
}
