import { Injectable, Logger } from '@nestjs/common';
import { AuditTrail } from '../audit/index.js';
import { Settings } from '../config/index.js';
import { isDatabaseAway, system, UnitOfWork, type Tx } from '../database/index.js';
import { Clock, publicId } from '../kernel/index.js';
import { cancelledEntry, DELIVERY_ACTOR, endingEntry } from './delivery-trail.js';
import { ENDPOINT_GONE } from './domain/schedule.js';
import { DeliveriesRepository, type Conclusion } from './store/deliveries.repository.js';
import { EndpointHealthRepository } from './store/endpoint-health.repository.js';
import { WebhookEndpoints } from './webhook-endpoints.service.js';
import { WebhookMetrics } from './webhook-metrics.js';

interface Waiting {
  readonly conclusion: Conclusion;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const BATCH = 200;
/** Why an endpoint is disabled that did nothing but fail for days. */
export const FAILING_TOO_LONG = 'FAILING_TOO_LONG';

/**
 * Records what attempts led to: delivery, attempt and audit entry in one commit. What ends while a commit is under
 * way shares the next one, so a single delivery does not wait and many do not cost a commit each.
 */
@Injectable()
export class DeliveryRecorder {
  private readonly logger = new Logger(DeliveryRecorder.name);
  private readonly waiting: Waiting[] = [];
  private busy = false;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly deliveries: DeliveriesRepository,
    private readonly health: EndpointHealthRepository,
    private readonly endpoints: WebhookEndpoints,
    private readonly settings: Settings,
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

  /** Ends deliveries that are not to be sent any more. */
  async cancel(ids: readonly string[], reason: string): Promise<void> {
    const cancelled = await this.uow.run(system('webhooks.deliveries'), async (tx) => {
      const ended = await this.deliveries.cancel(tx, ids, reason);
      const occurredAt = new Date(this.clock.now());
      await this.audit.record(
        tx,
        ended.map((delivery) => cancelledEntry(delivery, reason, occurredAt)),
      );
      return ended.length;
    });
    this.metrics.attempts.inc({ outcome: 'cancelled' }, cancelled);
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
    const now = new Date(this.clock.now());
    const organisations = conclusions.map(({ delivery }) => delivery.organisationId);
    const { counted, disabled } = await this.uow.run(organisations, async (tx) => {
      const written = await this.deliveries.conclude(tx, conclusions);
      await this.audit.record(
        tx,
        written.flatMap((conclusion) => endingEntry(conclusion, now)),
      );
      const failing = await this.health.note(tx, written, now);
      const gone = written.filter(({ verdict }) => verdict.error === ENDPOINT_GONE);
      const since = now.getTime() - 3_600_000 * this.settings.webhookDisableAfterHours;
      const given = failing.filter(({ failingSince }) => failingSince.getTime() <= since);
      return {
        counted: written,
        disabled: [
          ...(await this.disable(
            tx,
            ENDPOINT_GONE,
            new Set(gone.map(({ delivery }) => delivery.endpointId)),
          )),
          ...(await this.disable(tx, FAILING_TOO_LONG, new Set(given.map(({ id }) => id)))),
        ],
      };
    });
    for (const conclusion of counted) this.count(conclusion);
    for (const { id, reason } of disabled) {
      this.metrics.endpointsDisabled.inc({ reason });
      this.logger.warn(`endpoint ${publicId('whe', id)} is disabled: ${reason}`);
    }
  }

  private async disable(
    tx: Tx,
    reason: string,
    ids: ReadonlySet<string>,
  ): Promise<{ id: string; reason: string }[]> {
    const disabled = [];
    for (const id of [...ids].sort()) {
      if (await this.endpoints.disable(tx, id, reason, DELIVERY_ACTOR)) disabled.push({ id, reason });
    }
    return disabled;
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
