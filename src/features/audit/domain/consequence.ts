import type { TrailGap } from './trail.js';

interface SubjectFinding {
  readonly subjectType: string;
  readonly subjectId: string;
  readonly gaps: readonly TrailGap[];
  readonly foundAt: Date;
}

/**
 * True if a trail has gaps only because another subject or the log has one. Examples: a customer whose hit was
 * deleted, or an entry whose inclusion proof contains a changed leaf.
 */
export const isConsequence = ({ subjectType, gaps }: Pick<SubjectFinding, 'subjectType' | 'gaps'>): boolean =>
  !isSharedSubject(subjectType) && gaps.length > 0 && gaps.every(({ linked }) => linked === true);

/** True for the log and the catalogue, whose gaps are never a consequence of another gap. */
const isSharedSubject = (subjectType: string): boolean =>
  subjectType === 'audit_log' || subjectType === 'catalogue';

export const harms = [
  'ROWS_CHANGED',
  'ROWS_GONE',
  'ROWS_BOUND_BY_HAND',
  'ENTRIES_CHANGED',
  'ENTRIES_GONE',
  'SEALED_LATE',
  'LOG_DAMAGED',
  'KEYS_GONE',
  'FINDINGS_WIPED',
  'DATABASE_CHANGED',
] as const;
/** The harm that somebody has done to a subject, the log or the database. */
export type DamageKind = (typeof harms)[number];

/** The attacked subjects, and how many others have a gap only because of them. */
export interface Incident {
  /** Time at which the first gap was found. */
  readonly since: Date;
  readonly attacked: readonly {
    readonly subject: string;
    readonly harms: readonly DamageKind[];
    /** Tables whose rows differ from their bound state. */
    readonly tables: readonly string[];
    readonly foundAt: Date;
  }[];
  /** Number of subjects whose gaps are only consequences, by the attacked table; `audit_leaves` means the log. */
  readonly suffering: readonly { readonly because: string; readonly subjects: number }[];
}

/** Builds the incident from the open findings, oldest attack first; null if there are no findings. */
export function incidentOf(findings: readonly SubjectFinding[]): Incident | null {
  const [first] = findings;
  if (!first) return null;
  const suffering = new Map<string, number>();
  for (const { gaps } of findings.filter(isConsequence)) {
    for (const because of new Set(gaps.map(({ table }) => table ?? 'audit_leaves'))) {
      suffering.set(because, (suffering.get(because) ?? 0) + 1);
    }
  }
  const attacked = findings
    .filter((finding) => !isConsequence(finding))
    .map((finding) => {
      const ownGaps = finding.gaps.filter(
        ({ linked }) => linked !== true || isSharedSubject(finding.subjectType),
      );
      return {
        subject: `${finding.subjectType}:${finding.subjectId}`,
        harms: [...new Set(ownGaps.map((gap) => harmOf(finding.subjectType, gap)))],
        tables: [...new Set(ownGaps.flatMap(({ table }) => table ?? []))],
        foundAt: finding.foundAt,
      };
    });
  return {
    since: findings.reduce((at, { foundAt }) => (foundAt < at ? foundAt : at), first.foundAt),
    attacked: attacked.toSorted((a, b) => a.foundAt.getTime() - b.foundAt.getTime()),
    suffering: [...suffering].map(([because, subjects]) => ({ because, subjects })),
  };
}

function harmOf(subjectType: string, { kind, check, forged }: TrailGap): DamageKind {
  if (subjectType === 'catalogue') return 'DATABASE_CHANGED';
  if (check) return check.of === 'keys' ? 'KEYS_GONE' : 'LOG_DAMAGED';
  if (forged === true) return 'ROWS_BOUND_BY_HAND';
  switch (kind) {
    case 'MISSING':
      return subjectType === 'audit_log' ? 'FINDINGS_WIPED' : 'ROWS_GONE';
    case 'MISSING_EVENTS':
      return 'ENTRIES_GONE';
    case 'TAMPERED':
    case 'CHAIN_BROKEN':
      return 'ENTRIES_CHANGED';
    case 'SEALED_LATE':
      return 'SEALED_LATE';
    case 'LOG_ROLLED_BACK':
      return 'LOG_DAMAGED';
    case 'STATE_MISMATCH':
      return subjectType === 'audit_log' ? 'FINDINGS_WIPED' : 'ROWS_CHANGED';
    // These statuses are not gaps, so no finding has one of them.
    case 'COMPLETE':
    case 'PRUNED':
    case 'ATTESTED_GAP':
      return 'ROWS_CHANGED';
    default:
      return kind satisfies never;
  }
}
