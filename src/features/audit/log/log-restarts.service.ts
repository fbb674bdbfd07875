import { Injectable } from '@nestjs/common';
import { IsNull, LessThan, Not } from 'typeorm';
import { UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { Clock, DomainError, newUuid } from '../../../platform/kernel/index.js';
import { type ActorContext, stepOf } from '../actor-context.js';
import { AuditTrail } from '../trail/audit-trail.js';
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
export class LogRestartsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly trail: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** Keeps why somebody asks. Fails with STATE_CONFLICT unless the log is stopped and nobody has asked yet. */
  async insert(tx: Tx, ctx: ActorContext, reason: string): Promise<LogRestart> {
    const { organisationId, actor } = ctx;
    const values = { id: newUuid(), organisationId, reason, requestedBy: actor.id };
    const row = await requestRestart(tx, values);
    if (!row) throw new DomainError('STATE_CONFLICT');
    await this.trail.record(tx, [this.step(ctx, row, 'audit_log.reincarnation_requested')]);
    return row;
  }

  /** How the request and the log stand, both held until the end. */
  async standing(
    tx: Tx,
    organisationId: string,
    id: string,
  ): Promise<{ status: LogRestart['status']; stopped: boolean }> {
    const lock = { mode: 'pessimistic_write' } as const;
    const open = await tx.findOne(LogRestartEntity, { where: { organisationId, id }, lock });
    if (!open) throw new DomainError('LOG_RESTART_NOT_FOUND');
    const stopped = { organisationId, rolledBackAt: Not(IsNull()) };
    return { status: open.status, stopped: await tx.existsBy(AuditLogEntity, stopped) };
  }

  /** Lets the log go on, as a second person agreed. */
  async goOn(tx: Tx, ctx: ActorContext, id: string, approvedBy: string): Promise<void> {
    const { organisationId } = ctx;
    const approved = { status: 'APPROVED' as const, approvedBy, approvedAt: () => 'clock_timestamp()' };
    await tx.update(LogRestartEntity, { organisationId, id, status: 'REQUESTED' }, approved);
    const row = await tx.findOneByOrFail(LogRestartEntity, { organisationId, id });
    // Signed again by the next round of the sealer, under the origin of the new incarnation.
    const anchor = { anchorIncarnation: null, anchorSize: null, anchorRoot: null };
    const goesOn = await tx.update(
      AuditLogEntity,
      { organisationId, rolledBackAt: Not(IsNull()) },
      { incarnation: row.incarnation, rolledBackAt: null, ...anchor, signedAt: new Date(0), note: '' },
    );
    if (goesOn.affected !== 1) throw new DomainError('STATE_CONFLICT');
    await this.trail.record(tx, [this.step(ctx, row, 'audit_log.reincarnated')]);
  }

  /** The log stays stopped, and somebody may ask again. */
  async refuse(tx: Tx, organisationId: string, id: string): Promise<void> {
    const open = { organisationId, id, status: 'REQUESTED' as const };
    await tx.update(LogRestartEntity, open, { status: 'REFUSED' });
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
