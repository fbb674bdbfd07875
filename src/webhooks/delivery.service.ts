import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { Settings } from '../config/index.js';
import { UnitOfWork } from '../database/index.js';
import { publicId } from '../kernel/index.js';
import { DeliveryAttempts, type OpenedDelivery } from './delivery-attempts.js';
import { DeliveryRecorder } from './delivery-recorder.js';
import { DeliveryLanes, type Pace, type Turn } from './domain/lanes.js';
import { DeliveriesRepository, type Conclusion } from './store/deliveries.repository.js';
import { WebhookMetrics } from './webhook-metrics.js';

interface Claim extends Turn {
  readonly opened: OpenedDelivery;
  /** By the clock of `performance.now`: later than this the lease might end before the attempt. */
  readonly sendBefore: number;
}

// The lease outlives the attempt by the time that waiting for a place (one half) and recording (the other) may take.
const LEASE_MARGIN_MS = 10_000;
const CLAIM_BATCH = 200;
const PAUSE_AFTER_FAILURE_MS = 1_000;

/**
 * Sends due deliveries. Announced ones stand in a lane per endpoint, claim their row when their turn comes near, and
 * are sent side by side up to the limits. That a row is announced twice, late or never is no matter: the claim
 * decides, and the reconciler announces again.
 */
@Injectable()
export class DeliveryService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(DeliveryService.name);
  private readonly lanes: DeliveryLanes<Claim>;
  private readonly running = new Set<Promise<void>>();
  private inFlight = 0;
  private claiming = false;
  private stopped = false;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly deliveries: DeliveriesRepository,
    private readonly attempts: DeliveryAttempts,
    private readonly recorder: DeliveryRecorder,
    private readonly settings: Settings,
    metrics: WebhookMetrics,
  ) {
    this.lanes = new DeliveryLanes(settings.webhookEndpointConcurrency);
    metrics.watch(() => ({ inFlight: this.inFlight, waiting: this.lanes.waiting }));
  }

  /** Puts due deliveries in line. Those of disabled endpoints end here; those of paused ones stay as they are. */
  async announce(ids: readonly string[]): Promise<void> {
    const due = await this.deliveries.locateDue(ids);
    const dead = due.filter(({ endpointStatus }) => endpointStatus === 'DISABLED').map(({ id }) => id);
    if (dead.length > 0) await this.uow.run((tx) => this.deliveries.cancel(tx, dead, 'ENDPOINT_DISABLED'));
    for (const { id, endpointId, endpointStatus } of due) {
      if (endpointStatus === 'ACTIVE') this.lanes.announce({ deliveryId: id, endpointId });
    }
    this.advance();
  }

  /** Lets running attempts end and gives back what was not begun. What does not end in time is sent again later. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    const patience = sleep(this.settings.shutdownTimeoutMs, undefined, { ref: false });
    await Promise.race([Promise.all(this.running), patience]);
    const unsent = this.lanes.recall().map(({ opened }) => opened.delivery);
    if (unsent.length === 0) return;
    await this.uow
      .run((tx) => this.deliveries.giveBack(tx, unsent))
      .catch((error: unknown) => {
        this.logger.warn(`${unsent.length} deliveries wait for the end of their lease: ${nameOf(error)}`);
      });
  }

  /** Sends what is ready and may be sent now, and claims what will be needed next, one claim at a time. */
  private advance(): void {
    if (this.stopped) return;
    for (const claim of this.lanes.nextToSend(this.settings.webhookConcurrency - this.inFlight)) {
      this.inFlight += 1;
      this.track(this.deliver(claim));
    }
    const turns = this.claiming ? [] : this.lanes.nextToClaim(CLAIM_BATCH);
    if (turns.length > 0) {
      this.claiming = true;
      this.track(this.claim(turns));
    }
  }

  private async claim(turns: readonly Turn[]): Promise<void> {
    let claims: Claim[] = [];
    try {
      claims = await this.claimAndOpen(turns);
    } catch (error) {
      this.logger.warn(`deliveries not claimed: ${nameOf(error)}`);
      await sleep(PAUSE_AFTER_FAILURE_MS, undefined, { ref: false });
    }
    this.lanes.claimed(turns, claims);
    this.claiming = false;
    this.advance();
  }

  private async claimAndOpen(turns: readonly Turn[]): Promise<Claim[]> {
    const leaseMs = this.settings.webhookTimeoutMs + LEASE_MARGIN_MS;
    const sendBefore = performance.now() + LEASE_MARGIN_MS / 2;
    const ids = turns.map(({ deliveryId }) => deliveryId);
    const claimed = await this.uow.run((tx) => this.deliveries.claim(tx, ids, leaseMs / 1000));
    const opened = await this.attempts.open(claimed);
    return opened.map((one) => {
      const { id: deliveryId, endpointId } = one.delivery;
      return { deliveryId, endpointId, opened: one, sendBefore };
    });
  }

  /** Sends and records. When that fails the lease ends, and it is sent again: rather twice than never. */
  private async deliver(claim: Claim): Promise<void> {
    try {
      const conclusion = await this.attempt(claim);
      if (conclusion) await this.recorder.record(conclusion);
    } catch (error) {
      this.logger.warn(`delivery ${publicId('whd', claim.deliveryId)} not recorded: ${nameOf(error)}`);
    }
    this.inFlight -= 1;
    this.advance();
  }

  /** The endpoint's place is free when it has answered; the process's own when the answer is recorded. */
  private async attempt({ opened, endpointId, sendBefore }: Claim): Promise<Conclusion | null> {
    let pace: Pace | null = null;
    try {
      if (performance.now() > sendBefore) return null;
      const conclusion = await this.attempts.make(opened);
      pace = paceOf(conclusion);
      return conclusion;
    } finally {
      this.lanes.sent(endpointId, pace);
      this.advance();
    }
  }

  private track(work: Promise<void>): void {
    this.running.add(work);
    void work.finally(() => this.running.delete(work));
  }
}

const paceOf = ({ attempt, verdict }: Conclusion): Pace | null =>
  attempt && { succeeded: verdict.status === 'DELIVERED', durationMs: attempt.durationMs };

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown error');
