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

/** A claimed delivery with its content opened. Null: the person it is about was erased. */
interface OpenedDelivery {
  readonly delivery: ClaimedDelivery;
  readonly body: Buffer | SealBroken | null;
  readonly secrets: readonly string[];
}

// The lease outlives the attempt by the time that opening and recording may take.
const LEASE_MARGIN_SECONDS = 10;
const WAITING_PER_ENDPOINT = 2_000;
const PAUSE_AFTER_FAILURE_MS = 1_000;

/**
 * Sends due deliveries. Announced ones stand in a lane per endpoint, claim their row when their turn comes, and are
 * sent side by side up to the limits. A row that is announced twice, late or never is no matter: the claim decides,
 * and the reconciler announces again.
 */
@Injectable()
export class DeliveryService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(DeliveryService.name);
  private readonly lanes: DeliveryLanes;
  private readonly leaseSeconds: number;
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
    this.lanes = new DeliveryLanes({
      perEndpoint: settings.webhookEndpointConcurrency,
      waitingPerEndpoint: WAITING_PER_ENDPOINT,
    });
    this.leaseSeconds = settings.webhookTimeoutMs / 1000 + LEASE_MARGIN_SECONDS;
  }

  /** Puts due deliveries in line. Those of disabled endpoints end here; those of paused ones stay as they are. */
  async announce(ids: readonly string[]): Promise<void> {
    const due = await this.deliveries.locateDue(ids);
    const dead = due.filter(({ endpointStatus }) => endpointStatus === 'DISABLED').map(({ id }) => id);
    if (dead.length > 0) await this.uow.run((tx) => this.deliveries.cancel(tx, dead, 'ENDPOINT_DISABLED'));
    for (const { id, endpointId, endpointStatus } of due) {
      if (endpointStatus === 'ACTIVE') this.lanes.offer({ deliveryId: id, endpointId });
    }
    this.advance();
  }

  /** Lets running attempts end. What does not end in time is sent again when its lease is over. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    const patience = sleep(this.settings.shutdownTimeoutMs, undefined, { ref: false });
    await Promise.race([Promise.all(this.running), patience]);
  }

  /** Gives free places to whose turn it is. One claim at a time: places that become free meanwhile share the next. */
  private advance(): void {
    this.metrics.inFlight.set(this.inFlight);
    this.metrics.waiting.set(this.lanes.waiting);
    if (this.claiming || this.stopped) return;
    const turns = this.lanes.take(this.settings.webhookConcurrency - this.inFlight);
    if (turns.length === 0) return;
    this.claiming = true;
    this.inFlight += turns.length;
    this.track(this.serve(turns));
  }

  private async serve(turns: readonly Turn[]): Promise<void> {
    let opened: OpenedDelivery[] = [];
    try {
      opened = await this.open(await this.claim(turns));
    } catch (error) {
      this.logger.warn(`deliveries not claimed: ${nameOf(error)}`);
      await sleep(PAUSE_AFTER_FAILURE_MS, undefined, { ref: false });
    }
    const served = new Set(opened.map(({ delivery }) => delivery.id));
    for (const turn of turns) {
      if (!served.has(turn.deliveryId)) this.leave(turn.endpointId);
    }
    for (const one of opened) this.track(this.deliver(one));
    this.claiming = false;
    this.advance();
  }

  private claim(turns: readonly Turn[]): Promise<ClaimedDelivery[]> {
    const ids = turns.map(({ deliveryId }) => deliveryId);
    return this.uow.run((tx) => this.deliveries.claim(tx, ids, this.leaseSeconds));
  }

  private async open(claimed: readonly ClaimedDelivery[]): Promise<OpenedDelivery[]> {
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
        delivery,
        body: Buffer.isBuffer(current) ? body : new SealBroken(),
        secrets: [...new Set(secrets)],
      };
    });
  }

  private async deliver({ delivery, body, secrets }: OpenedDelivery): Promise<void> {
    const { endpointId } = delivery;
    let conclusion: Conclusion;
    if (body === null) {
      const verdict = { status: 'CANCELLED', error: 'SUBJECT_ERASED' } as const;
      conclusion = { delivery, verdict, attempt: null, correlationId: null };
    } else {
      conclusion = await this.attempt(delivery, body, secrets);
      this.lanes.observe(endpointId, conclusion.verdict.status === 'DELIVERED');
    }
    // The endpoint's place is free when it has answered; the process's own when the answer is recorded.
    this.lanes.release(endpointId);
    this.advance();
    try {
      await this.recorder.record(conclusion);
    } catch (error) {
      // The lease ends and the delivery is sent again: twice at the receiver rather than never.
      this.logger.warn(`delivery ${publicId('whd', delivery.id)} not recorded: ${nameOf(error)}`);
    }
    this.inFlight -= 1;
    this.advance();
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

  /** Gives a turn back that led to no delivery. */
  private leave(endpointId: string): void {
    this.lanes.release(endpointId);
    this.inFlight -= 1;
  }

  private track(work: Promise<void>): void {
    this.running.add(work);
    void work.finally(() => this.running.delete(work));
  }
}

const correlationIdOf = (body: Buffer | SealBroken): string | null =>
  body instanceof SealBroken ? null : (JSON.parse(body.toString()) as EventEnvelope).correlationId;

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown error');
