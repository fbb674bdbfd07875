import { setTimeout as pause } from 'node:timers/promises';
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
// Number of checks of a gap: an entry committed between the queries for rows and for entries can look like a gap.
const LOOKS = 3;
const LOOK_AGAIN_MS = 200;

/** Verifies the trails of many subjects, in pages and in bounded memory. */
@Injectable()
export class TrailSurvey {
  /** Total pauses between repeated checks of the same trails, in milliseconds. */
  private paused = 0;

  constructor(private readonly trail: AuditTrail) {}

  /** Starts a stopwatch. The function returns the milliseconds since the start, without the pauses between checks. */
  stopwatch(): () => number {
    const begun = performance.now() - this.paused;
    return () => performance.now() - this.paused - begun;
  }

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

  /** Returns the verdict on each subject. A blocking gap counts only if each of LOOKS checks finds one. */
  async verify(
    organisationId: string,
    subjects: readonly Subject[],
  ): Promise<ReadonlyMap<Subject, TrailVerdict>> {
    const found = new Map<Subject, TrailVerdict>();
    let open = subjects;
    for (let look = 1; open.length > 0; look += 1) {
      for (const [type, own] of byType(open)) {
        const ids = own.map(({ id }) => id);
        const verdicts = await this.trail.trailStatuses(organisationId, type, ids);
        for (const subject of own) {
          const verdict = verdicts.get(subject.id);
          if (verdict) found.set(subject, verdict);
        }
      }
      open = open.filter((subject) => {
        const verdict = found.get(subject);
        return verdict !== undefined && isBlocking(verdict);
      });
      if (look === LOOKS) break;
      if (open.length === 0) break;
      await pause(LOOK_AGAIN_MS);
      this.paused += LOOK_AGAIN_MS;
    }
    return found;
  }
}

function byType(subjects: readonly Subject[]): ReadonlyMap<SubjectType, readonly Subject[]> {
  const groups = new Map<SubjectType, Subject[]>();
  for (const subject of subjects) {
    const own = groups.get(subject.type);
    if (own) own.push(subject);
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
