import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import { system, UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { Clock } from '../../../platform/kernel/index.js';
import { Periodic } from '../../../platform/schedule/index.js';
import { systemActor, auditDraftOf } from '../actor-context.js';
import type { AuditAction, AuditContent } from '../domain/entry.js';
import { ExportRepository, type ClaimedExport } from '../store/export.repository.js';
import { AuditTrail } from '../trail/audit-trail.js';
import type { TrailSurveyResult } from '../trail/trail-survey.js';

const EXPIRE_MS = 60_000;

const ACTIONS = {
  READY: 'audit_export.finished',
  BLOCKED: 'audit_export.blocked',
  FAILED: 'audit_export.failed',
} as const;

/** Ends exports, each with its audit entry in one commit. */
@Injectable()
export class ExportEndsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly exports: ExportRepository,
    private readonly trail: AuditTrail,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  async conclude(
    claimed: ClaimedExport,
    status: 'READY' | 'BLOCKED' | 'FAILED',
    content: AuditContent,
    { survey, result }: { survey?: TrailSurveyResult; result?: ClaimedExport['result'] } = {},
  ): Promise<void> {
    const { code } = content;
    const conclusion = {
      status,
      result: result ?? null,
      gaps: survey?.notes.filter(({ gaps }) => gaps.length > 0) ?? null,
      failureCode: typeof code === 'string' ? code : null,
    };
    await this.uow.run(claimed.organisationId, async (tx) => {
      const isOurs = await this.exports.end(tx, claimed, conclusion, this.settings.auditExportDays);
      if (isOurs) await this.record(tx, claimed, ACTIONS[status], content);
    });
  }

  /** Expires exports after the retention of their files. */
  @Periodic({ everyMs: EXPIRE_MS, otherwise: 'old packages stay', runsIn: 'workers' })
  async expire(): Promise<number> {
    return this.uow.run(system('audit.exports'), async (tx) => {
      const expired = await this.exports.expire(tx);
      for (const row of expired) await this.record(tx, row, 'audit_export.expired', {});
      return expired.length;
    });
  }

  private async record(
    tx: Tx,
    { organisationId, id }: Pick<ClaimedExport, 'organisationId' | 'id'>,
    action: AuditAction,
    content: AuditContent,
  ): Promise<void> {
    const ctx = systemActor(organisationId, 'audit.exports');
    const step = auditDraftOf(ctx, 'audit_export', id, action, new Date(this.clock.now()), content);
    await this.trail.record(tx, step);
  }
}
