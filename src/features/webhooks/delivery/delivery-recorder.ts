import { Injectable, Logger } from '@nestjs/common';
import { AuditTrail, CHAIN_START, composeEntry } from '../../audit/index.js';
import { Settings } from '../../../platform/config/index.js';
import {
  execute,
  isDatabaseUnavailable,
  system,
  UnitOfWork,
  type Tx,
} from '../../../platform/database/index.js';
import { Batcher, Clock, publicId } from '../../../platform/kernel/index.js';
import { deliveryCancelledEntry, DELIVERY_ACTOR, deliveryEndedEntry } from './delivery-audit.js';
import { ENDPOINT_GONE } from '../domain/schedule.js';
import { DeliveriesRepository, type AttemptConclusion } from '../store/deliveries.repository.js';
import { NOTE_HEALTH, RECORD, type FailingEndpoint } from '../store/endpoint-health.statements.js';
import { WebhookEndpointsService } from '../endpoints/webhook-endpoints.service.js';
import { WebhookMetrics } from '../webhook-metrics.js';

const BATCH = 200;
/** The reason when an endpoint is disabled because every attempt has failed for `webhookDisableAfterHours`. */
export const FAILING_TOO_LONG = 'FAILING_TOO_LONG';

/**
 * Records the results of attempts: delivery, attempt and audit entry in one commit. Attempts that end during a commit
 * share the next commit: a single delivery does not wait, and many do not cost a commit each.
 */
@Injectable()
export class DeliveryRecorder {
  private readonly logger = new Logger(DeliveryRecorder.name);
  private readonly batcher = new Batcher<AttemptConclusion, AttemptConclusion>(
    (batch) => this.commitAll(batch),
    {
      maxItems: BATCH,
      // A result that cannot be written must not fail the others of its batch: they would be sent again for ever.
      separately: (error) => (isDatabaseUnavailable(error) ? null : (batch) => this.commitStepwise(batch)),
    },
  );

  constructor(
    private readonly uow: UnitOfWork,
    private readonly deliveries: DeliveriesRepository,
    private readonly endpoints: WebhookEndpointsService,
    private readonly settings: Settings,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly metrics: WebhookMetrics,
  ) {}

  /** Resolves when the result is committed, or was dropped because the delivery has been claimed again since. */
  async record(conclusion: AttemptConclusion): Promise<void> {
    await this.batcher.submit(conclusion);
  }

  async cancel(ids: readonly string[], reason: string): Promise<void> {
    const cancelled = await this.uow.run(system('webhooks.deliveries'), async (tx) => {
      const ended = await this.deliveries.cancel(tx, ids, reason);
      const occurredAt = new Date(this.clock.now());
      await this.audit.record(
        tx,
        ended.map((delivery) => deliveryCancelledEntry(delivery, reason, occurredAt)),
      );
      return ended.length;
    });
    this.metrics.attempts.inc({ outcome: 'cancelled' }, cancelled);
  }

  /**
   * Writes results: one statement for all first results, several for repeated retry schedules and endpoints that sent
   * 410.
   */
  private async commitAll(conclusions: readonly AttemptConclusion[]): Promise<readonly AttemptConclusion[]> {
    const firstConclusions = conclusions.filter(isFirstRound);
    const laterConclusions = conclusions.filter((conclusion) => !isFirstRound(conclusion));
    if (firstConclusions.length > 0) await this.commitAtOnce(firstConclusions);
    if (laterConclusions.length > 0) await this.commitStepwise(laterConclusions);
    return conclusions;
  }

  private async commitAtOnce(conclusions: readonly AttemptConclusion[]): Promise<void> {
    const now = new Date(this.clock.now());
    const entries = conclusions
      .flatMap((conclusion) => deliveryEndedEntry(conclusion, now))
      .map((draft) => composeEntry(draft, CHAIN_START));
    const [row] = await this.uow.write(
      organisationsOf(conclusions),
      ...RECORD({ conclusions, now, entries }),
    );
    const concludedIds = new Set(row?.ids);
    for (const conclusion of conclusions) {
      if (concludedIds.has(conclusion.delivery.id)) this.count(conclusion);
    }
    const failing = (row?.failing ?? []).map(({ id, failingSince }) => ({
      id,
      failingSince: new Date(failingSince),
    }));
    const toDisable = this.endpointsToDisable(failing, now);
    if (toDisable.size === 0) return;
    const reason = FAILING_TOO_LONG;
    this.reportDisabled(
      await this.uow.run(organisationsOf(conclusions), (tx) => this.disable(tx, reason, toDisable)),
    );
  }

  private async commitStepwise(
    conclusions: readonly AttemptConclusion[],
  ): Promise<readonly AttemptConclusion[]> {
    const now = new Date(this.clock.now());
    const { counted, disabled } = await this.uow.run(organisationsOf(conclusions), async (tx) => {
      const concludedAttempts = await this.deliveries.conclude(tx, conclusions);
      await this.audit.record(
        tx,
        concludedAttempts.flatMap((conclusion) => deliveryEndedEntry(conclusion, now)),
      );
      const failing =
        concludedAttempts.length === 0
          ? []
          : await execute(tx, ...NOTE_HEALTH({ conclusions: concludedAttempts, now }));
      const goneEndpointIds = concludedAttempts.filter(isGone).map(({ delivery }) => delivery.endpointId);
      return {
        counted: concludedAttempts,
        disabled: [
          ...(await this.disable(tx, ENDPOINT_GONE, new Set(goneEndpointIds))),
          ...(await this.disable(tx, FAILING_TOO_LONG, this.endpointsToDisable(failing, now))),
        ],
      };
    });
    for (const conclusion of counted) this.count(conclusion);
    this.reportDisabled(disabled);
    return conclusions;
  }

  private endpointsToDisable(failing: readonly FailingEndpoint[], now: Date): ReadonlySet<string> {
    const since = now.getTime() - 3_600_000 * this.settings.webhookDisableAfterHours;
    return new Set(failing.filter(({ failingSince }) => failingSince.getTime() <= since).map(({ id }) => id));
  }

  private reportDisabled(disabled: readonly { readonly id: string; readonly reason: string }[]): void {
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

  private count({ delivery, verdict, attempt }: AttemptConclusion): void {
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

const isGone = ({ verdict }: AttemptConclusion): boolean => verdict.error === ENDPOINT_GONE;

/** True if the trail of the delivery is empty: no retry schedule ended before, and the endpoint did not answer 410. */
const isFirstRound = (conclusion: AttemptConclusion): boolean =>
  conclusion.delivery.rounds === 0 && !isGone(conclusion);

const organisationsOf = (conclusions: readonly AttemptConclusion[]): string[] =>
  conclusions.map(({ delivery }) => delivery.organisationId);
