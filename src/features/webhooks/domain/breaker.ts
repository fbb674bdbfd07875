/** The circuit breaker's settings: after how many failures it opens, and for how long. */
export interface BreakerPolicy {
  /** Failed attempts in a row that open the breaker. */
  readonly failures: number;
  /** The pauses after the first opening, the second and so on (ms). The last pause repeats. */
  readonly pausesMs: readonly number[];
}

export type BreakerState = 'CLOSED' | 'OPEN' | 'HALF_OPEN';

/**
 * The circuit breaker of one endpoint: while it is open, nothing is sent to an endpoint that only fails. After a
 * pause it lets one delivery through (half-open). A success closes it; a failure begins a longer pause.
 */
export class EndpointBreaker {
  private failuresInRow = 0;
  private openingsInRow = 0;
  private openUntil: number | null = null;

  constructor(private readonly policy: BreakerPolicy) {}

  /** Failed attempts since the last success. */
  get failures(): number {
    return this.failuresInRow;
  }

  state(now: number): BreakerState {
    if (this.openUntil === null) return 'CLOSED';
    return now < this.openUntil ? 'OPEN' : 'HALF_OPEN';
  }

  /** The time of the next attempt while the breaker is open, or null. */
  reopensAt(now: number): number | null {
    return this.state(now) === 'OPEN' ? this.openUntil : null;
  }

  /** Counts an attempt. Returns true if this attempt opened the breaker. */
  record(succeeded: boolean, now: number): boolean {
    if (succeeded) {
      this.failuresInRow = 0;
      this.openingsInRow = 0;
      this.openUntil = null;
      return false;
    }
    this.failuresInRow += 1;
    const state = this.state(now);
    // A failure of an attempt that began before the breaker opened does not lengthen the pause.
    if (state === 'OPEN' || (state === 'CLOSED' && this.failuresInRow < this.policy.failures)) return false;
    const { pausesMs } = this.policy;
    this.openUntil = now + (pausesMs[Math.min(this.openingsInRow, pausesMs.length - 1)] ?? 0);
    this.openingsInRow += 1;
    return true;
  }
}
