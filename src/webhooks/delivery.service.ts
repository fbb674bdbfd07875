import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { Settings } from '../config/index.js';
import { UnitOfWork } from '../database/index.js';
import { Clock, publicId } from '../kernel/index.js';
import { SealBroken, sealContext, Vault } from '../privacy/index.js';
import { DeliveryRecorder } from './delivery-recorder.js';
import type { EventEnvelope } from './domain/event.js';
import { DeliveryLanes, type Turn } from './domain/lanes.js';
import { judgeAttempt } from './domain/schedule.js';
import { signatureHeaders } from './domain/signature.js';
import {
  DeliveriesRepository,
  type Attempt,
  type ClaimedDelivery,
  type Conclusion,
} from './store/deliveries.repository.js';
import { WebhookMetrics } from './webhook-metrics.js';
import { WebhookSender } from './webhook-sender.js';

/** A claimed delivery with its content opened. */
interface Claim extends Turn {
  readonly delivery: ClaimedDelivery;
  /** Null: the person it is about was erased. */
  readonly body: Buffer | SealBroken | null;
  readonly secrets: readonly string[];
  /** By the clock of `performance.now`: later than this the lease would end before the attempt. */
  readonly sendBefore: number;
}

// The lease outlives the attempt by the time that waiting for a place and recording may take.
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
    private readonly recorder: DeliveryRecorder,
    private readonly sender: WebhookSender,
    private readonly vault: Vault,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly metrics: WebhookMetrics,
  ) {
    this.lanes = new DeliveryLanes(settings.webhookEndpointConcurrency);
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
    const unsent = this.lanes.recall().map(({ delivery }) => delivery);
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
    this.metrics.inFlight.set(this.inFlight);
    this.metrics.waiting.set(this.lanes.waiting);
  }

  private async claim(turns: readonly Turn[]): Promise<void> {
    let claims: Claim[] = [];
    try {
      const leaseMs = this.settings.webhookTimeoutMs + LEASE_MARGIN_MS;
      const sendBefore = performance.now() + LEASE_MARGIN_MS / 2;
      const ids = turns.map(({ deliveryId }) => deliveryId);
      const claimed = await this.uow.run((tx) => this.deliveries.claim(tx, ids, leaseMs / 1000));
      claims = await this.open(claimed, sendBefore);
    } catch (error) {
      this.logger.warn(`deliveries not claimed: ${nameOf(error)}`);
      await sleep(PAUSE_AFTER_FAILURE_MS, undefined, { ref: false });
    }
    this.lanes.claimed(turns, claims);
    this.claiming = false;
    this.advance();
  }

  private async open(claimed: readonly ClaimedDelivery[], sendBefore: number): Promise<Claim[]> {
    const values = claimed.flatMap((delivery) => {
      const { eventId, endpointId, organisationId, previousSealedSecret: previous } = delivery;
      const secretContext = sealContext('webhook_endpoints', endpointId, organisationId);
      return [
        { sealed: delivery.sealedPayload, context: sealContext('events', eventId, organisationId) },
        { sealed: delivery.sealedSecret, context: secretContext },
        { sealed: previous ?? delivery.sealedSecret, context: secretContext },
      ];
    });
    const opened = await this.vault.tryOpenMany(values);
    return claimed.map((delivery, i) => {
      const [body = null, current, previous] = opened.slice(3 * i, 3 * i + 3);
      const secrets = [current, previous].filter((secret) => Buffer.isBuffer(secret)).map(String);
      return {
        deliveryId: delivery.id,
        endpointId: delivery.endpointId,
        delivery,
        body: Buffer.isBuffer(current) ? body : new SealBroken(),
        secrets: [...new Set(secrets)],
        sendBefore,
      };
    });
  }

  private async deliver(claim: Claim): Promise<void> {
    const conclusion = await this.conclude(claim);
    const pace = conclusion?.attempt
      ? { succeeded: conclusion.verdict.status === 'DELIVERED', durationMs: conclusion.attempt.durationMs }
      : null;
    // The endpoint's place is free when it has answered; the process's own when the answer is recorded.
    this.lanes.sent(claim.endpointId, pace);
    this.advance();
    try {
      if (conclusion) await this.recorder.record(conclusion);
    } catch (error) {
      // The lease ends and the delivery is sent again: twice at the receiver rather than never.
      this.logger.warn(`delivery ${publicId('whd', claim.deliveryId)} not recorded: ${nameOf(error)}`);
    }
    this.inFlight -= 1;
    this.advance();
  }

  /** What the claim leads to; null when it waited too long and its lease might end under the attempt. */
  private async conclude({ delivery, body, secrets, sendBefore }: Claim): Promise<Conclusion | null> {
    if (performance.now() > sendBefore) return null;
    if (body !== null) return this.attempt(delivery, body, secrets);
    const verdict = { status: 'CANCELLED', error: 'SUBJECT_ERASED' } as const;
    return { delivery, verdict, attempt: null, correlationId: null };
  }

  private async attempt(
    delivery: ClaimedDelivery,
    body: Buffer | SealBroken,
    secrets: readonly string[],
  ): Promise<Conclusion> {
    const number = delivery.attempts + 1;
    const now = new Date(this.clock.now());
    const unsent = {
      statusCode: null,
      errorCode: 'SEAL_BROKEN',
      retryAfter: null,
      excerpt: null,
      durationMs: 0,
    };
    // A value that does not open is tried again like a receiver that is away: keys come back, and a person sees it.
    const result =
      body instanceof SealBroken
        ? unsent
        : await this.sender.send({
            url: delivery.url,
            headers: this.headers(delivery, number, body, secrets, now),
            body,
          });
    const schedule = this.settings.webhookScheduleSeconds;
    const verdict = judgeAttempt(result, { attempt: number, schedule, random: Math.random(), now });
    const attempt: Attempt = { ...result, number, startedAt: now };
    return { delivery, verdict, attempt, correlationId: correlationIdOf(body) };
  }

  private headers(
    delivery: ClaimedDelivery,
    attempt: number,
    body: Buffer,
    secrets: readonly string[],
    now: Date,
  ): Record<string, string> {
    const service = this.settings.serviceName;
    const id = publicId('evt', delivery.eventId);
    return {
      'content-type': 'application/json',
      'user-agent': `${service}-Webhooks/1`,
      [`X-${service}-Event`]: delivery.eventType,
      [`X-${service}-Delivery`]: publicId('whd', delivery.id),
      [`X-${service}-Attempt`]: String(attempt),
      ...signatureHeaders(service, { id, timestampSeconds: Math.floor(now.getTime() / 1000), body }, secrets),
    };
  }

  private track(work: Promise<void>): void {
    this.running.add(work);
    void work.finally(() => this.running.delete(work));
  }
}

const correlationIdOf = (body: Buffer | SealBroken): string | null =>
  body instanceof SealBroken ? null : (JSON.parse(body.toString()) as EventEnvelope).correlationId;

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown error');
