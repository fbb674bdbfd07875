import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { newestFirst, UnitOfWork } from '../../../platform/database/index.js';
import {
  Clock,
  conflict,
  digestOf,
  DomainError,
  newUuid,
  orThrow,
  type ErrorDetail,
} from '../../../platform/kernel/index.js';
import { Outbox } from '../../../platform/queue/index.js';
import { Quotas } from '../../../platform/quotas/index.js';
import { formatActor, auditDraftOf, type ActorContext } from '../actor-context.js';
import { AuditTrail } from '../trail/audit-trail.js';
import type { ByteRange } from '../domain/byte-range.js';
import type { AuditContent, SubjectType } from '../domain/entry.js';
import type {
  ExportFilter,
  ExportLanguage,
  ExportResult,
  ExportStatus,
  ReportedTrail,
} from '../domain/export.js';
import { isBlocking } from '../domain/trail.js';
import { ExportScopes } from './export-scopes.js';
import { FindingsService } from '../trail/findings.service.js';
import { AuditExportEntity } from '../store/entities.js';
import { TrailSurvey, type Subject, type TrailSurveyResult } from '../trail/trail-survey.js';

export type ExportRow = AuditExportEntity;

export interface ExportRequest {
  readonly filter: ExportFilter;
  readonly reason: string;
  /** True to refuse the export if a trail in it has a gap. */
  readonly auditReady: boolean;
  readonly language: ExportLanguage;
}

// Maximum number of trails that a request verifies; the background job verifies all trails before it writes.
const MAX_JUDGED_AT_ONCE = 500;
const MAX_NAMED = 50;

/** Accepts export requests, and records who requested and downloaded what. A background job writes the files. */
@Injectable()
export class AuditExportsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly findings: FindingsService,
    private readonly trail: AuditTrail,
    private readonly survey: TrailSurvey,
    private readonly scopes: ExportScopes,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly quotas: Quotas,
  ) {}

  /**
   * Stores a request. Throws AUDIT_TRAIL_INCOMPLETE if the export must be audit-ready and a trail in it has a known
   * gap.
   */
  async request(ctx: ActorContext, wanted: ExportRequest): Promise<ExportRow> {
    const { organisationId } = ctx;
    const survey = await this.surveyBeforeRequest(organisationId, wanted.filter);
    if (wanted.auditReady && survey.incomplete > 0) {
      for (const one of survey.notes) {
        if (isBlocking(one)) await this.findings.recordFinding(organisationId, subjectOf(one), one);
      }
      throw incompleteExportError(survey.notes);
    }
    const id = newUuid();
    const occurredAt = new Date(this.clock.now());
    const step = auditDraftOf(
      ctx,
      'audit_export',
      id,
      'audit_export.requested',
      occurredAt,
      requestContent(wanted),
    );
    const { exportsWaiting } = await this.quotas.limitsOf(organisationId);
    return this.uow.run(organisationId, async (tx) => {
      const waiting = { organisationId, status: In<ExportStatus>(['QUEUED', 'RUNNING']) };
      await this.quotas.requireRoomIn(tx, organisationId, 'exportsWaiting', exportsWaiting, () =>
        tx.countBy(AuditExportEntity, waiting),
      );
      const [entry] = await this.trail.record(tx, step);
      if (!entry) throw new Error('an entry was not written');
      const row = { id, organisationId, ...wanted, trailHash: entry.hash, requestedBy: formatActor(ctx) };
      await tx.insert(AuditExportEntity, row);
      this.outbox.append(tx, 'audit.exports', [id]);
      return tx.findOneByOrFail(AuditExportEntity, { organisationId, id });
    });
  }

  async find(organisationId: string, id: string): Promise<ExportRow> {
    return orThrow(
      await this.uow.read(organisationId, (db) => db.findOneBy(AuditExportEntity, { organisationId, id })),
      'AUDIT_EXPORT_NOT_FOUND',
    );
  }

  /** Lists exports older than `before`, the newest first. */
  async page(
    organisationId: string,
    status: ExportStatus | null,
    before: string | null,
    limit: number,
  ): Promise<ExportRow[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(
        AuditExportEntity,
        newestFirst({ organisationId, ...(status !== null && { status }) }, before, limit),
      ),
    );
  }

  /** Finds an export with a readable file. Throws if the file is unfinished, failed or expired. */
  async findFinished(
    organisationId: string,
    id: string,
  ): Promise<ExportRow & { readonly result: ExportResult }> {
    const row = await this.find(organisationId, id);
    if (row.status === 'EXPIRED') throw new DomainError('AUDIT_EXPORT_GONE');
    if (row.status === 'BLOCKED') throw incompleteExportError(row.gaps ?? []);
    const { result } = row;
    if (row.status !== 'READY' || !result) {
      const message = `The export is ${row.status}.`;
      throw conflict('status', row.status, message);
    }
    return Object.assign(row, { result });
  }

  /** Records who downloads which part of the file. Called before the first byte is sent. */
  async recordDownload(ctx: ActorContext, id: string, { from, to }: ByteRange): Promise<void> {
    const { organisationId } = ctx;
    const occurredAt = new Date(this.clock.now());
    await this.uow.run(organisationId, async (tx) => {
      const ready = { organisationId, id, status: 'READY' } as const;
      const { affected } = await tx.increment(AuditExportEntity, ready, 'downloads', 1);
      if (affected !== 1) throw new DomainError('AUDIT_EXPORT_GONE');
      const { result } = await tx.findOneByOrFail(AuditExportEntity, ready);
      const content = { from, to, sha256: result?.sha256 ?? null };
      await this.trail.record(
        tx,
        auditDraftOf(ctx, 'audit_export', id, 'audit_export.downloaded', occurredAt, content),
      );
    });
  }

  /** Verifies the trails of one subject, customer or case; for a wider filter only the trails with an open finding. */
  private async surveyBeforeRequest(
    organisationId: string,
    filter: ExportFilter,
  ): Promise<TrailSurveyResult> {
    const { subjectType: type, subjectId } = filter;
    const subjects = this.scopes.subjectsOfScope(organisationId, filter);
    if (subjects) return this.survey.survey(organisationId, takeSubjects(subjects, MAX_JUDGED_AT_ONCE));
    if (type !== undefined && subjectId !== undefined) {
      const verdict = await this.trail.findTrailStatus({ organisationId, type, id: subjectId });
      if (!verdict) throw new DomainError('AUDIT_ENTRY_NOT_FOUND');
      return this.survey.survey(organisationId, [[{ type, id: subjectId }]]);
    }
    const typeFilter = type === undefined ? {} : { subjectType: type };
    const found = await this.findings.listOpenSubjects(organisationId, typeFilter, MAX_JUDGED_AT_ONCE);
    // A trail may have been repaired since it was found.
    return this.survey.survey(organisationId, [found]);
  }
}

async function* takeSubjects(
  pages: AsyncIterable<readonly Subject[]>,
  most: number,
): AsyncGenerator<readonly Subject[]> {
  let remaining = most;
  for await (const page of pages) {
    yield page.slice(0, remaining);
    remaining -= page.length;
    if (remaining <= 0) return;
  }
}

const subjectOf = ({ subject }: ReportedTrail): Subject => {
  const colon = subject.indexOf(':');
  return { type: subject.slice(0, colon) as SubjectType, id: subject.slice(colon + 1) };
};

/** Returns the content of the entry about a request. It has only a digest of the reason, which may name people. */
const requestContent = ({ filter, reason, auditReady, language }: ExportRequest): AuditContent => ({
  ...(Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as AuditContent),
  reasonSha256: digestOf(reason),
  auditReady,
  language,
});

/** Returns the content of the first entry about an export. */
export const requestedEntryContent = (row: ExportRow): AuditContent => requestContent(row);

/** Creates the 409 error that names the trails and their gaps. */
export const incompleteExportError = (notes: readonly ReportedTrail[]): DomainError =>
  new DomainError('AUDIT_TRAIL_INCOMPLETE', {
    details: notes
      .flatMap(({ subject, gaps }) =>
        gaps.map((gap): ErrorDetail => ({
          path: subject,
          code: gap.kind,
          message: gap.seq === null ? `${gap.detail}.` : `Entry ${gap.seq}: ${gap.detail}.`,
        })),
      )
      .slice(0, MAX_NAMED),
  });
