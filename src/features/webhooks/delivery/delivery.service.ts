import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import { system, UnitOfWork } from '../../../platform/database/index.js';
import { publicId } from '../../../platform/kernel/index.js';
import { DeliverySender, type OpenedDelivery } from './delivery-sender.js';
import { DeliverySlotsService } from './delivery-slots.service.js';
import { DeliveryRecorder } from './delivery-recorder.js';
import { DeliveryLanes, type AttemptTiming, type QueuedDelivery } from '../domain/lanes.js';
import { DeliveriesRepository, type AttemptConclusion } from '../store/deliveries.repository.js';
import { WebhookEndpointEntity } from '../store/entities.js';
import { Quotas } from '../../../platform/quotas/index.js';
import { WebhookMetrics } from '../webhook-metrics.js';

interface Claim extends QueuedDelivery {
  readonly opened: OpenedDelivery;
  /** A `performance.now()` time. An attempt that begins later might outlast the lease. */
  readonly sendBefore: number;
}

// The lease lasts this much longer than the attempt's timeout: 5 s to wait for a slot, 5 s to record the result.
const LEASE_MARGIN_MS = 10_000;
const PAUSE_AFTER_FAILURE_MS = 1_000;

/**
 * Sends due deliveries. Each endpoint has a lane: a queue of announced deliveries in memory. They are claimed shortly
 * before they are sent, in parallel up to the limits. An announcement may be repeated, late or lost: the claim in
 * PostgreSQL decides, and the reconciler announces unfinished deliveries again.
 */
@Injectable()
export class DeliveryService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(DeliveryService.name);
  private readonly lanes: DeliveryLanes<Claim>;
  private readonly runningWork = new Set<Promise<void>>();
  private readonly probeTimers = new Set<NodeJS.Timeout>();
  private inFlight = 0;
  private isClaiming = false;
  private isStopped = false;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly deliveries: DeliveriesRepository,
    private readonly deliverySender: DeliverySender,
    private readonly recorder: DeliveryRecorder,
    private readonly settings: Settings,
    private readonly metrics: WebhookMetrics,
    private readonly deliverySlots: DeliverySlotsService,
    quotas: Quotas,
  ) {
    const policy = {
      failures: settings.webhookBreakerFailures,
      pausesMs: settings.webhookBreakerSeconds.map((pause) => 1_000 * pause),
    };
    this.lanes = new DeliveryLanes(settings.webhookEndpointConcurrency, policy, {
      ownerOf: ({ opened }) => opened.delivery.organisationId,
      most: (organisationId) => quotas.cachedLimits(organisationId).deliveriesInFlight,
    });
    metrics.watch(() => ({
      inFlight: this.inFlight,
      waiting: this.lanes.waiting,
      held: this.lanes.countHeld(performance.now()),
    }));
  }

  /** Adds due deliveries to the lanes. Cancels them if their endpoint is disabled; skips them if it is paused. */
  async announce(ids: readonly string[]): Promise<void> {
    const due = await this.deliveries.locateDue(ids);
    const dead = due.filter(({ endpointStatus }) => endpointStatus === 'DISABLED').map(({ id }) => id);
    if (dead.length > 0) await this.recorder.cancel(dead, 'ENDPOINT_DISABLED');
    this.enqueue(due.filter(({ endpointStatus }) => endpointStatus === 'ACTIVE'));
  }

  /** Waits for running attempts and releases the other claims. An attempt that does not end in time is retried. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    const patience = sleep(this.settings.shutdownTimeoutMs, undefined, { ref: false });
    await Promise.race([Promise.all(this.runningWork), patience]);
    for (const timer of this.probeTimers) clearTimeout(timer);
    await this.releaseClaims(this.lanes.reclaimUnsent());
  }

  private enqueue(due: readonly { readonly id: string; readonly endpointId: string }[]): void {
    const now = performance.now();
    for (const { id, endpointId } of due) this.lanes.announce({ deliveryId: id, endpointId }, now);
    this.advance();
  }

  /** Sends claimed deliveries while slots are free, and claims more, one claim statement at a time. */
  private advance(): void {
    if (this.isStopped) return;
    const now = performance.now();
    for (const claim of this.lanes.nextToSend(Math.max(0, this.deliverySlots.places - this.inFlight), now)) {
      this.inFlight += 1;
      this.track(this.deliver(claim));
    }
    const turns = this.isClaiming ? [] : this.lanes.nextToClaim(this.deliverySlots.claimBatch, now);
    if (turns.length > 0) {
      this.isClaiming = true;
      this.track(this.claim(turns));
    }
  }

  private async claim(turns: readonly QueuedDelivery[]): Promise<void> {
    let claims: Claim[] = [];
    try {
      claims = await this.claimAndOpen(turns);
    } catch (error) {
      this.logger.warn(`deliveries not claimed: ${nameOf(error)}`);
      await sleep(PAUSE_AFTER_FAILURE_MS, undefined, { ref: false });
    }
    this.lanes.recordClaims(turns, claims);
    // A circuit breaker may have opened while the claim statement ran.
    await this.releaseClaims(this.lanes.reclaimForOpenBreakers(performance.now()));
    this.isClaiming = false;
    this.advance();
  }

  private async releaseClaims(claims: readonly Claim[]): Promise<void> {
    if (claims.length === 0) return;
    const unsent = claims.map(({ opened }) => opened.delivery);
    await this.uow
      .run(
        unsent.map(({ organisationId }) => organisationId),
        (tx) => this.deliveries.releaseUnstarted(tx, unsent),
      )
      .catch((error: unknown) => {
        this.logger.warn(`${unsent.length} deliveries wait for the end of their lease: ${nameOf(error)}`);
      });
  }

  /** After an endpoint's breaker opened: releases its unsent claims, and tries one delivery when the pause ends. */
  private async pause(endpointId: string, pauseMs: number): Promise<void> {
    this.metrics.breakerOpenings.inc();
    const probe = setTimeout(() => {
      this.probeTimers.delete(probe);
      this.advance();
    }, pauseMs);
    this.probeTimers.add(probe);
    await this.releaseClaims(this.lanes.reclaimForOpenBreakers(performance.now()));
    await this.uow
      .run(system('webhooks.deliveries'), (tx) =>
        tx.update(
          WebhookEndpointEntity,
          { id: endpointId },
          { heldUntil: () => `now() + interval '${pauseMs} milliseconds'` },
        ),
      )
      .catch((error: unknown) => {
        // Without this record, other processes announce deliveries of the endpoint in vain.
        this.logger.warn(`the pause of ${publicId('whe', endpointId)} is not recorded: ${nameOf(error)}`);
      });
  }

  private async claimAndOpen(turns: readonly QueuedDelivery[]): Promise<Claim[]> {
    const leaseMs = this.settings.webhookTimeoutMs + LEASE_MARGIN_MS;
    const claimedAt = performance.now();
    const sendBefore = claimedAt + LEASE_MARGIN_MS / 2;
    const ids = turns.map(({ deliveryId }) => deliveryId);
    const claimed = await this.deliveries.claim(ids, leaseMs / 1000);
    const openedDeliveries = await this.deliverySender.open(claimed, claimedAt);
    return openedDeliveries.map((one) => {
      const { id: deliveryId, endpointId } = one.delivery;
      return { deliveryId, endpointId, opened: one, sendBefore };
    });
  }

  /** Sends a delivery and records the result. If recording fails, the lease expires and the delivery is sent again. */
  private async deliver(claim: Claim): Promise<void> {
    try {
      const conclusion = await this.attempt(claim);
      if (conclusion) await this.recorder.record(conclusion);
      if (conclusion?.delivery.ordered && conclusion.verdict.status !== 'PENDING') {
        this.enqueue(await this.deliveries.findSuccessors([conclusion.delivery]));
      }
    } catch (error) {
      this.logger.warn(`delivery ${publicId('whd', claim.deliveryId)} not recorded: ${nameOf(error)}`);
    }
    this.inFlight -= 1;
    this.advance();
  }

  /** Frees the endpoint's slot when it has answered. The process's slot is freed when the result is recorded. */
  private async attempt({ opened, endpointId, sendBefore }: Claim): Promise<AttemptConclusion | null> {
    let pace: AttemptTiming | null = null;
    try {
      if (performance.now() > sendBefore) return null;
      const conclusion = await this.deliverySender.attempt(opened);
      pace = paceOf(conclusion);
      return conclusion;
    } finally {
      const now = performance.now();
      const reopensAt = this.lanes.recordSent(endpointId, pace, now);
      if (reopensAt !== null) this.track(this.pause(endpointId, reopensAt - now));
      this.advance();
    }
  }

  private track(work: Promise<void>): void {
    this.runningWork.add(work);
    void work.finally(() => this.runningWork.delete(work));
  }
}

const paceOf = ({ attempt, verdict }: AttemptConclusion): AttemptTiming | null =>
  attempt && { succeeded: verdict.status === 'DELIVERED', durationMs: attempt.durationMs };

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown error');
