import { Injectable, Logger } from '@nestjs/common';
import { AuditTrail, CHAIN_START, composeEntry } from '../audit/index.js';
import { Settings } from '../config/index.js';
import { composite, isDatabaseAway, system, UnitOfWork, type Tx } from '../database/index.js';
import { Clock, publicId } from '../kernel/index.js';
import { cancelledEntry, DELIVERY_ACTOR, endingEntry } from './delivery-trail.js';
import { ENDPOINT_GONE } from './domain/schedule.js';
import { DeliveriesRepository, type Conclusion } from './store/deliveries.repository.js';
import { EndpointHealthRepository, type FailingEndpoint } from './store/endpoint-health.repository.js';
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
      await this.commitAll(batch.map(({ conclusion }) => conclusion));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      if (isDatabaseAway(error)) for (const { reject } of batch) reject(error);
      else for (const one of batch) await this.commitAlone(one);
    }
  }

  private async commitAlone({ conclusion, resolve, reject }: Waiting): Promise<void> {
    try {
      await this.commitStepwise([conclusion]);
      resolve();
    } catch (error) {
      reject(error);
    }
  }

  /** By one statement for all that have no history to look up; the others, and endpoints that are gone, step by step. */
  private async commitAll(conclusions: readonly Conclusion[]): Promise<void> {
    const plain = conclusions.filter(isFirstRound);
    const others = conclusions.filter((conclusion) => !isFirstRound(conclusion));
    if (plain.length > 0) await this.commitAtOnce(plain);
    if (others.length > 0) await this.commitStepwise(others);
  }

  private async commitAtOnce(conclusions: readonly Conclusion[]): Promise<void> {
    const now = new Date(this.clock.now());
    const entries = conclusions
      .flatMap((conclusion) => endingEntry(conclusion, now))
      .map((draft) => composeEntry(draft, CHAIN_START));
    const [row] = await this.uow.write<{ ids: string[]; failing: { id: string; failingSince: string }[] }>(
      organisationsOf(conclusions),
      composite(
        'webhook-record',
        [
          ...this.deliveries.concludeClauses(conclusions),
          this.audit.appendClause(entries, 'concluded'),
          ...this.health.clauses(conclusions, now),
        ],
        `SELECT ARRAY (SELECT id FROM concluded) AS ids,
                coalesce((SELECT json_agg(ill) FROM ill), '[]') AS failing`,
        { prepared: false },
      ),
    );
    const written = new Set(row?.ids);
    for (const conclusion of conclusions) if (written.has(conclusion.delivery.id)) this.count(conclusion);
    const failing = (row?.failing ?? []).map(({ id, failingSince }) => ({
      id,
      failingSince: new Date(failingSince),
    }));
    const given = this.givenUp(failing, now);
    if (given.size === 0) return;
    const reason = FAILING_TOO_LONG;
    this.tell(await this.uow.run(organisationsOf(conclusions), (tx) => this.disable(tx, reason, given)));
  }

  private async commitStepwise(conclusions: readonly Conclusion[]): Promise<void> {
    const now = new Date(this.clock.now());
    const { counted, disabled } = await this.uow.run(organisationsOf(conclusions), async (tx) => {
      const written = await this.deliveries.conclude(tx, conclusions);
      await this.audit.record(
        tx,
        written.flatMap((conclusion) => endingEntry(conclusion, now)),
      );
      const failing = await this.health.note(tx, written, now);
      const gone = written.filter(isGone).map(({ delivery }) => delivery.endpointId);
      return {
        counted: written,
        disabled: [
          ...(await this.disable(tx, ENDPOINT_GONE, new Set(gone))),
          ...(await this.disable(tx, FAILING_TOO_LONG, this.givenUp(failing, now))),
        ],
      };
    });
    for (const conclusion of counted) this.count(conclusion);
    this.tell(disabled);
  }

  private givenUp(failing: readonly FailingEndpoint[], now: Date): ReadonlySet<string> {
    const since = now.getTime() - 3_600_000 * this.settings.webhookDisableAfterHours;
    return new Set(failing.filter(({ failingSince }) => failingSince.getTime() <= since).map(({ id }) => id));
  }

  private tell(disabled: readonly { readonly id: string; readonly reason: string }[]): void {
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

const isGone = ({ verdict }: Conclusion): boolean => verdict.error === ENDPOINT_GONE;

/** Nothing was recorded about it before, so its entry is the first of its trail. */
const isFirstRound = (conclusion: Conclusion): boolean =>
  conclusion.delivery.rounds === 0 && !isGone(conclusion);

const organisationsOf = (conclusions: readonly Conclusion[]): string[] =>
  conclusions.map(({ delivery }) => delivery.organisationId);
