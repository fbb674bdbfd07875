import { CircuitBreaker, type BreakerPolicy, type BreakerState } from './breaker.js';

/** A delivery that waits for its turn. */
export interface QueuedDelivery {
  readonly deliveryId: string;
  readonly endpointId: string;
}

export interface AttemptTiming {
  readonly succeeded: boolean;
  readonly durationMs: number;
}

/** The state of an endpoint, also while nothing waits for it. */
interface Health {
  readonly breaker: CircuitBreaker;
  /** The smoothed duration of an attempt, in milliseconds; null before the first. */
  paceMs: number | null;
}

interface Lane<Claim> {
  /** Deliveries that are announced and not claimed, in order of arrival, each once. */
  readonly waiting: Set<string>;
  readonly ready: Claim[];
  readonly health: Health;
  claiming: number;
  sending: number;
  /** The organisation; null before the first claim. */
  owner: string | null;
}

// The reconciler repeats announcements that are dropped beyond this; at most about 2 MB per endpoint.
const WAITING_LIMIT = 20_000;
const WAITING_LIMIT_FAILING = 100;
// Claims cover about this much time ahead, so that a fast endpoint does not wait for a claim after each answer.
const AHEAD_MS = 1_000;
const AHEAD_LIMIT = 100;
// The limit over all endpoints, because a claimed delivery holds its event in memory.
const CLAIMED_LIMIT = 2_000;

/** Limits how many deliveries of one organisation are under way. */
export interface OrganisationShare<Claim> {
  ownerOf(claim: Claim): string;
  most(owner: string): number;
}

/**
 * Lanes take turns: one lane per endpoint, served round-robin, each with its own limit. A receiver that hangs fills
 * its own lane and nobody else's, and one that keeps failing is left alone by its circuit breaker. Times are those of
 * one monotonic clock, in milliseconds.
 */
export class DeliveryLanes<Claim extends QueuedDelivery> {
  /** Only lanes that have work: a round over them must not cost more with every idle endpoint. */
  private readonly lanes = new Map<string, Lane<Claim>>();
  private readonly health = new Map<string, Health>();
  private claimedCount = 0;
  /** Counts the deliveries under way of each organisation. */
  private readonly sendingOf = new Map<string, number>();

  constructor(
    private readonly width: number,
    private readonly policy: BreakerPolicy,
    private readonly share: OrganisationShare<Claim> = {
      ownerOf: () => '',
      most: () => Number.POSITIVE_INFINITY,
    },
  ) {}

  announce({ endpointId, deliveryId }: QueuedDelivery, now: number): void {
    const lane = this.lane(endpointId);
    const limit = stateOf(lane, now) === 'CLOSED' ? WAITING_LIMIT : WAITING_LIMIT_FAILING;
    if (lane.waiting.size < limit) lane.waiting.add(deliveryId);
  }

  /** Takes as many turns as the endpoints will soon need; `claimed` ends them. */
  nextToClaim(limit: number, now: number): QueuedDelivery[] {
    const turns: QueuedDelivery[] = [];
    const most = Math.min(limit, CLAIMED_LIMIT - this.claimedCount);
    for (const [endpointId, lane] of this.lanes) {
      const ahead = this.aheadOf(lane);
      const room = this.widthOf(lane, now) + ahead - lane.sending - lane.claiming - lane.ready.length;
      const count = Math.min(room, most - turns.length, lane.waiting.size);
      // Half of what was claimed ahead is used up first, so that claims come in batches.
      if (count <= 0 || room < ahead / 2) continue;
      for (const deliveryId of firstOf(lane.waiting, count)) {
        lane.waiting.delete(deliveryId);
        turns.push({ deliveryId, endpointId });
      }
      lane.claiming += count;
      this.toTheEnd(endpointId, lane);
    }
    this.claimedCount += turns.length;
    return turns;
  }

  /** Ends the turns: claimed deliveries become ready to send, the others belong to another process or are not due. */
  claimed(turns: readonly QueuedDelivery[], claims: readonly Claim[]): void {
    for (const { endpointId } of turns) this.lane(endpointId).claiming -= 1;
    for (const claim of claims) this.lane(claim.endpointId).ready.push(claim);
    for (const { endpointId } of turns) this.tidy(endpointId);
    this.claimedCount -= turns.length - claims.length;
  }

  /** Takes claims to send, one of each endpoint in turn; `sent` ends each. */
  nextToSend(limit: number, now: number): Claim[] {
    const claims: Claim[] = [];
    for (const [endpointId, lane] of this.lanes) {
      if (claims.length >= limit) break;
      if (lane.sending >= this.widthOf(lane, now)) continue;
      const [claim] = lane.ready;
      if (!claim) continue;
      const owner = this.share.ownerOf(claim);
      const others = this.sendingOf.get(owner) ?? 0;
      if (others >= this.share.most(owner)) continue;
      lane.ready.shift();
      lane.owner = owner;
      lane.sending += 1;
      this.sendingOf.set(owner, others + 1);
      claims.push(claim);
      this.toTheEnd(endpointId, lane);
    }
    this.claimedCount -= claims.length;
    return claims;
  }

  /**
   * Frees the place of a claim that was sent, or was not sent after all (`pace` null). If this attempt opened the
   * breaker, returns when the endpoint may be tried again.
   */
  sent(endpointId: string, pace: AttemptTiming | null, now: number): number | null {
    const lane = this.lane(endpointId);
    const { health } = lane;
    lane.sending -= 1;
    this.leave(lane.owner ?? '');
    let opened = false;
    if (pace) {
      opened = health.breaker.record(pace.succeeded, now);
      health.paceMs = health.paceMs === null ? pace.durationMs : 0.8 * health.paceMs + 0.2 * pace.durationMs;
    }
    this.tidy(endpointId);
    return opened ? health.breaker.reopensAt(now) : null;
  }

  /** Takes back all claims that are not sent yet. */
  reclaimUnsent(): Claim[] {
    return this.takeBack([...this.lanes.values()]);
  }

  /** Takes back the claims of endpoints whose breaker is open: their leases would end before their turn. */
  reclaimForOpenBreakers(now: number): Claim[] {
    return this.takeBack([...this.lanes.values()].filter((lane) => stateOf(lane, now) === 'OPEN'));
  }

  /** Counts the endpoints with work whose breaker is not closed. */
  held(now: number): number {
    let sum = 0;
    for (const lane of this.lanes.values()) if (stateOf(lane, now) !== 'CLOSED') sum += 1;
    return sum;
  }

  get waiting(): number {
    let sum = 0;
    for (const lane of this.lanes.values()) sum += lane.waiting.size + lane.ready.length;
    return sum;
  }

  private leave(owner: string): void {
    const left = (this.sendingOf.get(owner) ?? 1) - 1;
    if (left === 0) this.sendingOf.delete(owner);
    else this.sendingOf.set(owner, left);
  }

  private widthOf(lane: Lane<Claim>, now: number): number {
    const widths: Readonly<Record<BreakerState, number>> = { CLOSED: this.width, HALF_OPEN: 1, OPEN: 0 };
    return widths[stateOf(lane, now)];
  }

  private takeBack(lanes: readonly Lane<Claim>[]): Claim[] {
    const claims = lanes.flatMap((lane) => lane.ready.splice(0));
    this.claimedCount -= claims.length;
    for (const endpointId of new Set(claims.map((claim) => claim.endpointId))) this.tidy(endpointId);
    return claims;
  }

  /** The number of deliveries to claim ahead: as many as the endpoint takes in `AHEAD_MS` at its last pace. */
  private aheadOf({ health: { breaker, paceMs } }: Lane<Claim>): number {
    if (breaker.failures > 0 || paceMs === null) return 0;
    return Math.min(AHEAD_LIMIT, Math.floor((this.width * AHEAD_MS) / Math.max(paceMs, 1)));
  }

  /** Moves a lane to the end of the round: a running loop over the lanes meets it again after all the others. */
  private toTheEnd(endpointId: string, lane: Lane<Claim>): void {
    this.lanes.delete(endpointId);
    this.lanes.set(endpointId, lane);
  }

  private lane(endpointId: string): Lane<Claim> {
    let lane = this.lanes.get(endpointId);
    if (!lane) {
      const health = this.health.get(endpointId) ?? {
        breaker: new CircuitBreaker(this.policy),
        paceMs: null,
      };
      this.health.set(endpointId, health);
      lane = { waiting: new Set(), ready: [], health, claiming: 0, sending: 0, owner: null };
      this.lanes.set(endpointId, lane);
    }
    return lane;
  }

  private tidy(endpointId: string): void {
    const { waiting, ready, claiming, sending } = this.lane(endpointId);
    if (waiting.size + ready.length + claiming + sending === 0) this.lanes.delete(endpointId);
  }
}

const stateOf = ({ health }: { readonly health: Health }, now: number): BreakerState =>
  health.breaker.state(now);

function firstOf(ids: ReadonlySet<string>, count: number): string[] {
  const first: string[] = [];
  for (const id of ids) {
    if (first.length >= count) break;
    first.push(id);
  }
  return first;
}
