import type { Writable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/database/index.js';
import { Clock, digestOf, newUuid } from '../../../platform/kernel/index.js';
import { systemActor, auditDraftOf } from '../actor-context.js';
import { AuditPackages, type PackageRequest, type WrittenPackage } from './audit-packages.js';
import { AuditTrail } from '../trail/audit-trail.js';
import type { AuditAction, AuditContent } from '../domain/entry.js';
import { iterateSubjects } from './export-subjects.js';
import { LogQueries } from '../store/log.queries.js';
import { TrailSurvey } from '../trail/trail-survey.js';

export type DirectExportRequest = Omit<PackageRequest, 'survey' | 'auditReady' | 'language' | 'said'>;

/** Writes packages straight to a file, for the command line. Gaps are listed in the package and do not block it. */
@Injectable()
export class DirectExportsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly packages: AuditPackages,
    private readonly queries: LogQueries,
    private readonly survey: TrailSurvey,
    private readonly trail: AuditTrail,
    private readonly clock: Clock,
  ) {}

  async writePackage(request: DirectExportRequest, output: Writable): Promise<WrittenPackage> {
    const { organisationId, filter, reason } = request;
    const id = newUuid();
    await this.record(organisationId, id, 'audit_export.requested', {
      ...(Object.fromEntries(
        Object.entries(filter).filter(([, value]) => value !== undefined),
      ) as AuditContent),
      reasonSha256: digestOf(reason),
      auditReady: false,
    });
    const before = await this.queries.findCurrentLog(organisationId);
    const size = before?.size ?? 0;
    const survey = await this.survey.survey(
      organisationId,
      iterateSubjects({ queries: this.queries }, organisationId, filter, size),
    );
    const writtenPackage = await this.packages.write(
      { ...request, survey, auditReady: false, language: 'pt-BR' },
      output,
    );
    // Only export jobs block pruning, so this export checks for it: a package from before and after a pruning proves
    // nothing.
    const after = await this.queries.findCurrentLog(organisationId);
    if ((after?.pruned ?? 0) !== (before?.pruned ?? 0)) {
      throw new Error('Entries were pruned while the package was written. Write it again.');
    }
    const { manifest, manifestSha256 } = writtenPackage;
    await this.record(organisationId, id, 'audit_export.finished', {
      ...{ entries: manifest.count, treeSize: manifest.treeSize, root: manifest.root, manifestSha256 },
      ...{ subjects: survey.subjects, incomplete: survey.incomplete },
    });
    return writtenPackage;
  }

  private async record(
    organisationId: string,
    id: string,
    action: AuditAction,
    content: AuditContent,
  ): Promise<void> {
    const ctx = systemActor(organisationId, 'cli');
    const step = auditDraftOf(ctx, 'audit_export', id, action, new Date(this.clock.now()), content);
    await this.uow.run(organisationId, (tx) => this.trail.record(tx, step));
  }
}
