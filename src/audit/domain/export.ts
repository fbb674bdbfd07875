import type { SubjectType } from './entry.js';
import type { AppliedRepair, TrailGap, TrailStatus } from './trail.js';

export const exportStatuses = ['QUEUED', 'RUNNING', 'READY', 'BLOCKED', 'FAILED', 'EXPIRED'] as const;
/**
 * BLOCKED: a trail in it has a gap, and it was asked for as one that can be relied on. EXPIRED: it was made and given, and
 * its file is no longer kept.
 */
export type ExportStatus = (typeof exportStatuses)[number];

export const exportLanguages = ['pt-BR', 'en'] as const;
export type ExportLanguage = (typeof exportLanguages)[number];

/** What an export is about, as it was asked for; nothing for the whole log. Times are ISO 8601, ids are stored ids. */
export interface ExportFilter {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly subjectType?: SubjectType | undefined;
  readonly subjectId?: string | undefined;
  readonly action?: string | undefined;
  readonly customerId?: string | undefined;
  readonly reviewId?: string | undefined;
}

/** A trail that is not plainly whole. */
export interface TrailNote {
  /** `type:id`. */
  readonly subject: string;
  readonly status: TrailStatus;
  readonly gaps: readonly TrailGap[];
  readonly repairs: readonly Pick<AppliedRepair, 'id' | 'kind'>[];
}

/** What was found about the trails of many subjects. */
export interface TrailSummary {
  readonly subjects: number;
  readonly complete: number;
  /** Two people have answered for what is missing. */
  readonly attested: number;
  /** Decisions and exports wait for a repair. */
  readonly incomplete: number;
  /** Their entries are gone because their time of keeping was over. */
  readonly pruned: number;
}

/** What a finished export is. */
export interface ExportResult {
  readonly entries: number;
  readonly bytes: number;
  /** Of the file, hexadecimal. */
  readonly sha256: string;
  /** Of the signed manifest in it, hexadecimal. */
  readonly manifestSha256: string;
  readonly treeSize: number;
  /** Base64. */
  readonly root: string;
  readonly trails: TrailSummary;
}
