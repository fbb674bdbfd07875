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
  readonly secrets: EndpointSecrets;
}

interface EndpointSecrets {
  readonly current: string;
  /** The one before it, and until when (milliseconds since 1970) it signs as well. */
  readonly previous: { readonly secret: string; readonly until: number } | null;
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

  /** Opens payloads, and the secrets of each endpoint once, all with one look-up of their keys. */
  async open(claimed: readonly ClaimedDelivery[]): Promise<OpenedDelivery[]> {
    const endpoints = [...new Map(claimed.map((delivery) => [delivery.endpointId, delivery])).values()];
    const opened = await this.vault.tryOpenMany([
      ...claimed.map(({ sealedPayload: sealed, eventId, organisationId }) => ({
        sealed,
        context: sealContext('events', eventId, organisationId),
      })),
      ...endpoints.flatMap((delivery) => {
        const { sealedSecret, previousSealedSecret, endpointId, organisationId } = delivery;
        const context = sealContext('webhook_endpoints', endpointId, organisationId);
        return [
          { sealed: sealedSecret, context },
          { sealed: previousSealedSecret ?? sealedSecret, context },
        ];
      }),
    ]);
    const secrets = new Map(
      endpoints.map((delivery, i) => {
        const at = claimed.length + 2 * i;
        return [delivery.endpointId, secretsOf(delivery, opened[at] ?? null, opened[at + 1] ?? null)];
      }),
    );
    return claimed.map((delivery, i) => {
      const own = secrets.get(delivery.endpointId) ?? null;
      const body = opened[i] ?? null;
      if (own === null) return { delivery, body: new SealBroken(), secrets: { current: '', previous: null } };
      return { delivery, body, secrets: own };
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
    const attempt = number - delivery.baseAttempts;
    const verdict = judgeAttempt(result, { attempt, schedule, random: Math.random(), now });
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
      ...signatureHeaders(service, { id, timestampSeconds, body }, secretsAt(secrets, now.getTime())),
    };
    return this.sender.send({ url: delivery.url, headers, body });
  }
}

function secretsOf(
  { previousSealedSecret, previousSecretExpiresAt }: ClaimedDelivery,
  current: Buffer | SealBroken | null,
  previous: Buffer | SealBroken | null,
): EndpointSecrets | null {
  if (!Buffer.isBuffer(current)) return null;
  const rotating = previousSealedSecret !== null && previousSecretExpiresAt !== null;
  return {
    current: current.toString(),
    previous:
      rotating && Buffer.isBuffer(previous)
        ? { secret: previous.toString(), until: previousSecretExpiresAt.getTime() }
        : null,
  };
}

/** The secrets that sign at this moment, the current one first: not those of the moment of the claim. */
const secretsAt = ({ current, previous }: EndpointSecrets, now: number): string[] =>
  previous !== null && now < previous.until ? [current, previous.secret] : [current];
