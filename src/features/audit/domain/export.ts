import type { SubjectType } from './entry.js';
import type { AppliedRepair, TrailGap, TrailStatus } from './trail.js';

export const exportStatuses = ['QUEUED', 'RUNNING', 'READY', 'BLOCKED', 'FAILED', 'EXPIRED'] as const;
/**
 * BLOCKED: the request was for an audit-ready export, and a trail in it has a gap. EXPIRED: the file was made, and was
 * deleted after its retention.
 */
export type ExportStatus = (typeof exportStatuses)[number];

export const exportLanguages = ['pt-BR', 'en'] as const;
export type ExportLanguage = (typeof exportLanguages)[number];

/** The requested scope of an export; empty for the whole log. Times are ISO 8601, ids are stored ids. */
export interface ExportFilter {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly subjectType?: SubjectType | undefined;
  readonly subjectId?: string | undefined;
  readonly action?: string | undefined;
  readonly customerId?: string | undefined;
  readonly reviewId?: string | undefined;
}

/** A trail that an export reports, because it has a gap or a repair. */
export interface ReportedTrail {
  /** `type:id`. */
  readonly subject: string;
  readonly status: TrailStatus;
  readonly gaps: readonly TrailGap[];
  readonly repairs: readonly Pick<AppliedRepair, 'id' | 'kind'>[];
}

export interface TrailSummary {
  readonly subjects: number;
  readonly complete: number;
  readonly attested: number;
  readonly incomplete: number;
  readonly pruned: number;
}

export interface ExportResult {
  readonly entries: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly manifestSha256: string;
  readonly treeSize: number;
  readonly root: string;
  readonly trails: Readonly<TrailSummary>;
}
