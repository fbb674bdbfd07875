import { Injectable, Logger } from '@nestjs/common';
import { In, IsNull, type FindOptionsWhere } from 'typeorm';
import { newestFirst, UnitOfWork } from '../../../platform/database/index.js';
import { Clock } from '../../../platform/kernel/index.js';
import { systemActor, auditDraftOf } from '../actor-context.js';
import { AuditTrail } from './audit-trail.js';
import type { AuditAction, AuditContent, AuditDraft } from '../domain/entry.js';
import { isBlocking, type TrailStatus, type TrailVerdict } from '../domain/trail.js';
import { AuditFindingEntity } from '../store/entities.js';
import { recordFinding, countOpenFindings } from '../store/finding.statements.js';
import { TrailSurvey, type Subject } from './trail-survey.js';

export type TrailFinding = AuditFindingEntity;

/** Stores findings: gaps that the sweep has found, or that led to the refusal of a decision or export. */
@Injectable()
export class FindingsService {
  private readonly logger = new Logger(FindingsService.name);

  constructor(
    private readonly uow: UnitOfWork,
    private readonly trail: AuditTrail,
    private readonly survey: TrailSurvey,
    private readonly clock: Clock,
  ) {}

  /** Lists open findings older than `before`, the newest first. */
  async page(organisationId: string, before: string | null, limit: number): Promise<TrailFinding[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(AuditFindingEntity, newestFirst({ organisationId, clearedAt: IsNull() }, before, limit)),
    );
  }

  /** Returns the subjects of open findings, the oldest first. */
  async listOpenSubjects(
    organisationId: string,
    which: FindOptionsWhere<AuditFindingEntity>,
    limit?: number,
  ): Promise<Subject[]> {
    const openFindings = await this.uow.read(organisationId, (db) =>
      db.find(AuditFindingEntity, {
        select: { subjectType: true, subjectId: true },
        where: { ...which, organisationId, clearedAt: IsNull() },
        order: { foundAt: 'ASC' },
        ...(limit !== undefined && { take: limit }),
      }),
    );
    return openFindings.map(({ subjectType, subjectId }) => ({ type: subjectType, id: subjectId }));
  }

  /** After a refusal: verifies these trails and records blocking gaps now, without waiting for the sweep. */
  async recordRefusedTrails(organisationId: string, subjects: readonly Subject[]): Promise<void> {
    for (const [subject, verdict] of await this.survey.verify(organisationId, subjects)) {
      if (isBlocking(verdict)) await this.recordFinding(organisationId, subject, verdict);
    }
  }

  /** Records gaps in these verdicts, closes findings of trails without a gap, and returns statuses of new findings. */
  async recordVerdicts(
    organisationId: string,
    verdicts: ReadonlyMap<Subject, TrailVerdict>,
  ): Promise<readonly TrailStatus[]> {
    const ids = [...verdicts.keys()].map(({ id }) => id);
    const openSubjects = new Set(
      (await this.listOpenSubjects(organisationId, { subjectId: In(ids) })).map(nameOf),
    );
    const news: TrailStatus[] = [];
    for (const [subject, verdict] of verdicts) {
      if (isBlocking(verdict)) {
        if (await this.recordFinding(organisationId, subject, verdict)) news.push(verdict.status);
      } else if (openSubjects.has(nameOf(subject))) await this.close(organisationId, subject);
    }
    return news;
  }

  /** Stores a gap as a finding, with an audit entry; false if the same finding is open already. */
  async recordFinding(
    organisationId: string,
    subject: Subject,
    verdict: Pick<TrailVerdict, 'status' | 'gaps'>,
  ): Promise<boolean> {
    const { status, gaps } = verdict;
    // Every trail of a rolled back log has this status, and the log itself is stopped already.
    if (status === 'LOG_ROLLED_BACK') return false;
    const isNew = await this.uow.run(organisationId, async (tx) => {
      if (!(await recordFinding(tx, organisationId, subject, verdict))) return false;
      const content = {
        ...findingSubject(subject),
        status,
        gaps: gaps.map(({ kind, seq }) => `${kind} ${seq ?? '-'}`),
        open: await countOpenFindings(tx, organisationId),
      };
      await this.trail.record(tx, this.draftEntry(organisationId, 'audit_log.gap_found', content));
      return true;
    });
    if (isNew) this.logger.error(`the audit trail of ${subject.type}:${subject.id} is ${status}`);
    return isNew;
  }

  /** Closes the finding of a subject with an audit entry, if one is open. */
  async close(organisationId: string, subject: Subject): Promise<void> {
    await this.uow.run(organisationId, async (tx) => {
      const { affected } = await tx.update(
        AuditFindingEntity,
        { organisationId, subjectType: subject.type, subjectId: subject.id, clearedAt: IsNull() },
        { clearedAt: () => 'clock_timestamp()' },
      );
      if (affected !== 1) return;
      const content = { ...findingSubject(subject), open: await countOpenFindings(tx, organisationId) };
      await this.trail.record(tx, this.draftEntry(organisationId, 'audit_log.gap_closed', content));
    });
  }

  private draftEntry(organisationId: string, action: AuditAction, content: AuditContent): AuditDraft {
    const ctx = systemActor(organisationId, 'audit.sweep');
    return auditDraftOf(ctx, 'audit_log', organisationId, action, new Date(this.clock.now()), content);
  }
}

const nameOf = ({ type, id }: Subject): string => `${type}:${id}`;

const findingSubject = ({ type, id }: Subject): AuditContent => ({ of: `${type}:${id}` });
