import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/index.js';
import { requireSecondPerson, type OperatorPrincipal } from '../../http/index.js';
import { Clock, DomainError, newUuid } from '../../kernel/index.js';
import { type ActorContext, stepOf } from '../actor-context.js';
import { AuditTrail } from '../trail/audit-trail.service.js';
import type { AuditContent, AuditDraft } from '../domain/entry.js';
import {
  approveRestart,
  goOn,
  requestRestart,
  restartById,
  restarts,
  type LogRestart,
} from '../store/log-restart.statements.js';

export type { LogRestart };

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
    const open = await this.uow.read(organisationId, (db) => restartById(db, organisationId, id));
    if (!open) throw new DomainError('LOG_RESTART_NOT_FOUND');
    if (open.status !== 'REQUESTED') throw new DomainError('STATE_CONFLICT');
    requireSecondPerson(open.requestedBy, operator);
    return this.uow.run(organisationId, async (tx) => {
      const row = await approveRestart(tx, organisationId, id, operator.id);
      if (!row || !(await goOn(tx, organisationId, row.incarnation))) throw new DomainError('STATE_CONFLICT');
      await this.trail.record(tx, [this.step(ctx, row, 'audit_log.reincarnated')]);
      return row;
    });
  }

  /** The newest first. */
  async page(organisationId: string, before: string | null, limit: number): Promise<LogRestart[]> {
    return this.uow.read(organisationId, (db) => restarts(db, organisationId, before, limit));
  }

  private step(ctx: ActorContext, row: LogRestart, action: AuditDraft['action']): AuditDraft {
    const content: AuditContent = {
      incarnation: row.incarnation,
      restoredSize: row.restoredSize,
      lostFrom: row.restoredSize,
      lostTo: row.anchorSize,
      anchorRoot: row.anchorRoot.toString('base64'),
      requestedBy: `operator:${row.requestedBy}`,
    };
    const now = new Date(this.clock.now());
    return stepOf(ctx, 'audit_log', ctx.organisationId, action, now, content);
  }
}
