/** A delivery whose turn has come. */
export interface Turn {
  readonly deliveryId: string;
  readonly endpointId: string;
}

interface Lane {
  /** In order of arrival, each once however often it is announced. */
  readonly waiting: Set<string>;
  inFlight: number;
  failures: number;
}

export interface LaneLimits {
  readonly perEndpoint: number;
  /** Announcements beyond this are dropped; the reconciler repeats them. */
  readonly waitingPerEndpoint: number;
}

// From here on an endpoint is asked one delivery at a time, until it answers well once.
const FAILURES_TO_NARROW = 5;

/**
 * Whose turn it is: one lane per endpoint, served round-robin, each with its own limit. A receiver that hangs fills
 * its own lane and nobody else's, and one that keeps failing is narrowed to a single probe at a time.
 */
export class DeliveryLanes {
  private readonly lanes = new Map<string, Lane>();

  constructor(private readonly limits: LaneLimits) {}

  offer(turn: Turn): void {
    const lane = this.lane(turn.endpointId);
    if (lane.waiting.size < this.limits.waitingPerEndpoint) lane.waiting.add(turn.deliveryId);
  }

  /** Takes up to `count` turns; each holds a place in its lane until `release`. */
  take(count: number): Turn[] {
    const turns: Turn[] = [];
    for (const [endpointId, lane] of this.lanes) {
      if (turns.length >= count) break;
      const [deliveryId] = lane.waiting;
      if (deliveryId === undefined || lane.inFlight >= this.widthOf(lane)) continue;
      lane.waiting.delete(deliveryId);
      lane.inFlight += 1;
      turns.push({ deliveryId, endpointId });
      // To the end of the line; the loop meets the lane again after all the others.
      this.lanes.delete(endpointId);
      this.lanes.set(endpointId, lane);
    }
    return turns;
  }

  release(endpointId: string): void {
    const lane = this.lane(endpointId);
    lane.inFlight -= 1;
    if (lane.inFlight === 0 && lane.waiting.size === 0 && lane.failures === 0) this.lanes.delete(endpointId);
  }

  /** Tells how an attempt went. Call it before `release`. */
  observe(endpointId: string, succeeded: boolean): void {
    const lane = this.lane(endpointId);
    lane.failures = succeeded ? 0 : lane.failures + 1;
  }

  get waiting(): number {
    let sum = 0;
    for (const lane of this.lanes.values()) sum += lane.waiting.size;
    return sum;
  }

  private widthOf(lane: Lane): number {
    return lane.failures >= FAILURES_TO_NARROW ? 1 : this.limits.perEndpoint;
  }

  private lane(endpointId: string): Lane {
    let lane = this.lanes.get(endpointId);
    if (!lane) {
      lane = { waiting: new Set(), inFlight: 0, failures: 0 };
      this.lanes.set(endpointId, lane);
    }
    return lane;
  }
}
