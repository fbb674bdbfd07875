import { Injectable } from '@nestjs/common';
import { In, IsNull } from 'typeorm';
import { UnitOfWork, type Reader } from '../../../platform/database/index.js';
import type { AuditSubject, Subject } from '../domain/entry.js';
import { subjectOfState } from '../domain/state.js';
import type { TrailExpectation, TrailGap } from '../domain/trail.js';
import { AuditEntryEntity, AuditLeafEntity, AuditFindingEntity } from '../store/entities.js';
import { findNewlyAltered } from '../store/state.statements.js';
import {
  findChangedTables,
  readCatalogueLines,
  readCatalogueMarker,
} from '../store/watch/catalogue.statements.js';
import { TrailContract } from '../trail/trail-contracts.js';
import { AnchorsService } from './anchors.service.js';
import { LogChecks } from './log-checks.js';
import { WatchedSubjects } from './watched-subjects.js';

const MAX_NAMED = 50;
// Maximum number of entries about findings to compare, newest first. There are seldom more.
const MAX_COUNTING_ENTRIES = 5_000;
// Reading the whole catalogue takes 70 ms, so it happens when a row of it was written, and every minute, because not
// everything that alters a row writes it anew.
const REREAD_CATALOGUE_MS = 60_000;
/** Actions whose entries contain the number of open findings. */
const COUNTING = ['audit_log.gap_found', 'audit_log.gap_closed', 'audit_log.sealed_late'] as const;

/** Trail contracts of the log (its open findings must be stored) and of the catalogue (as the migrations made it). */
@Injectable()
export class LogContract {
  private catalogue: { readonly marker: string; readonly readAt: number; readonly lines: string[] } | null =
    null;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly checks: LogChecks,
    private readonly anchors: AnchorsService,
  ) {}

  /** Detects deleted findings, which are not entries: fewer rows exist than the newest entry counts. */
  @TrailContract('audit_log')
  async expectationOfLog({ organisationId }: AuditSubject): Promise<TrailExpectation> {
    const { findings, entries } = await this.uow.read(organisationId, async (db) => ({
      findings: await db.find(AuditFindingEntity, {
        select: { subjectType: true, subjectId: true, gaps: true },
        where: { organisationId, clearedAt: IsNull() },
      }),
      entries: await db.find(AuditEntryEntity, {
        select: { action: true, subjectSeq: true, canonical: true },
        where: {
          organisationId,
          subjectType: 'audit_log',
          subjectId: organisationId,
          action: In(COUNTING),
        },
        order: { subjectSeq: 'DESC' },
        take: MAX_COUNTING_ENTRIES,
      }),
    }));
    const open = findings.length;
    const existingFindings = new Set(
      findings.map(({ subjectType, subjectId }) => `${subjectType}:${subjectId}`),
    );
    const places = findings
      .filter(({ subjectType }) => subjectType === 'audit_log')
      .flatMap(({ gaps }) => gaps.flatMap(({ check }) => check ?? []));
    const damaged = await this.checks.recheck(organisationId, places);
    const found = [
      ...findDeletedFindings(entries, existingFindings),
      ...damaged,
      ...(await this.anchors.findGaps(organisationId)),
    ];
    // Before the first finding, no entry has a count to compare with.
    const counts = open > 0 || entries.length > 0;
    return { anchors: [], told: counts ? [{ action: COUNTING, says: { open } }] : [], found };
  }

  /** Names the log itself, if there are entries about it or open findings. */
  @WatchedSubjects('log')
  async findLogSubject(organisationId: string): Promise<readonly Subject[]> {
    const logSubject = { organisationId, subjectType: 'audit_log' as const, subjectId: organisationId };
    const isThere = await this.uow.read(
      organisationId,
      async (db) =>
        (await db.existsBy(AuditLeafEntity, logSubject)) ||
        (await db.existsBy(AuditEntryEntity, logSubject)) ||
        (await db.existsBy(AuditFindingEntity, { organisationId, clearedAt: IsNull() })),
    );
    return isThere ? [{ type: 'audit_log', id: organisationId }] : [];
  }

  /** Names subjects whose rows a step has just found changed, before the sweep reaches them. */
  @WatchedSubjects('altered')
  async findAlteredSubjects(organisationId: string): Promise<readonly Subject[]> {
    const chains = await this.uow.read(organisationId, (db) => findNewlyAltered(db, organisationId));
    return chains.map((id) => subjectOfState({ type: 'state', id }));
  }

  @TrailContract('catalogue')
  async expectationOfCatalogue({ organisationId }: AuditSubject): Promise<TrailExpectation> {
    const { pinned, now, changed } = await this.uow.read(organisationId, async (db) => ({
      pinned: await db.findOne(AuditEntryEntity, {
        where: { organisationId, subjectType: 'catalogue', subjectId: organisationId },
        order: { subjectSeq: 'DESC' },
      }),
      now: await this.readCatalogue(db),
      changed: await findChangedTables(db),
    }));
    const gaps = catalogueGaps(pinned ? pinnedLines(pinned.canonical) : [], now);
    return { anchors: [], found: [...gaps, ...changed.map(gapOf)] };
  }

  private async readCatalogue(db: Reader): Promise<string[]> {
    const [marker, readAt] = [await readCatalogueMarker(db), performance.now()];
    if (this.catalogue?.marker !== marker || readAt - this.catalogue.readAt >= REREAD_CATALOGUE_MS) {
      this.catalogue = { marker, readAt, lines: await readCatalogueLines(db) };
    }
    return this.catalogue.lines;
  }
}

/** Returns gaps for findings that are open by their newest entry but not stored, because somebody deleted them. */
function findDeletedFindings(
  newestFirst: readonly Pick<AuditEntryEntity, 'action' | 'subjectSeq' | 'canonical'>[],
  there: ReadonlySet<string>,
): TrailGap[] {
  const seenSubjects = new Set<string>();
  const gaps: TrailGap[] = [];
  for (const { action, subjectSeq: seq, canonical } of newestFirst) {
    const subject = subjectIn(canonical);
    if (subject === null || seenSubjects.has(subject)) continue;
    seenSubjects.add(subject);
    if (action !== 'audit_log.gap_found' || there.has(subject)) continue;
    gaps.push({ kind: 'MISSING', seq, detail: `the finding about ${subject} is not there` });
  }
  return gaps.slice(0, MAX_NAMED);
}

function subjectIn(canonical: Buffer): string | null {
  try {
    const { of } = (JSON.parse(canonical.toString('utf8')) as { content: { of?: unknown } }).content;
    return typeof of === 'string' ? of : null;
  } catch {
    return null; // bytes that are no JSON are a gap of the trail by themselves
  }
}

const gapOf = (detail: string): TrailGap => ({ kind: 'STATE_MISMATCH', seq: null, detail });

function catalogueGaps(pinned: readonly string[], now: readonly string[]): TrailGap[] {
  const [before, after] = [new Set(pinned), new Set(now)];
  const missingLines = pinned
    .filter((line) => !after.has(line))
    .map((line) => `is not there any more: ${line}`);
  const added = now.filter((line) => !before.has(line)).map((line) => `was made by no migration: ${line}`);
  return [...missingLines, ...added].slice(0, MAX_NAMED).map(gapOf);
}

function pinnedLines(canonical: Buffer): readonly string[] {
  try {
    return (JSON.parse(canonical.toString('utf8')) as { content: { lines: string[] } }).content.lines;
  } catch {
    return []; // bytes that are no JSON were not written by the migrations
  }
}
