export interface BreakerLimits {
  /** The breaker opens after this many failures in a row. */
  readonly failures: number;
  /** How long the breaker stays open before one trial request. */
  readonly pauseMs: number;
}

/** Stops requests to a service that keeps failing. Pure: the caller passes the time, in milliseconds. */
export class CircuitBreaker {
  private failuresInRow = 0;
  private openUntil = 0;
  private isTrying = false;

  constructor(private readonly limits: BreakerLimits) {}

  /** True if a request may be sent now. After the pause, only one trial request may be under way. */
  allows(now: number): boolean {
    if (this.failuresInRow < this.limits.failures) return true;
    if (now < this.openUntil || this.isTrying) return false;
    this.isTrying = true;
    return true;
  }

  recordSuccess(): void {
    this.failuresInRow = 0;
    this.isTrying = false;
  }

  recordFailure(now: number): void {
    this.failuresInRow += 1;
    this.isTrying = false;
    if (this.failuresInRow >= this.limits.failures) this.openUntil = now + this.limits.pauseMs;
  }
}
