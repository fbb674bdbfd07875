import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Equal } from 'typeorm';
import {
  ApplyAct,
  type Approval,
  ApprovalsService,
  CurrentValues,
  ReleaseAct,
  type ApprovalEnding,
  type ChangedValues,
} from '../../approvals/index.js';
import { type ActorContext, AuditTrail, formatActor, auditDraftOf } from '../../audit/index.js';
import { afterCommit, lockRow, UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { Clock, conflict, DomainError, orThrow, type ErrorDetail } from '../../../platform/kernel/index.js';
import { compareRulesets } from '../domain/difference.js';
import { isMandatory } from '../domain/mandatory-rules.js';
import {
  publicationApprovalObstacle,
  publicationRequestObstacle,
  type PublicationObstacle,
} from '../domain/life-cycle.js';
import type { RuleDefinition } from '../language/index.js';
import { inspectForPublication, refuseFaults } from './inspection.js';
import { RuleVocabularyService } from './rule-vocabulary.service.js';
import { RulesetDraftsService, withoutKeyAndVersion } from './ruleset-drafts.service.js';
import { RulesetRegistryService } from './ruleset-registry.service.js';
import { widenReaches } from '../store/aggregate-reach.statements.js';
import { BacktestEntity, RulesetEntity, type RulesetRow } from '../store/entities.js';

export interface VersionRef {
  readonly key: string;
  readonly version: number;
}

/**
 * Publishes rulesets: one operator requests the publication of a tested draft, another operator approves it. From that
 * commit on it evaluates transactions; the previously live version is archived in the same commit.
 */
@Injectable()
export class RulesetPublicationService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly drafts: RulesetDraftsService,
    private readonly registry: RulesetRegistryService,
    private readonly approvals: ApprovalsService,
    private readonly ruleVocabulary: RuleVocabularyService,
  ) {}

  /** Returns what stands against publishing a draft, its back-test apart; empty for any other version. */
  async findObstacles({ organisationId, status, content }: RulesetEntity): Promise<ErrorDetail[]> {
    if (status !== 'DRAFT') return [];
    return this.uow.run(organisationId, async (tx) =>
      inspectForPublication(content, await this.ruleVocabulary.read(tx, organisationId)),
    );
  }

  /** Requests the publication of a draft, which needs a finished back-test of exactly this content. */
  async request(ctx: ActorContext, ref: VersionRef, reason: string): Promise<Approval> {
    return this.uow.run(ctx.organisationId, async (tx) => {
      const row = await this.lockVersion(tx, ctx.organisationId, ref);
      const backtest = await finishedBacktest(tx, row);
      obstruct(publicationRequestObstacle(stateOf(row), backtest?.contentHash ?? null));
      refuseFaults(
        inspectForPublication(row.content, await this.ruleVocabulary.read(tx, row.organisationId)),
      );
      refuseUndecided(row, backtest?.report ?? null, await liveOf(tx, row));
      return this.requestPublication(tx, ctx, row, backtest?.id ?? null, reason);
    });
  }

  /** Returns status, content and live version: an approval fails when one of them has changed. */
  @CurrentValues('ruleset.publish')
  async currentValues(tx: Tx, { organisationId, subjectId }: Approval): Promise<ChangedValues> {
    const row = await this.lockById(tx, organisationId, subjectId);
    return valuesOf(row, await liveOf(tx, row));
  }

  /** Publishes a version in the commit of its approval. */
  @ApplyAct('ruleset.publish')
  async apply(tx: Tx, ctx: ActorContext, approval: Approval): Promise<void> {
    const row = await this.lockById(tx, approval.organisationId, approval.subjectId);
    const backtest = await finishedBacktest(tx, row);
    obstruct(publicationApprovalObstacle(stateOf(row), backtest?.contentHash ?? null));
    refuseFaults(inspectForPublication(row.content, await this.ruleVocabulary.read(tx, row.organisationId)));
    await this.publish(tx, ctx, row, approval);
  }

  /** A request that ends without effect leaves the draft, which can be changed or requested again. */
  @ReleaseAct('ruleset.publish')
  async withdrawRequest(
    tx: Tx,
    ctx: ActorContext,
    approval: Approval,
    why: ApprovalEnding,
    reason: string,
  ): Promise<void> {
    const now = new Date(this.clock.now());
    const row = await this.lockById(tx, approval.organisationId, approval.subjectId);
    const requestColumns = { requestedBy: null, requestedAt: null, backtestId: null, updatedAt: now };
    await tx.update(RulesetEntity, { id: row.id }, requestColumns);
    await this.recordStep(tx, ctx, row, 'ruleset.publication_withdrawn', now, { why, reason });
  }

  /**
   * Creates a new version from the content of an earlier version and requests its publication. The content was live
   * before, so it needs no back-test, only the approval of a second person.
   */
  async rollBack(ctx: ActorContext, key: string, to: number, reason: string): Promise<Approval> {
    return this.uow.run(ctx.organisationId, async (tx) => {
      const earlier = await this.lockVersion(tx, ctx.organisationId, { key, version: to });
      // A version that was never live cannot be rolled back to.
      if (earlier.publishedAt === null) obstruct('NEVER_PUBLISHED');
      const content = withoutKeyAndVersion(earlier.content);
      const row = await this.drafts.insert(tx, ctx, { key, content, origin: 'ROLLBACK', rollbackOf: to });
      await this.recordStep(tx, ctx, row, 'ruleset.drafted', row.createdAt, { rollbackOf: to });
      return this.requestPublication(tx, ctx, row, null, reason);
    });
  }

  /** Archives a draft or a challenger. A live ruleset can only be replaced: without it, nothing could be evaluated. */
  async archive(ctx: ActorContext, ref: VersionRef, reason: string): Promise<RulesetRow> {
    const now = new Date(this.clock.now());
    return this.uow.run(ctx.organisationId, async (tx) => {
      const row = await this.lockVersion(tx, ctx.organisationId, ref);
      if (row.status === 'ARCHIVED') obstruct('NOT_A_DRAFT');
      if (row.status === 'PUBLISHED' && row.content.experiment === undefined) obstruct('LIVE');
      if (row.requestedBy !== null) await this.approvals.supersede(tx, ctx, 'ruleset.publish', row.id);
      await tx.update(RulesetEntity, { id: row.id }, { status: 'ARCHIVED', archivedAt: now, updatedAt: now });
      await this.recordStep(tx, ctx, row, 'ruleset.archived', now, { reason });
      this.reloadAfterCommit(tx, ctx.organisationId);
      return { ...row, status: 'ARCHIVED', archivedAt: now, updatedAt: now };
    });
  }

  private async requestPublication(
    tx: Tx,
    ctx: ActorContext,
    row: RulesetRow,
    backtestId: string | null,
    reason: string,
  ): Promise<Approval> {
    const now = new Date(this.clock.now());
    const requestColumns = { requestedBy: formatActor(ctx), requestedAt: now, backtestId, updatedAt: now };
    await tx.update(RulesetEntity, { id: row.id }, requestColumns);
    await this.recordStep(tx, ctx, row, 'ruleset.publication_requested', now, { backtestId });
    const liveRuleset = await liveOf(tx, row);
    const before = valuesOf(row, liveRuleset);
    const after = {
      ...{ ...before, status: 'PUBLISHED', key: row.key, version: row.version, backtestId },
      ...compareRulesets(liveRuleset?.content ?? null, row.content),
    };
    return this.approvals.request(tx, ctx, {
      act: 'ruleset.publish',
      subjectId: row.id,
      before,
      after,
      reason,
    });
  }

  private async publish(tx: Tx, ctx: ActorContext, row: RulesetRow, approval: Approval): Promise<void> {
    const { organisationId, key } = row;
    const now = new Date(this.clock.now());
    const former = await lockRow(
      tx,
      RulesetEntity,
      { organisationId, key, status: 'PUBLISHED' },
      'pessimistic_write',
    );
    if (former) {
      await tx.update(
        RulesetEntity,
        { id: former.id },
        { status: 'ARCHIVED', archivedAt: now, updatedAt: now },
      );
      await this.recordStep(tx, ctx, former, 'ruleset.archived', now, { replacedBy: row.version });
    }
    const publishedColumns = {
      status: 'PUBLISHED' as const,
      approvedBy: formatActor(ctx),
      approvedAt: now,
      publishedAt: now,
      updatedAt: now,
      singleControl: approval.singleControl,
    };
    await tx.update(RulesetEntity, { id: row.id }, publishedColumns);
    await widenReaches(tx, organisationId, row.content);
    await this.recordStep(tx, ctx, row, 'ruleset.published', now, {
      requestedBy: row.requestedBy,
      backtestId: row.backtestId,
      ...(approval.singleControl && { singleControl: true }),
    });
    this.reloadAfterCommit(tx, organisationId);
  }

  /** Reloads the rulesets of this process after the commit; other processes notice the new epoch. */
  private reloadAfterCommit(tx: Tx, organisationId: string): void {
    afterCommit(tx, () => {
      this.registry.forget(organisationId);
    });
  }

  private async lockVersion(
    tx: Tx,
    organisationId: string,
    { key, version }: VersionRef,
  ): Promise<RulesetRow> {
    return orThrow(
      await lockRow(tx, RulesetEntity, { organisationId, key, version }, 'pessimistic_write'),
      'RULESET_NOT_FOUND',
    );
  }

  private async lockById(tx: Tx, organisationId: string, id: string): Promise<RulesetRow> {
    return orThrow(
      await lockRow(tx, RulesetEntity, { organisationId, id }, 'pessimistic_write'),
      'RULESET_NOT_FOUND',
    );
  }

  private async recordStep(
    tx: Tx,
    ctx: ActorContext,
    row: RulesetRow,
    action: Parameters<typeof auditDraftOf>[3],
    at: Date,
    also: Readonly<Record<string, string | number | boolean | null>>,
  ): Promise<void> {
    const contentHash = row.contentHash.toString('hex');
    await this.audit.record(
      tx,
      auditDraftOf(ctx, 'ruleset', row.id, action, at, {
        key: row.key,
        version: row.version,
        contentHash,
        ...also,
      }),
    );
  }
}

const stateOf = (row: RulesetRow): Parameters<typeof publicationRequestObstacle>[0] => ({
  status: row.status,
  origin: row.origin,
  contentHash: row.contentHash.toString('hex'),
  requestedBy: row.requestedBy,
});

/** The version that a draft replaces. */
const liveOf = (tx: Tx, { organisationId, key }: RulesetRow): Promise<RulesetEntity | null> =>
  tx.findOneBy(RulesetEntity, { organisationId, key, status: 'PUBLISHED' });

const valuesOf = ({ status, contentHash }: RulesetRow, live: RulesetRow | null): ChangedValues => ({
  status,
  contentHash: contentHash.toString('hex'),
  live: live?.version ?? null,
});

/** Finds the newest finished back-test of exactly this content. */
async function finishedBacktest(
  tx: Tx,
  row: RulesetRow,
): Promise<{
  readonly id: string;
  readonly contentHash: string;
  readonly report: BacktestEntity['report'];
} | null> {
  const backtest = await tx.findOne(BacktestEntity, {
    select: { id: true, report: true },
    where: {
      organisationId: row.organisationId,
      rulesetKey: row.key,
      rulesetVersion: row.version,
      contentHash: Equal(row.contentHash),
      status: 'FINISHED',
    },
    order: { id: 'DESC' },
  });
  return (
    backtest && { id: backtest.id, report: backtest.report, contentHash: row.contentHash.toString('hex') }
  );
}

/**
 * Refuses a new or changed live rule, unless mandatory, that no transaction of the back-test could decide: nobody has
 * seen it work. It may be published as SHADOW and observed until it is decided.
 */
function refuseUndecided(
  { content }: RulesetRow,
  report: BacktestEntity['report'],
  live: RulesetRow | null,
): void {
  const undecided = new Set(report?.rules.filter((rule) => rule.neverDecided).map(({ key }) => key));
  const isNew = (rule: RuleDefinition): boolean =>
    !live?.content.rules.some((before) => isDeepStrictEqual(before, rule));
  const details = content.rules.flatMap((rule, i) =>
    rule.mode === 'LIVE' && !isMandatory(rule.key) && undecided.has(rule.key) && isNew(rule)
      ? [
          {
            path: `rules[${i}]`,
            code: 'NEVER_DECIDED',
            message: `No transaction of the back-test could decide ${rule.key}: what it reads was always missing.`,
          },
        ]
      : [],
  );
  if (details.length > 0) throw new DomainError('STATE_CONFLICT', { details });
}

const OBSTACLES: Readonly<Record<PublicationObstacle | 'LIVE', string>> = {
  NOT_A_DRAFT: 'The version is not a draft.',
  NOT_REQUESTED: 'Nobody has put the version up for publication.',
  ALREADY_REQUESTED: 'The version has been put up already; a second person approves it.',
  BACKTEST_MISSING: 'There is no finished back-test of exactly this content.',
  NEVER_PUBLISHED: 'The version was never live.',
  LIVE: 'The live ruleset can be replaced, not taken away.',
};

function obstruct(obstacle: PublicationObstacle | 'LIVE' | null): void {
  if (obstacle === null) return;
  throw conflict('', obstacle, OBSTACLES[obstacle]);
}
