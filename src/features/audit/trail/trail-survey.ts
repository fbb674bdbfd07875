import { Injectable } from '@nestjs/common';
import { AuditTrail } from './audit-trail.js';
import type { Subject, SubjectType } from '../domain/entry.js';
import type { ReportedTrail, TrailSummary } from '../domain/export.js';
import { isBlocking, type TrailStatus, type TrailVerdict } from '../domain/trail.js';

export type { Subject } from '../domain/entry.js';

export interface TrailSurveyResult extends TrailSummary {
  /** Trails with a gap or a repair, at most `MAX_NOTED` of them. */
  readonly notes: readonly ReportedTrail[];
}

// Statuses that a survey does not list. The package lists pruned entries separately.
const PLAIN: ReadonlySet<TrailStatus> = new Set(['COMPLETE', 'PRUNED']);
export const MAX_NOTED = 1_000;

/** Verifies the trails of many subjects, in pages and in bounded memory. */
@Injectable()
export class TrailSurvey {
  constructor(private readonly trail: AuditTrail) {}

  async survey(
    organisationId: string,
    pages: AsyncIterable<readonly Subject[]> | Iterable<readonly Subject[]>,
  ): Promise<TrailSurveyResult> {
    const notes: ReportedTrail[] = [];
    const counts = { subjects: 0, complete: 0, attested: 0, incomplete: 0, pruned: 0 };
    for await (const page of pages) {
      counts.subjects += page.length;
      for (const [subject, verdict] of await this.verify(organisationId, page)) {
        if (isBlocking(verdict)) counts.incomplete += 1;
        else if (verdict.status === 'ATTESTED_GAP') counts.attested += 1;
        else if (verdict.status === 'PRUNED') counts.pruned += 1;
        else counts.complete += 1;
        const isPlain = PLAIN.has(verdict.status) && verdict.repairs.length === 0;
        if (!isPlain && notes.length < MAX_NOTED) notes.push(noteOf(subject, verdict));
      }
    }
    return { ...counts, notes };
  }

  /** Returns the verdict on each subject. */
  async verify(
    organisationId: string,
    subjects: readonly Subject[],
  ): Promise<ReadonlyMap<Subject, TrailVerdict>> {
    const found = new Map<Subject, TrailVerdict>();
    for (const [type, own] of byType(subjects)) {
      const ids = own.map(({ id }) => id);
      const verdicts = await this.trail.trailStatuses(organisationId, type, ids);
      for (const subject of own) {
        const verdict = verdicts.get(subject.id);
        if (verdict) found.set(subject, verdict);
      }
    }
    return found;
  }
}

function byType(subjects: readonly Subject[]): ReadonlyMap<SubjectType, readonly Subject[]> {
  const groups = new Map<SubjectType, Subject[]>();
  for (const subject of subjects) {
    const subjectsOfType = groups.get(subject.type);
    if (subjectsOfType) subjectsOfType.push(subject);
    else groups.set(subject.type, [subject]);
  }
  return groups;
}

const noteOf = ({ type, id }: Subject, { status, gaps, repairs }: TrailVerdict): ReportedTrail => ({
  subject: `${type}:${id}`,
  status,
  gaps,
  repairs: repairs.map(({ id: repair, kind }) => ({ id: repair, kind })),
});
