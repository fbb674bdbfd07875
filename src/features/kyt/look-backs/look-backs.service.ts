import { Injectable } from '@nestjs/common';
import {
  ApplyAct,
  ApprovalsService,
  CurrentValues,
  SummarizeSubjects,
  summaryLine,
  type SubjectSummary,
  type SummaryWords,
  type ApprovalAction,
  type Approval,
  type RequestedChange,
  type ChangedValues,
} from '../../approvals/index.js';
import { AuditTrail, formatActor, auditDraftOf, type ActorContext } from '../../audit/index.js';
import { UnitOfWork, type Tx } from '../../../platform/database/index.js';
import type { OperatorPrincipal } from '../../../platform/http/index.js';
import { Clock, conflict, newUuid, orThrow, publicId } from '../../../platform/kernel/index.js';
import { Outbox } from '../../../platform/queue/index.js';
import { BacktestHistory, RulesQueries } from '../../rules/index.js';
import { ScreeningListsService } from '../../screening/index.js';
import { NOTHING_YET, type LookBackKind } from '../domain/look-back.js';
import { LookBackEntity } from '../store/entities.js';
import { LookBackRepository, type LookBackRow } from '../store/work/look-back.repository.js';

export type { LookBackRow } from '../store/work/look-back.repository.js';

const DAY_MS = 86_400_000;
const LIST: SummaryWords = { 'pt-BR': 'Lista', en: 'List' };
const RULESET: SummaryWords = { 'pt-BR': 'Conjunto de regras', en: 'Ruleset' };
const SPAN: SummaryWords = { 'pt-BR': 'Período', en: 'Span' };

/** The values of a request: a ruleset with its version, or a list. */
interface Asked {
  readonly ruleset: string;
  readonly version: number;
  readonly list: string;
  readonly days: number;
  readonly transactions: number;
}

export interface LookBackRequest {
  readonly days: number;
  readonly reason: string;
}

/** Requests look-backs, queues them once approved, and cancels them; `LookBackRunnerService` runs them. */
@Injectable()
export class LookBacksService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly approvals: ApprovalsService,
    private readonly rules: RulesQueries,
    private readonly lists: ScreeningListsService,
    private readonly history: BacktestHistory,
    private readonly lookBacks: LookBackRepository,
  ) {}

  /** Requests a look-back of a live version; other versions can only be back-tested. */
  async requestForRuleset(
    ctx: ActorContext,
    { key, version }: { readonly key: string; readonly version: number },
    order: LookBackRequest,
  ): Promise<Approval> {
    const ruleset = orThrow(
      await this.rules.findRuleset(ctx.organisationId, key, version),
      'RULESET_NOT_FOUND',
    );
    if (ruleset.status !== 'PUBLISHED') {
      throw conflict('version', 'NOT_LIVE', 'Only a version that is live looks back; back-test the others.');
    }
    const rulesetRef = { ruleset: key, version, contentHash: ruleset.contentHash.toString('hex') };
    return this.requestApproval(
      ctx,
      'ruleset.look_back',
      { before: { status: ruleset.status }, after: rulesetRef },
      order,
    );
  }

  /** Requests a look-back of a list that people are screened against. The run uses the list as it is at that time. */
  async requestForList(ctx: ActorContext, listId: string, order: LookBackRequest): Promise<Approval> {
    const { id, key, kind, sequence, archivedAt } = await this.lists.get(ctx.organisationId, listId);
    if (archivedAt !== null || kind === 'ALLOWLIST' || sequence === 0) {
      throw conflict('', 'NOT_SCREENED', 'Nobody is screened against this list.');
    }
    return this.requestApproval(
      ctx,
      'list.look_back',
      { before: { inUse: true }, after: { list: id, key } },
      order,
    );
  }

  /** Approval check: another version may have gone live since the request. */
  @CurrentValues('ruleset.look_back')
  async currentRuleset(_tx: Tx, { organisationId, change }: Approval): Promise<ChangedValues> {
    const { ruleset, version } = change.after as { ruleset: string; version: number };
    const found = await this.rules.findRuleset(organisationId, ruleset, version);
    return { status: found?.status ?? null };
  }

  @CurrentValues('list.look_back')
  async currentList(_tx: Tx, { organisationId, change }: Approval): Promise<ChangedValues> {
    const { archivedAt } = await this.lists.get(organisationId, change.after['list'] as string);
    return { inUse: archivedAt === null };
  }

  /** Names the ruleset or list that looks back, and for how long. */
  @SummarizeSubjects('look_back')
  async summarize(
    { organisationId, permissions }: OperatorPrincipal,
    approvals: readonly Approval[],
  ): Promise<ReadonlyMap<string, Partial<SubjectSummary>>> {
    const summaries = new Map<string, Partial<SubjectSummary>>();
    for (const { id, act, change } of approvals) {
      const isList = act === 'list.look_back';
      if (!permissions.has(isList ? 'screening:read' : 'rules:read')) continue;
      const { ruleset, version, list, days, transactions } = change.after as unknown as Asked;
      const found = isList ? null : await this.rules.findRuleset(organisationId, ruleset, version);
      const name = isList
        ? (await this.lists.get(organisationId, list)).name
        : found && {
            'pt-BR': `${found.content.name['pt-BR']} (${ruleset}@${version})`,
            en: `${found.content.name.en} (${ruleset}@${version})`,
          };
      summaries.set(id, {
        transactions,
        lines: [
          summaryLine(isList ? LIST : RULESET, null, name),
          summaryLine(SPAN, null, { 'pt-BR': `os últimos ${days} dias`, en: `the last ${days} days` }),
        ],
      });
    }
    return summaries;
  }

  @ApplyAct('ruleset.look_back')
  async beginForRuleset(tx: Tx, ctx: ActorContext, approval: Approval): Promise<void> {
    const { ruleset, version, contentHash } = approval.change.after as Record<string, string> & {
      version: number;
    };
    await this.insertLookBack(tx, ctx, approval, 'RULESET', {
      rulesetKey: ruleset ?? '',
      rulesetVersion: version,
      contentHash: Buffer.from(contentHash ?? '', 'hex'),
    });
  }

  @ApplyAct('list.look_back')
  async beginForList(tx: Tx, ctx: ActorContext, approval: Approval): Promise<void> {
    await this.insertLookBack(tx, ctx, approval, 'LIST', { listId: approval.change.after['list'] as string });
  }

  /** Cancels a look-back. If it is running, it stops within a second, and the cases that it opened stay. */
  async cancel(ctx: ActorContext, id: string): Promise<LookBackRow> {
    const { organisationId } = ctx;
    const before = await this.get(organisationId, id);
    await this.uow.run(organisationId, async (tx) => {
      if (!(await this.lookBacks.cancel(tx, organisationId, id, formatActor(ctx)))) {
        throw conflict('', 'ENDED', `The look-back is ${before.status}.`);
      }
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'look_back', id, 'look_back.cancelled', new Date(this.clock.now()), {}),
      );
    });
    return this.get(organisationId, id);
  }

  /** Returns a page of look-backs, the newest first. */
  page(organisationId: string, before: string | null, limit: number): Promise<LookBackRow[]> {
    return this.lookBacks.page(organisationId, before, limit);
  }

  async get(organisationId: string, id: string): Promise<LookBackRow> {
    return orThrow(await this.lookBacks.find(organisationId, id), 'LOOK_BACK_NOT_FOUND');
  }

  private async requestApproval(
    ctx: ActorContext,
    act: ApprovalAction,
    { before, after }: RequestedChange,
    { days, reason }: LookBackRequest,
  ): Promise<Approval> {
    const { organisationId } = ctx;
    // The count only informs the approver; the run counts again.
    const transactions = await this.history.count({ organisationId, ...this.range(days) });
    return this.uow.run(organisationId, (tx) =>
      this.approvals.request(tx, ctx, {
        ...{ act, reason, subjectId: newUuid(), before },
        after: { ...after, days, transactions },
      }),
    );
  }

  private async insertLookBack(
    tx: Tx,
    ctx: ActorContext,
    approval: Approval,
    kind: LookBackKind,
    of: Partial<Pick<LookBackEntity, 'rulesetKey' | 'rulesetVersion' | 'contentHash' | 'listId'>>,
  ): Promise<void> {
    const { id: approvalId, subjectId: id, requestedBy, decidedBy, singleControl, change } = approval;
    const { organisationId } = ctx;
    const days = change.after['days'] as number;
    const { from, to } = this.range(days);
    await tx.insert(LookBackEntity, {
      ...{ id, organisationId, kind, days, approvalId, requestedBy, singleControl, ...of },
      ...{ fromAt: from, toAt: to, counts: NOTHING_YET, approvedBy: decidedBy ?? '' },
      leaseUntil: () => `now() + interval '30 seconds'`,
    });
    await this.audit.record(
      tx,
      auditDraftOf(ctx, 'look_back', id, 'look_back.approved', to, {
        ...{ kind, days, from: from.toISOString(), to: to.toISOString() },
        approval: publicId('apr', approvalId),
        requestedBy: publicId('opr', requestedBy),
        ...(singleControl && { singleControl }),
        ...(of.rulesetKey !== undefined && {
          ruleset: `${of.rulesetKey ?? ''}@${of.rulesetVersion ?? ''}`,
          contentHash: of.contentHash?.toString('hex') ?? '',
        }),
        ...(of.listId !== undefined && { list: publicId('lst', of.listId ?? '') }),
      }),
    );
    this.outbox.append(tx, 'kyt.look-backs', [id]);
  }

  /**
   * Returns the last `days` days. The range ends now, because later transactions are evaluated by the live rules
   * anyway.
   */
  private range(days: number): { readonly from: Date; readonly to: Date } {
    const to = new Date(this.clock.now());
    return { from: new Date(to.getTime() - days * DAY_MS), to };
  }
}
