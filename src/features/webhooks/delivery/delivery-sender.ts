import { Injectable } from '@nestjs/common';
import { allowsSandboxScenarios, Settings } from '../../../platform/config/index.js';
import { Clock, publicId } from '../../../platform/kernel/index.js';
import { SealBrokenError, Vault } from '../../../platform/privacy/index.js';
import type { EventEnvelope } from '../events.dto.js';
import { nextAttemptAfter } from '../domain/schedule.js';
import { signatureHeaders } from '../domain/signature.js';
import { decryptPayloads } from '../events/sealed-payloads.js';
import { SigningSecrets } from './signing-secrets.js';
import type { ClaimedDelivery, AttemptConclusion } from '../store/deliveries.repository.js';
import { WebhookSender, type SendResult } from './webhook-sender.js';

/** A claimed delivery with its decrypted event. */
export interface OpenedDelivery {
  readonly delivery: ClaimedDelivery;
  /** Null when the person that the event is about was erased. */
  readonly body: Buffer | SealBrokenError | null;
}

// Retried like any failed attempt: the key may be available again later, and the exhausted delivery shows this error.
const NOT_OPENED: SendResult = {
  statusCode: null,
  errorCode: 'SEAL_BROKEN',
  retryAfter: null,
  excerpt: null,
  durationMs: 0,
};

const FAILURES_PARAMETER = 'sandboxFailures';
/** The result of an attempt that the sandbox makes fail without sending it. */
const SIMULATED_FAILURE: SendResult = {
  statusCode: 500,
  errorCode: null,
  retryAfter: null,
  excerpt: 'sandbox: this attempt was not sent',
  durationMs: 0,
};

/** Decrypts, signs and sends deliveries, and decides by the response on the next status. */
@Injectable()
export class DeliverySender {
  constructor(
    private readonly vault: Vault,
    private readonly secrets: SigningSecrets,
    private readonly sender: WebhookSender,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Decrypts claimed events, and signing secrets that have changed. `claimedAt` is a `performance.now()` time. */
  async open(claimed: readonly ClaimedDelivery[], claimedAt: number): Promise<OpenedDelivery[]> {
    const plaintexts = await decryptPayloads(
      this.vault,
      claimed.map(({ eventId: id, organisationId, sealedPayload }) => ({
        id,
        organisationId,
        sealedPayload,
      })),
    );
    await this.secrets.remember(claimed, claimedAt);
    return claimed.map((delivery, i) => ({ delivery, body: plaintexts[i] ?? null }));
  }

  /** Sends a delivery once and returns its new status. */
  async attempt(opened: OpenedDelivery): Promise<AttemptConclusion> {
    const { delivery, body } = opened;
    if (body === null) {
      const verdict = { status: 'CANCELLED', error: 'SUBJECT_ERASED' } as const;
      return { delivery, verdict, attempt: null, correlationId: null };
    }
    const number = delivery.attempts + 1;
    const startedAt = new Date(this.clock.now());
    const broken = body instanceof SealBrokenError;
    const result = broken ? NOT_OPENED : await this.send(delivery, body, number, startedAt);
    const schedule = this.settings.webhookScheduleSeconds;
    const now = new Date(this.clock.now());
    const attempt = number - delivery.baseAttempts;
    const verdict = nextAttemptAfter(result, { attempt, schedule, random: Math.random(), now });
    const correlationId = broken ? null : (JSON.parse(body.toString()) as EventEnvelope).correlationId;
    return { delivery, verdict, attempt: { number, startedAt, ...result }, correlationId };
  }

  private async send(
    delivery: ClaimedDelivery,
    body: Buffer,
    attempt: number,
    now: Date,
  ): Promise<SendResult> {
    const secrets = await this.secrets.findSecretsAt(delivery.endpointId, now.getTime());
    if (secrets === null) return NOT_OPENED;
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
    if (this.isSimulatedFailure(delivery.url, attempt)) return SIMULATED_FAILURE;
    return this.sender.send({ url: delivery.url, headers, body });
  }

  /** Sandbox: `?sandboxFailures=N` in an endpoint's URL makes the first N attempts of each delivery fail unsent. */
  private isSimulatedFailure(url: string, attempt: number): boolean {
    if (!allowsSandboxScenarios(this.settings) || !url.includes(FAILURES_PARAMETER)) return false;
    return attempt <= Number(new URL(url).searchParams.get(FAILURES_PARAMETER) ?? 0);
  }
}
