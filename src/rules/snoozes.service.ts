import { Injectable } from '@nestjs/common';
import { type Acting, AuditTrail, nameOfActor, stepOf } from '../audit/index.js';
import { afterCommit, UnitOfWork, type Tx } from '../database/index.js';
import { Clock, DomainError, newUuid } from '../kernel/index.js';
import { isMandatory } from './domain/mandatory-rules.js';
import { RulesetRegistry } from './ruleset-registry.js';
import { RulesetEntity } from './store/ruleset.entity.js';

/** A rule that has no effect for a while. */
export interface Snooze {
  readonly id: string;
  readonly rulesetKey: string;
  readonly ruleKey: string;
  readonly reason: string;
  readonly beginsAt: Date;
  readonly endsAt: Date;
  readonly createdBy: string;
  readonly liftedAt: Date | null;
  readonly liftedBy: string | null;
}

// Long enough for a week's campaign or a broken source over the holidays; what lasts longer is a new version.
const LONGEST_MS = 30 * 24 * 3_600_000;

const COLUMNS = `id, ruleset_key AS "rulesetKey", rule_key AS "ruleKey", reason, begins_at AS "beginsAt",
  ends_at AS "endsAt", created_by AS "createdBy", lifted_at AS "liftedAt", lifted_by AS "liftedBy"`;

/**
 * Silences a rule for a limited time: the one change that one person alone can make at once, and the reason why it ends
 * by itself. While it lasts the rule is still evaluated and its hits are recorded, without points and without effect,
 * and every evaluation that it touches says so.
 */
@Injectable()
export class SnoozesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly registry: RulesetRegistry,
  ) {}

  async snooze(
    acting: Acting,
    rulesetKey: string,
    ruleKey: string,
    { endsAt, reason }: { readonly endsAt: Date; readonly reason: string },
  ): Promise<Snooze> {
    const { organisationId } = acting;
    const beginsAt = new Date(this.clock.now());
    if (endsAt <= beginsAt || endsAt.getTime() - beginsAt.getTime() > LONGEST_MS) {
      throw new DomainError('VALIDATION_FAILED', {
        details: [{ path: 'until', code: 'OUT_OF_RANGE', message: 'Must be ahead, by 30 days at most.' }],
      });
    }
    if (isMandatory(ruleKey)) {
      throw new DomainError('STATE_CONFLICT', {
        details: [{ path: '', code: 'MANDATORY_RULE', message: 'A mandatory rule cannot be silenced.' }],
      });
    }
    return this.uow.run(organisationId, async (tx) => {
      const live = await this.liveVersion(tx, organisationId, rulesetKey);
      if (!live.content.rules.some(({ key }) => key === ruleKey)) throw new DomainError('RULE_NOT_FOUND');
      const snooze: Snooze = {
        id: newUuid(),
        rulesetKey,
        ruleKey,
        reason,
        beginsAt,
        endsAt,
        createdBy: nameOfActor(acting),
        liftedAt: null,
        liftedBy: null,
      };
      await tx.query(
        `INSERT INTO rule_snoozes (id, organisation_id, ruleset_key, rule_key, reason, begins_at, ends_at, created_by)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [snooze.id, organisationId, rulesetKey, ruleKey, reason, beginsAt, endsAt, snooze.createdBy],
      );
      await this.audit.record(tx, [
        stepOf(acting, 'ruleset', live.id, 'ruleset.rule_snoozed', beginsAt, {
          key: rulesetKey,
          version: live.version,
          rule: ruleKey,
          snoozeId: snooze.id,
          endsAt: endsAt.toISOString(),
          reason,
        }),
      ]);
      this.swap(tx, organisationId);
      return snooze;
    });
  }

  /** Ends a snooze before its time. */
  async lift(acting: Acting, rulesetKey: string, snoozeId: string): Promise<Snooze> {
    const { organisationId } = acting;
    const now = new Date(this.clock.now());
    return this.uow.run(organisationId, async (tx) => {
      const [rows]: [Snooze[], number] = await tx.query(
        `UPDATE rule_snoozes SET lifted_at = $4, lifted_by = $5
         WHERE id = $1 AND organisation_id = $2 AND ruleset_key = $3 AND lifted_at IS NULL AND ends_at > $4
         RETURNING ${COLUMNS}`,
        [snoozeId, organisationId, rulesetKey, now, nameOfActor(acting)],
      );
      const [lifted] = rows;
      if (!lifted) throw new DomainError('SNOOZE_NOT_FOUND');
      const live = await this.liveVersion(tx, organisationId, rulesetKey);
      await this.audit.record(tx, [
        stepOf(acting, 'ruleset', live.id, 'ruleset.snooze_lifted', now, {
          key: rulesetKey,
          version: live.version,
          rule: lifted.ruleKey,
          snoozeId,
        }),
      ]);
      this.swap(tx, organisationId);
      return lifted;
    });
  }

  private swap(tx: Tx, organisationId: string): void {
    afterCommit(tx, () => {
      this.registry.forget(organisationId);
    });
  }

  private async liveVersion(tx: Tx, organisationId: string, key: string): Promise<RulesetEntity> {
    const live = await tx.findOneBy(RulesetEntity, { organisationId, key, status: 'PUBLISHED' });
    if (!live) throw new DomainError('RULESET_NOT_FOUND');
    return live;
  }
}
