import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan } from 'typeorm';
import { type ActorContext, AuditTrail, formatActor, auditDraftOf } from '../../audit/index.js';
import {
  ApplyAct,
  type Approval,
  ApprovalsService,
  CurrentValues,
  type ChangedValues,
} from '../../approvals/index.js';
import { afterCommit, UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { Clock, conflict, DomainError, invalid, newUuid, orThrow } from '../../../platform/kernel/index.js';
import { isMandatory } from '../domain/mandatory-rules.js';
import { RulesetRegistryService } from './ruleset-registry.service.js';
import { RuleSnoozeEntity, RulesetEntity } from '../store/entities.js';

// Long enough for a week's campaign or a broken source over the holidays; a longer silence needs a new version.
const MAX_MS = 30 * 24 * 3_600_000;

/** A snooze as its approval request stores it. */
type Snooze = Readonly<Record<'ruleset' | 'rule' | 'endsAt', string>>;

/**
 * Silences a rule for a limited time, after the approval of a second person. Meanwhile the rule is evaluated and its
 * hits are recorded, without points and effect. Every affected evaluation records the snooze.
 */
@Injectable()
export class SnoozesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly registry: RulesetRegistryService,
    private readonly approvals: ApprovalsService,
  ) {}

  /** Requests a snooze, which begins with its approval. */
  async request(
    ctx: ActorContext,
    rulesetKey: string,
    ruleKey: string,
    { endsAt, reason }: { readonly endsAt: Date; readonly reason: string },
  ): Promise<Approval> {
    const { organisationId } = ctx;
    const now = this.clock.now();
    if (endsAt.getTime() <= now || endsAt.getTime() - now > MAX_MS) {
      throw invalid('until', 'OUT_OF_RANGE', 'Must be ahead, by 30 days at most.');
    }
    if (isMandatory(ruleKey)) {
      throw conflict('', 'MANDATORY_RULE', 'A mandatory rule cannot be silenced.');
    }
    return this.uow.run(organisationId, async (tx) => {
      const liveRuleset = await this.findLiveVersion(tx, organisationId, rulesetKey);
      if (!liveRuleset.content.rules.some(({ key }) => key === ruleKey)) {
        throw new DomainError('RULE_NOT_FOUND');
      }
      return this.approvals.request(tx, ctx, {
        act: 'rule.snooze',
        subjectId: newUuid(),
        before: { version: liveRuleset.version },
        after: { ruleset: rulesetKey, rule: ruleKey, endsAt: endsAt.toISOString() },
        reason,
      });
    });
  }

  /** Returns the live version: in another version the rule may mean something else. */
  @CurrentValues('rule.snooze')
  async currentVersion(tx: Tx, { organisationId, change }: Approval): Promise<ChangedValues> {
    return {
      version: (await this.findLiveVersion(tx, organisationId, change.after['ruleset'] as string)).version,
    };
  }

  @ApplyAct('rule.snooze')
  async snooze(
    tx: Tx,
    ctx: ActorContext,
    { id, subjectId, reason, change, singleControl }: Approval,
  ): Promise<void> {
    const { organisationId } = ctx;
    const { ruleset: rulesetKey, rule: ruleKey, endsAt: until } = change.after as Snooze;
    const [beginsAt, endsAt] = [new Date(this.clock.now()), new Date(until)];
    if (endsAt <= beginsAt) {
      throw conflict('until', 'OVER', 'The time of the snooze is over already.');
    }
    const liveRuleset = await this.findLiveVersion(tx, organisationId, rulesetKey);
    await tx.insert(RuleSnoozeEntity, {
      id: subjectId,
      organisationId,
      rulesetKey,
      ruleKey,
      reason,
      beginsAt,
      endsAt,
      createdBy: formatActor(ctx),
      singleControl,
    });
    await this.audit.record(
      tx,
      auditDraftOf(ctx, 'ruleset', liveRuleset.id, 'ruleset.rule_snoozed', beginsAt, {
        key: rulesetKey,
        version: liveRuleset.version,
        rule: ruleKey,
        snoozeId: subjectId,
        endsAt: endsAt.toISOString(),
        reason,
        approval: id,
      }),
    );
    this.reloadAfterCommit(tx, organisationId);
  }

  /** Ends a snooze before its time. */
  async lift(ctx: ActorContext, rulesetKey: string, snoozeId: string): Promise<RuleSnoozeEntity> {
    const { organisationId } = ctx;
    const now = new Date(this.clock.now());
    return this.uow.run(organisationId, async (tx) => {
      const { affected } = await tx.update(
        RuleSnoozeEntity,
        { id: snoozeId, organisationId, rulesetKey, liftedAt: IsNull(), endsAt: MoreThan(now) },
        { liftedAt: now, liftedBy: formatActor(ctx) },
      );
      if (affected === 0) throw new DomainError('SNOOZE_NOT_FOUND');
      const lifted = await tx.findOneByOrFail(RuleSnoozeEntity, { id: snoozeId });
      const liveRuleset = await this.findLiveVersion(tx, organisationId, rulesetKey);
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'ruleset', liveRuleset.id, 'ruleset.snooze_lifted', now, {
          key: rulesetKey,
          version: liveRuleset.version,
          rule: lifted.ruleKey,
          snoozeId,
        }),
      );
      this.reloadAfterCommit(tx, organisationId);
      return lifted;
    });
  }

  private reloadAfterCommit(tx: Tx, organisationId: string): void {
    afterCommit(tx, () => {
      this.registry.forget(organisationId);
    });
  }

  private async findLiveVersion(tx: Tx, organisationId: string, key: string): Promise<RulesetEntity> {
    return orThrow(
      await tx.findOneBy(RulesetEntity, { organisationId, key, status: 'PUBLISHED' }),
      'RULESET_NOT_FOUND',
    );
  }
}
