import { EndpointBreaker, type BreakerPolicy, type BreakerState } from './breaker.js';

export interface QueuedDelivery {
  readonly deliveryId: string;
  readonly endpointId: string;
}

export interface AttemptTiming {
  readonly succeeded: boolean;
  readonly durationMs: number;
}

/** The state of an endpoint, kept even while the endpoint has no deliveries. */
interface Health {
  readonly breaker: EndpointBreaker;
  /** The smoothed duration of an attempt, in milliseconds; null before the first attempt. */
  paceMs: number | null;
}

interface Lane<Claim> {
  /** Announced deliveries that are not claimed yet, without duplicates, in order of arrival. */
  readonly waiting: Set<string>;
  readonly ready: Claim[];
  readonly health: Health;
  claiming: number;
  sending: number;
  /** The organisation; null before the first claim. */
  owner: string | null;
}

// Maximum number of waiting announcements per endpoint, about 2 MB. Beyond it announcements are dropped, and the
// reconciler repeats them later.
const WAITING_LIMIT = 20_000;
const WAITING_LIMIT_FAILING = 100;
// Deliveries are claimed this long ahead, so that a fast endpoint does not wait for a claim after each response.
const AHEAD_MS = 1_000;
const AHEAD_LIMIT = 100;
// The limit of claimed, unsent deliveries over all endpoints, because each holds its event in memory.
const CLAIMED_LIMIT = 2_000;

/** Limits how many deliveries of one organisation are in flight. */
export interface OrganisationShare<Claim> {
  ownerOf(claim: Claim): string;
  most(owner: string): number;
}

/**
 * Schedules deliveries round-robin over lanes, one per endpoint, each with its own limit. A receiver that hangs fills
 * only its own lane, and the circuit breaker stops sending if it keeps failing. Times are milliseconds of one
 * monotonic clock.
 */
export class DeliveryLanes<Claim extends QueuedDelivery> {
  /** The lanes with work. Others are left out, because each scheduling run iterates over all lanes. */
  private readonly lanes = new Map<string, Lane<Claim>>();
  private readonly health = new Map<string, Health>();
  private claimedCount = 0;
  /** The number of deliveries in flight per organisation. */
  private readonly sendingOf = new Map<string, number>();

  constructor(
    private readonly maxSending: number,
    private readonly policy: BreakerPolicy,
    private readonly share: OrganisationShare<Claim> = {
      ownerOf: () => '',
      most: () => Number.POSITIVE_INFINITY,
    },
  ) {}

  announce({ endpointId, deliveryId }: QueuedDelivery, now: number): void {
    const lane = this.laneOf(endpointId);
    const limit = stateOf(lane, now) === 'CLOSED' ? WAITING_LIMIT : WAITING_LIMIT_FAILING;
    if (lane.waiting.size < limit) lane.waiting.add(deliveryId);
  }

  /** Takes the deliveries to claim next, as many as endpoints will soon need. The caller then calls `recordClaims`. */
  nextToClaim(limit: number, now: number): QueuedDelivery[] {
    const turns: QueuedDelivery[] = [];
    const most = Math.min(limit, CLAIMED_LIMIT - this.claimedCount);
    for (const [endpointId, lane] of this.lanes) {
      const ahead = this.aheadOf(lane);
      const room = this.widthOf(lane, now) + ahead - lane.sending - lane.claiming - lane.ready.length;
      const count = Math.min(room, most - turns.length, lane.waiting.size);
      // Claims again only when half of the claimed deliveries are used up, so that claims are batched.
      if (count <= 0 || room < ahead / 2) continue;
      for (const deliveryId of firstOf(lane.waiting, count)) {
        lane.waiting.delete(deliveryId);
        turns.push({ deliveryId, endpointId });
      }
      lane.claiming += count;
      this.moveToEnd(endpointId, lane);
    }
    this.claimedCount += turns.length;
    return turns;
  }

  /** Records a claim statement: `claims` are ready to send; the other `turns` are not due, or of another process. */
  recordClaims(turns: readonly QueuedDelivery[], claims: readonly Claim[]): void {
    for (const { endpointId } of turns) this.laneOf(endpointId).claiming -= 1;
    for (const claim of claims) this.laneOf(claim.endpointId).ready.push(claim);
    for (const { endpointId } of turns) this.tidy(endpointId);
    this.claimedCount -= turns.length - claims.length;
  }

  /** Takes claims to send, one of each endpoint in turn. The caller then calls `recordSent` for each claim. */
  nextToSend(limit: number, now: number): Claim[] {
    const claims: Claim[] = [];
    for (const [endpointId, lane] of this.lanes) {
      if (claims.length >= limit) break;
      if (lane.sending >= this.widthOf(lane, now)) continue;
      const [claim] = lane.ready;
      if (!claim) continue;
      const owner = this.share.ownerOf(claim);
      const sendingCount = this.sendingOf.get(owner) ?? 0;
      if (sendingCount >= this.share.most(owner)) continue;
      lane.ready.shift();
      lane.owner = owner;
      lane.sending += 1;
      this.sendingOf.set(owner, sendingCount + 1);
      claims.push(claim);
      this.moveToEnd(endpointId, lane);
    }
    this.claimedCount -= claims.length;
    return claims;
  }

  /**
   * Frees the slot of a claim; `pace` is null if no attempt was made. If this attempt opened the breaker,
   * returns when the endpoint may be tried again.
   */
  recordSent(endpointId: string, pace: AttemptTiming | null, now: number): number | null {
    const lane = this.laneOf(endpointId);
    const { health } = lane;
    lane.sending -= 1;
    this.freePlaceOf(lane.owner ?? '');
    let hasOpened = false;
    if (pace) {
      hasOpened = health.breaker.record(pace.succeeded, now);
      health.paceMs = health.paceMs === null ? pace.durationMs : 0.8 * health.paceMs + 0.2 * pace.durationMs;
    }
    this.tidy(endpointId);
    return hasOpened ? health.breaker.reopensAt(now) : null;
  }

  /** Removes and returns all claims that are not sent yet. */
  reclaimUnsent(): Claim[] {
    return this.removeReady([...this.lanes.values()]);
  }

  /** Removes and returns the claims of endpoints with an open breaker: their leases would expire unsent. */
  reclaimForOpenBreakers(now: number): Claim[] {
    return this.removeReady([...this.lanes.values()].filter((lane) => stateOf(lane, now) === 'OPEN'));
  }

  /** Counts the endpoints with work whose breaker is not closed. */
  countHeld(now: number): number {
    let sum = 0;
    for (const lane of this.lanes.values()) if (stateOf(lane, now) !== 'CLOSED') sum += 1;
    return sum;
  }

  get waiting(): number {
    let sum = 0;
    for (const lane of this.lanes.values()) sum += lane.waiting.size + lane.ready.length;
    return sum;
  }

  private freePlaceOf(owner: string): void {
    const remaining = (this.sendingOf.get(owner) ?? 1) - 1;
    if (remaining === 0) this.sendingOf.delete(owner);
    else this.sendingOf.set(owner, remaining);
  }

  private widthOf(lane: Lane<Claim>, now: number): number {
    const widths: Readonly<Record<BreakerState, number>> = { CLOSED: this.maxSending, HALF_OPEN: 1, OPEN: 0 };
    return widths[stateOf(lane, now)];
  }

  private removeReady(lanes: readonly Lane<Claim>[]): Claim[] {
    const claims = lanes.flatMap((lane) => lane.ready.splice(0));
    this.claimedCount -= claims.length;
    for (const endpointId of new Set(claims.map((claim) => claim.endpointId))) this.tidy(endpointId);
    return claims;
  }

  /** The number of deliveries to claim ahead: as many as the endpoint takes in `AHEAD_MS` at its average pace. */
  private aheadOf({ health: { breaker, paceMs } }: Lane<Claim>): number {
    if (breaker.failures > 0 || paceMs === null) return 0;
    return Math.min(AHEAD_LIMIT, Math.floor((this.maxSending * AHEAD_MS) / Math.max(paceMs, 1)));
  }

  /** Moves a lane to the end of the Map: a running iteration reaches it again after all other lanes. */
  private moveToEnd(endpointId: string, lane: Lane<Claim>): void {
    this.lanes.delete(endpointId);
    this.lanes.set(endpointId, lane);
  }

  private laneOf(endpointId: string): Lane<Claim> {
    let lane = this.lanes.get(endpointId);
    if (!lane) {
      const health = this.health.get(endpointId) ?? {
        breaker: new EndpointBreaker(this.policy),
        paceMs: null,
      };
      this.health.set(endpointId, health);
      lane = { waiting: new Set(), ready: [], health, claiming: 0, sending: 0, owner: null };
      this.lanes.set(endpointId, lane);
    }
    return lane;
  }

  private tidy(endpointId: string): void {
    const { waiting, ready, claiming, sending } = this.laneOf(endpointId);
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
