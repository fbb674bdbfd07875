import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { newestFirst, UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { Clock, DomainError, newUuid, orThrow } from '../../../platform/kernel/index.js';
import { type ActorContext, auditDraftOf } from '../actor-context.js';
import { AuditTrail } from '../trail/audit-trail.js';
import type { AuditContent, AuditDraft } from '../domain/entry.js';
import { AuditLogEntity, LogRestartEntity } from '../store/entities.js';
import { requestRestart } from '../store/log.statements.js';

/** A request to resume a stopped log, and the decision on the request. */
export type LogRestart = LogRestartEntity;

/**
 * Resumes a log that was rolled back by a restored backup, after one person requested and another approved it. The log
 * gets a new origin, and its first new entry names the lost entries, so that old and new checkpoints are not confused.
 */
@Injectable()
export class LogRestartsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly trail: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** Stores a request. Throws STATE_CONFLICT unless the log is stopped and has no open request. */
  async insert(tx: Tx, ctx: ActorContext, reason: string): Promise<LogRestart> {
    const { organisationId, actor } = ctx;
    const values = { id: newUuid(), organisationId, reason, requestedBy: actor.id };
    const row = orThrow(await requestRestart(tx, values), 'STATE_CONFLICT');
    await this.trail.record(tx, this.draftEntry(ctx, row, 'audit_log.reincarnation_requested'));
    return row;
  }

  /** Locks the request and returns its status, and whether the log is stopped. Throws LOG_RESTART_NOT_FOUND. */
  async lockState(
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

  /** Resumes the log after the approval. Throws STATE_CONFLICT if the log is not stopped. */
  async resume(tx: Tx, ctx: ActorContext, id: string, approvedBy: string): Promise<void> {
    const { organisationId } = ctx;
    const approved = { status: 'APPROVED' as const, approvedBy, approvedAt: () => 'clock_timestamp()' };
    await tx.update(LogRestartEntity, { organisationId, id, status: 'REQUESTED' }, approved);
    const row = await tx.findOneByOrFail(LogRestartEntity, { organisationId, id });
    // An empty note makes the sealer sign the log again in its next run, under the origin of the new incarnation.
    const anchor = { anchorIncarnation: null, anchorSize: null, anchorRoot: null };
    const goesOn = await tx.update(
      AuditLogEntity,
      { organisationId, rolledBackAt: Not(IsNull()) },
      { incarnation: row.incarnation, rolledBackAt: null, ...anchor, signedAt: new Date(0), note: '' },
    );
    if (goesOn.affected !== 1) throw new DomainError('STATE_CONFLICT');
    await this.trail.record(tx, this.draftEntry(ctx, row, 'audit_log.reincarnated'));
  }

  /** Refuses the request: the log stays stopped, and a new request is possible. */
  async refuse(tx: Tx, organisationId: string, id: string): Promise<void> {
    const open = { organisationId, id, status: 'REQUESTED' as const };
    await tx.update(LogRestartEntity, open, { status: 'REFUSED' });
  }

  /** Lists requests older than `before`, the newest first. */
  async page(organisationId: string, before: string | null, limit: number): Promise<LogRestart[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(LogRestartEntity, newestFirst({ organisationId }, before, limit)),
    );
  }

  private draftEntry(ctx: ActorContext, row: LogRestart, action: AuditDraft['action']): AuditDraft {
    const content: AuditContent = {
      incarnation: row.incarnation,
      restoredSize: Number(row.restoredSize),
      lostFrom: Number(row.restoredSize),
      lostTo: Number(row.anchorSize),
      anchorRoot: row.anchorRoot.toString('base64'),
      requestedBy: `operator:${row.requestedBy}`,
    };
    const now = new Date(this.clock.now());
    return auditDraftOf(ctx, 'audit_log', ctx.organisationId, action, now, content);
  }
}
