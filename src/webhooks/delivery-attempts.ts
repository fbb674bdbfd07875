import { Injectable } from '@nestjs/common';
import { Settings } from '../config/index.js';
import { Clock, publicId } from '../kernel/index.js';
import { SealBroken, sealContext, Vault } from '../privacy/index.js';
import type { EventEnvelope } from './domain/event.js';
import { judgeAttempt } from './domain/schedule.js';
import { signatureHeaders } from './domain/signature.js';
import type { ClaimedDelivery, Conclusion } from './store/deliveries.repository.js';
import { WebhookSender, type SendResult } from './webhook-sender.js';

/** A claimed delivery with its content opened. */
export interface OpenedDelivery {
  readonly delivery: ClaimedDelivery;
  /** Null: the person it is about was erased. */
  readonly body: Buffer | SealBroken | null;
  readonly secrets: readonly string[];
}

// Tried again like a receiver that is away: keys come back, and the exhausted delivery shows what happened.
const NOT_OPENED: SendResult = {
  statusCode: null,
  errorCode: 'SEAL_BROKEN',
  retryAfter: null,
  excerpt: null,
  durationMs: 0,
};

/** Makes the attempts: opens what is to be sent, signs it, sends it and judges the answer. */
@Injectable()
export class DeliveryAttempts {
  constructor(
    private readonly vault: Vault,
    private readonly sender: WebhookSender,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Opens payloads and secrets, all with one look-up of their keys. */
  async open(claimed: readonly ClaimedDelivery[]): Promise<OpenedDelivery[]> {
    const values = claimed.flatMap((delivery) => {
      const { eventId, endpointId, organisationId, sealedSecret, previousSealedSecret } = delivery;
      const secretContext = sealContext('webhook_endpoints', endpointId, organisationId);
      return [
        { sealed: delivery.sealedPayload, context: sealContext('events', eventId, organisationId) },
        { sealed: sealedSecret, context: secretContext },
        { sealed: previousSealedSecret ?? sealedSecret, context: secretContext },
      ];
    });
    const opened = await this.vault.tryOpenMany(values);
    return claimed.map((delivery, i) => {
      const [body = null, current, previous] = opened.slice(3 * i, 3 * i + 3);
      const secrets = new Set([current, previous].filter((secret) => Buffer.isBuffer(secret)).map(String));
      return { delivery, body: Buffer.isBuffer(current) ? body : new SealBroken(), secrets: [...secrets] };
    });
  }

  /** Sends a delivery and returns what follows from the answer. */
  async make(opened: OpenedDelivery): Promise<Conclusion> {
    const { delivery, body } = opened;
    if (body === null) {
      const verdict = { status: 'CANCELLED', error: 'SUBJECT_ERASED' } as const;
      return { delivery, verdict, attempt: null, correlationId: null };
    }
    const number = delivery.attempts + 1;
    const startedAt = new Date(this.clock.now());
    const broken = body instanceof SealBroken;
    const result = broken ? NOT_OPENED : await this.send(opened, body, number, startedAt);
    const schedule = this.settings.webhookScheduleSeconds;
    const now = new Date(this.clock.now());
    const verdict = judgeAttempt(result, { attempt: number, schedule, random: Math.random(), now });
    const correlationId = broken ? null : (JSON.parse(body.toString()) as EventEnvelope).correlationId;
    return { delivery, verdict, attempt: { ...result, number, startedAt }, correlationId };
  }

  private send(
    { delivery, secrets }: OpenedDelivery,
    body: Buffer,
    attempt: number,
    now: Date,
  ): Promise<SendResult> {
    const service = this.settings.serviceName;
    const id = publicId('evt', delivery.eventId);
    const timestampSeconds = Math.floor(now.getTime() / 1000);
    const headers = {
      'content-type': 'application/json',
      'user-agent': `${service}-Webhooks/1`,
      [`X-${service}-Event`]: delivery.eventType,
      [`X-${service}-Delivery`]: publicId('whd', delivery.id),
      [`X-${service}-Attempt`]: String(attempt),
      ...(delivery.traceparent === null ? {} : { traceparent: delivery.traceparent }),
      ...signatureHeaders(service, { id, timestampSeconds, body }, secrets),
    };
    return this.sender.send({ url: delivery.url, headers, body });
  }
}
