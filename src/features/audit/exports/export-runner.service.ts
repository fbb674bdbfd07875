import { Injectable } from '@nestjs/common';
import { AuditPackages } from './audit-packages.js';
import { isTrailIncomplete } from '../domain/package-format.js';
import { ExportEndsService } from './export-ends.service.js';
import { ExportLeaseLostError, ChunkWriter } from './export-files.service.js';
import { ExportScopes } from './export-scopes.js';
import { iterateSubjects } from './export-subjects.js';
import { HeapGuard } from '../../../platform/kernel/work/heap-guard.js';
import { WorkThrottle } from '../../../platform/kernel/work/long-work.js';
import { LogProofBuilder } from '../log/log-proof-builder.js';
import { ExportRepository, type ClaimedExport } from '../store/export.repository.js';
import { LogQueries, type LogFilter } from '../store/log.queries.js';
import { TrailSurvey, type Subject } from '../trail/trail-survey.js';
import { LongJobRunner } from '../../../platform/jobs/index.js';
import { pick } from '../../../platform/kernel/index.js';

const PROGRESS_MS = 500;
const MAX_ATTEMPTS = 5;
// Poll interval and maximum wait for the seal of the entry that requests the export (usually less than 250 ms).
const SEAL_MS = 100;
const MAX_SEAL_MS = 30_000;
const PAGE = 500;

/** Makes the requested packages. An interrupted run starts over; a partial file cannot be downloaded. */
@Injectable()
export class ExportRunnerService extends LongJobRunner<ClaimedExport> {
  constructor(
    private readonly exports: ExportRepository,
    private readonly packages: AuditPackages,
    private readonly survey: TrailSurvey,
    private readonly scopes: ExportScopes,
    private readonly queries: LogQueries,
    private readonly proofs: LogProofBuilder,
    private readonly ends: ExportEndsService,
  ) {
    super(exports, { title: 'export', maxAttempts: MAX_ATTEMPTS });
  }

  protected async work(claimed: ClaimedExport): Promise<void> {
    await this.exports.deleteChunks(claimed, 'before');
    await this.make(claimed);
  }

  protected override fail(claimed: ClaimedExport, code: string): Promise<void> {
    return this.ends.conclude(claimed, 'FAILED', { code });
  }

  protected override async failAfter(claimed: ClaimedExport, error: unknown): Promise<boolean> {
    if (error instanceof ExportLeaseLostError) return true;
    if (!isTrailIncomplete(error)) return false;
    await this.exports.deleteChunks(claimed, 'all');
    await this.ends.conclude(claimed, 'BLOCKED', { gaps: 1, code: 'LOG_ROLLED_BACK' });
    return true;
  }

  private async make(claimed: ClaimedExport): Promise<void> {
    const pace = new Pace(this.exports, claimed, () => this.stopping);
    await this.awaitSeal(claimed, pace);
    const filter = await this.createFilter(claimed);
    const size = (await this.queries.findCurrentLog(claimed.organisationId))?.size ?? 0;
    const noted = (after: Subject | null, limit: number): Promise<Subject[]> =>
      this.exports.readSubjects(claimed, after, limit);
    const survey = await this.survey.survey(
      claimed.organisationId,
      iterateSubjects(
        { queries: this.queries, ...(filter.exportId !== undefined && { noted }) },
        claimed.organisationId,
        filter,
        size,
        (index) => pace.at(index / Math.max(1, size), 'judging'),
      ),
    );
    if (claimed.auditReady && survey.incomplete > 0) {
      await this.exports.deleteChunks(claimed, 'all');
      await this.ends.conclude(
        claimed,
        'BLOCKED',
        { gaps: survey.incomplete, code: 'TRAILS_INCOMPLETE' },
        { survey },
      );
      return;
    }
    const writer = new ChunkWriter(this.exports, claimed);
    const writtenPackage = await this.packages.write(
      {
        organisationId: claimed.organisationId,
        filter,
        said: claimed.filter,
        ...pick(claimed, 'requestedBy', 'reason', 'auditReady', 'language'),
        survey,
        progress: (done, most) => pace.at(done / Math.max(1, most), 'writing'),
      },
      writer,
    );
    const { manifest, manifestSha256 } = writtenPackage;
    const result = {
      entries: manifest.count,
      bytes: writer.bytes,
      sha256: writer.sha256,
      manifestSha256,
      ...pick(manifest, 'treeSize', 'root', 'trails'),
    };
    const { trails, ...said } = result;
    const content = { ...said, subjects: trails.subjects, incomplete: trails.incomplete };
    await this.exports.deleteScope(claimed);
    await this.ends.conclude(claimed, 'READY', content, { result });
  }

  /** Waits until the entry of the request is sealed: the package then contains everything recorded before it. */
  private async awaitSeal(claimed: ClaimedExport, pace: Pace): Promise<void> {
    const { organisationId, id } = claimed;
    for (let waited = 0; waited < MAX_SEAL_MS; waited += SEAL_MS) {
      if (await this.proofs.findLeaf({ organisationId, type: 'audit_export', id }, 1)) return;
      // Nothing is sealed on a rolled back log, and the package will be refused.
      if ((await this.queries.findCurrentLog(organisationId))?.rolledBack === true) return;
      await pace.at(0, 'judging');
      await new Promise((resolve) => setTimeout(resolve, SEAL_MS));
    }
  }

  /** Returns the filter on the log. For a customer, a case or one subject it first stores which leaves belong to it. */
  private async createFilter(claimed: ClaimedExport): Promise<LogFilter> {
    const { organisationId, filter, id } = claimed;
    const { from, to, subjectType, subjectId, action } = filter;
    const rest = { from, to, action };
    const pages = this.scopes.subjectsOfScope(organisationId, filter);
    if (pages) {
      for await (const page of pages) {
        for (let at = 0; at < page.length; at += PAGE) {
          await this.exports.addSubjects(claimed, page.slice(at, at + PAGE));
        }
      }
      return { ...rest, subjectType, exportId: id };
    }
    if (subjectType !== undefined && subjectId !== undefined) {
      await this.exports.addSubjects(claimed, [{ type: subjectType, id: subjectId }]);
      return { ...rest, exportId: id };
    }
    return { ...rest, subjectType };
  }
}

// The share of each part in the progress, in percent: from, to. Both parts take about the same time.
const PARTS = { judging: [0, 40], writing: [40, 100] } as const;

/** Called at each step of a run: limits memory, rests on a busy machine, reports progress, and so renews the lease. */
class Pace {
  private reportedAt = -Infinity;
  private readonly heapGuard = new HeapGuard();
  private readonly throttle: WorkThrottle;

  constructor(
    private readonly exports: ExportRepository,
    private readonly claimed: ClaimedExport,
    private readonly isStopping: () => boolean,
  ) {
    this.throttle = new WorkThrottle(claimed.organisationId);
  }

  async at(share: number, part: keyof typeof PARTS): Promise<void> {
    if (this.isStopping()) throw new Error('the process stops');
    this.heapGuard.check();
    await this.throttle.rest();
    const now = performance.now();
    if (now - this.reportedAt < PROGRESS_MS) return;
    this.reportedAt = now;
    const [from, to] = PARTS[part];
    const percent = Math.min(to, from + share * (to - from));
    if (!(await this.exports.recordProgress(this.claimed, Math.floor(percent), 100))) {
      throw new ExportLeaseLostError();
    }
  }
}
