import { Injectable } from '@nestjs/common';
import { AuditTrail, type AuditDraft } from '../audit/index.js';
import { isDatabaseAway, UnitOfWork, type Tx } from '../database/index.js';
import { Clock, publicId } from '../kernel/index.js';
import { ENDPOINT_GONE } from './domain/schedule.js';
import { DeliveriesRepository, type Conclusion } from './store/deliveries.repository.js';
import { WebhookEndpoints } from './webhook-endpoints.service.js';
import { WebhookMetrics } from './webhook-metrics.js';

interface Waiting {
  readonly conclusion: Conclusion;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const BATCH = 200;
export const DELIVERY_ACTOR = { type: 'system', id: 'webhooks.delivery' } as const;

/**
 * Records what attempts led to: delivery, attempt and audit entry in one commit. What ends while a commit is under
 * way shares the next one, so a single delivery does not wait and many do not cost a commit each.
 */
@Injectable()
export class DeliveryRecorder {
  private readonly waiting: Waiting[] = [];
  private busy = false;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly deliveries: DeliveriesRepository,
    private readonly endpoints: WebhookEndpoints,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly metrics: WebhookMetrics,
  ) {}

  /** Resolves when the conclusion is committed, or was overtaken by a later claim. */
  record(conclusion: Conclusion): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ conclusion, resolve, reject });
      if (!this.busy) void this.flush();
    });
  }

  private async flush(): Promise<void> {
    this.busy = true;
    while (this.waiting.length > 0) await this.commitOrSplit(this.waiting.splice(0, BATCH));
    this.busy = false;
  }

  /** A conclusion that cannot be written must not take its neighbours with it: they would be sent again for ever. */
  private async commitOrSplit(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.commit(batch.map(({ conclusion }) => conclusion));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      if (batch.length === 1 || isDatabaseAway(error)) {
        for (const { reject } of batch) reject(error);
        return;
      }
      for (const one of batch) await this.commitOrSplit([one]);
    }
  }

  private async commit(conclusions: readonly Conclusion[]): Promise<void> {
    const counted = await this.uow.run(async (tx) => {
      const written = await this.deliveries.conclude(tx, conclusions);
      await this.audit.record(
        tx,
        written.flatMap((conclusion) => this.entryFor(conclusion)),
      );
      await this.disableGone(tx, written);
      return written;
    });
    for (const conclusion of counted) this.count(conclusion);
  }

  private entryFor({ delivery, verdict, attempt, correlationId }: Conclusion): AuditDraft[] {
    if (verdict.status !== 'DELIVERED' && verdict.status !== 'EXHAUSTED') return [];
    return [
      {
        subject: { organisationId: delivery.organisationId, type: 'delivery', id: delivery.id },
        action: verdict.status === 'DELIVERED' ? 'delivery.delivered' : 'delivery.exhausted',
        actor: DELIVERY_ACTOR,
        requestId: null,
        correlationId,
        occurredAt: new Date(this.clock.now()),
        content: {
          event: publicId('evt', delivery.eventId),
          eventType: delivery.eventType,
          endpoint: publicId('whe', delivery.endpointId),
          attempts: attempt?.number ?? delivery.attempts,
          statusCode: attempt?.statusCode ?? null,
          error: verdict.error,
        },
      },
    ];
  }

  private async disableGone(tx: Tx, conclusions: readonly Conclusion[]): Promise<void> {
    const gone = conclusions.filter(({ verdict }) => verdict.error === ENDPOINT_GONE);
    const ids = [...new Set(gone.map(({ delivery }) => delivery.endpointId))];
    for (const id of ids.sort()) await this.endpoints.disable(tx, id, ENDPOINT_GONE, DELIVERY_ACTOR);
  }

  private count({ delivery, verdict, attempt }: Conclusion): void {
    const outcome = verdict.status === 'PENDING' ? 'retry' : verdict.status.toLowerCase();
    this.metrics.attempts.inc({ outcome });
    if (attempt) this.metrics.attemptSeconds.observe(attempt.durationMs / 1000);
    if (verdict.status === 'DELIVERED') {
      this.metrics.deliverySeconds.observe(
        Math.max(0, this.clock.now() - delivery.eventCreatedAt.getTime()) / 1000,
      );
    }
  }
}
