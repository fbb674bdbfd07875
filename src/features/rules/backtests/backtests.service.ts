import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { type ActorContext, AuditTrail, formatActor, auditDraftOf } from '../../audit/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { Clock, conflict, DomainError, invalid, newUuid, orThrow } from '../../../platform/kernel/index.js';
import { Outbox } from '../../../platform/queue/index.js';
import { Quotas } from '../../../platform/quotas/index.js';
import { BacktestEntity, RulesetEntity } from '../store/entities.js';
import { RulesQueries, type BacktestRecord } from '../store/rules.queries.js';

/** The transactions of a back-test, by `occurredAt`. */
export interface BacktestRange {
  readonly from: Date | null;
  readonly to: Date | null;
}

// The longest window of the built-in behaviour features.
const DEFAULT_MS = 90 * 24 * 3_600_000;

/** Queues and cancels back-tests; the runner carries them out. */
@Injectable()
export class BacktestsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly queries: RulesQueries,
    private readonly quotas: Quotas,
  ) {}

  /** Queues a back-test of a version with its present content; later changes of the draft do not affect it. */
  async requestBacktest(
    ctx: ActorContext,
    { key, version }: { readonly key: string; readonly version: number },
    range: BacktestRange,
  ): Promise<BacktestRecord> {
    const { organisationId } = ctx;
    const now = new Date(this.clock.now());
    const to = range.to ?? now;
    const from = range.from ?? new Date(to.getTime() - DEFAULT_MS);
    if (from >= to) {
      throw invalid('from', 'OUT_OF_RANGE', 'Must lie before the end.');
    }
    const id = newUuid();
    const { backtestsWaiting } = await this.quotas.limitsOf(organisationId);
    await this.uow.run(organisationId, async (tx) => {
      const ruleset = await tx.findOneBy(RulesetEntity, { organisationId, key, version });
      if (!ruleset) throw new DomainError('RULESET_NOT_FOUND');
      const waiting = { organisationId, status: In(['QUEUED', 'RUNNING']) };
      await this.quotas.requireRoomIn(tx, organisationId, 'backtestsWaiting', backtestsWaiting, () =>
        tx.countBy(BacktestEntity, waiting),
      );
      await tx.insert(BacktestEntity, {
        id,
        organisationId,
        rulesetKey: key,
        rulesetVersion: version,
        contentHash: ruleset.contentHash,
        content: ruleset.content,
        fromAt: from,
        toAt: to,
        requestedBy: formatActor(ctx),
        leaseUntil: () => `now() + interval '30 seconds'`,
      });
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'backtest', id, 'backtest.requested', now, {
          key,
          version,
          contentHash: ruleset.contentHash.toString('hex'),
          from: from.toISOString(),
          to: to.toISOString(),
        }),
      );
      this.outbox.append(tx, 'rules.backtest', [id]);
    });
    return this.find(organisationId, id);
  }

  /** Cancels a back-test; a running one stops within a second. */
  async cancel(ctx: ActorContext, id: string): Promise<BacktestRecord> {
    const { organisationId } = ctx;
    const now = new Date(this.clock.now());
    await this.uow.run(organisationId, async (tx) => {
      const cancelled = await tx.update(
        BacktestEntity,
        { id, organisationId, status: In(['QUEUED', 'RUNNING']) },
        {
          status: 'CANCELLED',
          cancelRequestedBy: formatActor(ctx),
          finishedAt: now,
          checkpoint: null,
          fence: () => 'fence + 1',
        },
      );
      if (cancelled.affected === 0) {
        const backtest = await this.queries.findBacktest(organisationId, id);
        if (!backtest) throw new DomainError('BACKTEST_NOT_FOUND');
        throw conflict('', 'ENDED', 'The back-test has ended.');
      }
      await this.audit.record(tx, auditDraftOf(ctx, 'backtest', id, 'backtest.cancelled', now, {}));
    });
    return this.find(organisationId, id);
  }

  private async find(organisationId: string, id: string): Promise<BacktestRecord> {
    return orThrow(await this.queries.findBacktest(organisationId, id), 'BACKTEST_NOT_FOUND');
  }
}
