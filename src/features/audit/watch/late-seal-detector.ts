import { Injectable, Logger } from '@nestjs/common';
import { CommitMarks, system, UnitOfWork, type QuietCheck } from '../../../platform/database/index.js';
import { Clock } from '../../../platform/kernel/index.js';
import { auditDraftOf, systemActor } from '../actor-context.js';
import { AuditMetrics } from '../audit-metrics.js';
import type { SubjectType } from '../domain/entry.js';
import type { TrailGap } from '../domain/trail.js';
import { recordFindings, countOpenFindings, type Finding } from '../store/finding.statements.js';
import {
  queueLateSeals,
  recordLateSeals,
  MAX_RECENT_ENTRIES,
  readEntryPage,
  findRecentUnsealed,
  type LateSeal,
  type UnsealedEntry,
} from '../store/watch/late-seal.statements.js';
import { AuditTrail } from '../trail/audit-trail.js';

const LOOK_EVERY_MS = 5_000;
// Each check reads the entries of the last 8 s, and once a minute those of the last 90 s, because entries of a long
// transaction become visible late. An entry is therefore read about three times, a good part of the cost of its seal.
// The index of times knows only pages that a vacuum has seen, so a check reads all entries of the last minute as well.
const RECENT_SECONDS = 8;
const WIDE_EVERY_MS = 60_000;
const WIDE_SECONDS = 90;
const PAGE = 1_000;
const MAX_NAMED = 100;
const BEGINNING = { subject_type: '', subject_id: '', subject_seq: 0 };

type Place = Omit<UnsealedEntry, 'organisation_id'>;

/**
 * Finds entries that were not queued for their seal because somebody disabled the trigger. They are sealed late, and
 * an audit entry records that permanently.
 */
@Injectable()
export class LateSealDetector {
  private readonly logger = new Logger(LateSealDetector.name);
  private readonly sweepPositions = new Map<string, Place>();
  private checkedAt = -Infinity;
  private wideCheckAt = -Infinity;
  /** Settled when a check found no late entry and all entries were old enough to be queued. */
  private readonly quietCheck: QuietCheck;
  /** Settled by each check: quiet if nothing was committed since the last check. */
  private readonly commitsSinceCheck: QuietCheck;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly trail: AuditTrail,
    private readonly metrics: AuditMetrics,
    private readonly clock: Clock,
    marks: CommitMarks,
  ) {
    this.quietCheck = marks.newCheck(WIDE_EVERY_MS);
    this.commitsSinceCheck = marks.newCheck();
  }

  /** Checks recent entries, at most once in LOOK_EVERY_MS. The sealer calls it between its runs. */
  async recordLateSeals(): Promise<void> {
    const now = performance.now();
    if (now - this.checkedAt < LOOK_EVERY_MS) return;
    this.checkedAt = now;
    if (await this.quietCheck.isQuiet()) return;
    const isOldEnough = await this.commitsSinceCheck.isQuiet();
    const isWide = now - this.wideCheckAt >= WIDE_EVERY_MS;
    if (isWide) this.wideCheckAt = now;
    const unsealedEntries = await this.uow.read(system('audit.seal'), (db) =>
      findRecentUnsealed(db, isWide ? WIDE_SECONDS : RECENT_SECONDS),
    );
    this.commitsSinceCheck.settle();
    if (unsealedEntries.length === 0 && isOldEnough) this.quietCheck.settle();
    const byOrganisation = new Map<string, Place[]>();
    for (const { organisation_id: organisationId, ...place } of unsealedEntries) {
      byOrganisation.set(organisationId, [...(byOrganisation.get(organisationId) ?? []), place]);
    }
    let sealed = 0;
    for (const [organisationId, places] of byOrganisation) {
      sealed += await this.sealLate(organisationId, places);
    }
    // `found` includes entries that are already queued. Only a full page with late entries may have left some out.
    if (unsealedEntries.length < MAX_RECENT_ENTRIES || sealed === 0) return;
    // The next check runs after the next run of the sealer, over the wide range, because the remaining entries grow
    // older meanwhile.
    this.checkedAt = -Infinity;
    this.wideCheckAt = -Infinity;
  }

  /** Checks the next page of all entries of a log, of any age; the last page is followed by the first. */
  async sweep(organisationId: string): Promise<void> {
    const after = this.sweepPositions.get(organisationId) ?? BEGINNING;
    const page = await this.uow.read(organisationId, (db) => readEntryPage(db, organisationId, after, PAGE));
    const unsealed = page.filter((entry) => entry.unsealed);
    if (unsealed.length > 0) await this.sealLate(organisationId, unsealed);
    const [last] = page;
    if (last && page.length === PAGE) this.sweepPositions.set(organisationId, last);
    else this.sweepPositions.delete(organisationId);
  }

  /** Queues entries to be sealed and records them as late. Returns how many entries were not queued before. */
  private async sealLate(organisationId: string, places: readonly Place[]): Promise<number> {
    const late = await this.uow.run(organisationId, async (tx) => {
      // Entries that report late seals are left out: they may also be late, and reporting them would never end.
      const awaited = (await queueLateSeals(tx, organisationId, places)).filter(
        ({ subjectType, subjectId }) => subjectType !== 'audit_log' && !subjectId.startsWith('audit_log:'),
      );
      if (awaited.length === 0) return awaited;
      await recordLateSeals(tx, organisationId, awaited);
      const names = awaited.map(
        ({ subjectType, subjectId, subjectSeq }) => `${subjectType}:${subjectId} ${subjectSeq}`,
      );
      const longest = Math.max(...awaited.map(({ waitedSeconds }) => waitedSeconds));
      await recordFindings(tx, organisationId, findingsOf(awaited));
      await this.trail.record(
        tx,
        auditDraftOf(
          systemActor(organisationId, 'audit.seal'),
          'audit_log',
          organisationId,
          'audit_log.sealed_late',
          new Date(this.clock.now()),
          {
            entries: awaited.length,
            longestSeconds: longest,
            of: names.slice(0, MAX_NAMED),
            open: await countOpenFindings(tx, organisationId),
          },
        ),
      );
      return awaited;
    });
    if (late.length === 0) return 0;
    this.metrics.sealedLate.inc(late.length);
    this.logger.error(`nothing awaited the seal of ${late.length} audit entries; they are sealed now`);
    return late.length;
  }
}

const subjectTypeOf = (type: string): SubjectType => type as SubjectType;

/** Returns one finding for each subject, with a gap for each entry. */
function findingsOf(entries: readonly LateSeal[]): Finding[] {
  const findings = new Map<string, Finding & { readonly gaps: TrailGap[] }>();
  for (const { subjectType, subjectId, subjectSeq, waitedSeconds } of entries) {
    const key = `${subjectType}:${subjectId}`;
    const finding = findings.get(key) ?? {
      ...{ subjectType: subjectTypeOf(subjectType), subjectId },
      ...{ status: 'SEALED_LATE', gaps: [] },
    };
    findings.set(key, finding);
    finding.gaps.push({
      kind: 'SEALED_LATE',
      seq: subjectSeq,
      detail: `nothing awaited its seal for ${waitedSeconds} seconds`,
    });
  }
  return [...findings.values()];
}
