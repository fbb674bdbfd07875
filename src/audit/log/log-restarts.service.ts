import { Injectable } from '@nestjs/common';
import { IsNull, LessThan, Not } from 'typeorm';
import { UnitOfWork } from '../../database/index.js';
import { requireSecondPerson, type OperatorPrincipal } from '../../http/index.js';
import { Clock, DomainError, newUuid } from '../../kernel/index.js';
import { type ActorContext, stepOf } from '../actor-context.js';
import { AuditTrail } from '../trail/audit-trail.service.js';
import type { AuditContent, AuditDraft } from '../domain/entry.js';
import { AuditLogEntity } from '../store/entities/audit-log.entity.js';
import { LogRestartEntity } from '../store/entities/log-restart.entity.js';
import { requestRestart } from '../store/log-restart.statements.js';

/** The reason why a log was stopped, and the two people's decision about it. */
export type LogRestart = LogRestartEntity;

/**
 * Lets a log that was put back (a restored backup) go on, when one person has said why and another agrees. It goes on
 * under a new origin, and its first entry names what was lost, so that nobody can take the one log for the other.
 */
@Injectable()
export class LogRestarts {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly trail: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** Fails with STATE_CONFLICT unless the log is stopped and nobody has asked yet. */
  async request(ctx: ActorContext, reason: string): Promise<LogRestart> {
    return this.uow.run(ctx.organisationId, async (tx) => {
      const { organisationId, actor } = ctx;
      const values = { id: newUuid(), organisationId, reason, requestedBy: actor.id };
      const row = await requestRestart(tx, values);
      if (!row) throw new DomainError('STATE_CONFLICT');
      await this.trail.record(tx, [this.step(ctx, row, 'audit_log.reincarnation_requested')]);
      return row;
    });
  }

  async approve(operator: OperatorPrincipal, ctx: ActorContext, id: string): Promise<LogRestart> {
    const { organisationId } = operator;
    const open = await this.uow.read(organisationId, (db) =>
      db.findOneBy(LogRestartEntity, { organisationId, id }),
    );
    if (!open) throw new DomainError('LOG_RESTART_NOT_FOUND');
    if (open.status !== 'REQUESTED') throw new DomainError('STATE_CONFLICT');
    requireSecondPerson(open.requestedBy, operator);
    return this.uow.run(organisationId, async (tx) => {
      const approved = await tx.update(
        LogRestartEntity,
        { organisationId, id, status: 'REQUESTED' },
        { status: 'APPROVED', approvedBy: operator.id, approvedAt: () => 'clock_timestamp()' },
      );
      // Signed again by the next round of the sealer, under the origin of the new incarnation.
      const anchor = { anchorIncarnation: null, anchorSize: null, anchorRoot: null };
      const goesOn = await tx.update(
        AuditLogEntity,
        { organisationId, rolledBackAt: Not(IsNull()) },
        { incarnation: open.incarnation, rolledBackAt: null, ...anchor, signedAt: new Date(0), note: '' },
      );
      if (approved.affected !== 1 || goesOn.affected !== 1) throw new DomainError('STATE_CONFLICT');
      const row = await tx.findOneByOrFail(LogRestartEntity, { organisationId, id });
      await this.trail.record(tx, [this.step(ctx, row, 'audit_log.reincarnated')]);
      return row;
    });
  }

  /** The newest first. */
  async page(organisationId: string, before: string | null, limit: number): Promise<LogRestart[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(LogRestartEntity, {
        where: { organisationId, ...(before !== null && { id: LessThan(before) }) },
        order: { id: 'DESC' },
        take: limit,
      }),
    );
  }

  private step(ctx: ActorContext, row: LogRestart, action: AuditDraft['action']): AuditDraft {
    const content: AuditContent = {
      incarnation: row.incarnation,
      restoredSize: Number(row.restoredSize),
      lostFrom: Number(row.restoredSize),
      lostTo: Number(row.anchorSize),
      anchorRoot: row.anchorRoot.toString('base64'),
      requestedBy: `operator:${row.requestedBy}`,
    };
    const now = new Date(this.clock.now());
    return stepOf(ctx, 'audit_log', ctx.organisationId, action, now, content);
  }
}
