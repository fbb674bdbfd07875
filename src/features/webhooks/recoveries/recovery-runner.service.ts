import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { AuditTrail, auditDraftOf, type AuditDraft } from '../../audit/index.js';
import { system, UnitOfWork } from '../../../platform/database/index.js';
import { Clock, publicId } from '../../../platform/kernel/index.js';
import { Outbox, queues } from '../../../platform/queue/index.js';
import { DELIVERY_ACTOR } from '../delivery/delivery-audit.js';
import { endpointEntry } from '../endpoints/endpoint-audit.js';
import {
  RecoveriesRepository,
  type OpenRecovery,
  type RecoveredDelivery,
} from '../store/recoveries.repository.js';
import { WebhookRecoveryEntity } from '../store/entities.js';

// Events per chunk. A chunk takes tens of ms: a crash repeats little, and other transactions do not wait long.
const CHUNK = 500;
// Backlog at which a recovery waits: the endpoint stays busy, and new events wait only briefly.
const WAIT_BACKLOG = 2_000;
const PAUSE_MS = 100;
// Maximum wait of a job; after it the job ends, and the reconciler queues the recovery again.
const PATIENCE_MS = 5_000;

type Step = 'CONTINUES' | 'WAITS' | 'ENDED';

/** Runs recoveries in chunks. Each chunk commits with its progress, so a crash does not repeat it. */
@Injectable()
export class RecoveryRunnerService implements OnModuleDestroy {
  private isStopping = false;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly recoveries: RecoveriesRepository,
    private readonly audit: AuditTrail,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  onModuleDestroy(): void {
    this.isStopping = true;
  }

  /** Continues a recovery until it is complete or waits too long. Safe to repeat and to run concurrently. */
  async run(id: string): Promise<void> {
    const recovery = await this.uow.read(system('webhooks.deliveries'), (db) =>
      db.findOneBy(WebhookRecoveryEntity, { id }),
    );
    if (!recovery) return;
    let waitedMs = 0;
    while (!this.isStopping && waitedMs < PATIENCE_MS) {
      const step = await this.runStep(recovery.organisationId, id);
      if (step === 'ENDED') return;
      if (step === 'WAITS') {
        await sleep(PAUSE_MS);
        waitedMs += PAUSE_MS;
      } else waitedMs = 0;
    }
  }

  private async runStep(organisationId: string, id: string): Promise<Step> {
    return this.uow.run(organisationId, async (tx) => {
      const recovery = await this.recoveries.lock(tx, id);
      if (!recovery) return 'ENDED';
      if (recovery.removed || recovery.endpointStatus === 'DISABLED') {
        await this.recoveries.finish(tx, id, 'CANCELLED');
        return 'ENDED';
      }
      if (
        !recovery.dryRun &&
        (await this.recoveries.isBacklogAtLeast(organisationId, recovery.endpointId, WAIT_BACKLOG))
      ) {
        return 'WAITS';
      }
      const { looked, mayGrow, deliveries } = await this.recoveries.advance(tx, recovery, CHUNK);
      const revived = deliveries.filter((delivery) => delivery.revived);
      await this.audit.record(
        tx,
        revived.map((delivery) => this.revivedEntry(recovery, delivery)),
      );
      this.announce(tx, deliveries);
      if (looked === CHUNK) return 'CONTINUES';
      if (mayGrow) return 'WAITS';
      const { dryRun, events, recovered } = await this.recoveries.finish(tx, id, 'COMPLETED');
      const content = { recovery: publicId('whr', id), dryRun, events, recovered };
      await this.audit.record(
        tx,
        endpointEntry(
          organisationId,
          recovery.endpointId,
          'webhook_endpoint.recovered',
          { actor: DELIVERY_ACTOR },
          new Date(this.clock.now()),
          content,
        ),
      );
      return 'ENDED';
    });
  }

  private announce(tx: Parameters<Outbox['append']>[0], deliveries: readonly RecoveredDelivery[]): void {
    const { batchSize } = queues['webhooks.delivery'];
    for (let from = 0; from < deliveries.length; from += batchSize) {
      const part = deliveries.slice(from, from + batchSize);
      this.outbox.append(
        tx,
        'webhooks.delivery',
        part.map(({ id }) => id),
      );
    }
  }

  private revivedEntry(
    { organisationId, id, endpointId }: OpenRecovery,
    delivery: RecoveredDelivery,
  ): AuditDraft {
    const ctx = { organisationId, actor: DELIVERY_ACTOR, requestId: null, correlationId: null };
    return auditDraftOf(ctx, 'delivery', delivery.id, 'delivery.recovered', new Date(this.clock.now()), {
      event: publicId('evt', delivery.eventId),
      endpoint: publicId('whe', endpointId),
      recovery: publicId('whr', id),
    });
  }
}
