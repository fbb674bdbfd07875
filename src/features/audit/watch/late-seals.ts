import { Injectable, Logger } from '@nestjs/common';
import { system, UnitOfWork } from '../../../platform/database/index.js';
import { Clock } from '../../../platform/kernel/index.js';
import { stepOf, systemActor } from '../actor-context.js';
import { AuditMetrics } from '../audit-metrics.js';
import type { SubjectType } from '../domain/entry.js';
import { AuditLateSealEntity } from '../store/entities/audit-late-seal.entity.js';
import { noteFinding, openFindings } from '../store/finding.statements.js';
import {
  awaitLate,
  MOST_RECENT,
  pageOfEntries,
  recentUnsealed,
  type Unsealed,
} from '../store/watch/late-seal.statements.js';
import { AuditTrail } from '../trail/audit-trail.js';

const LOOK_EVERY_MS = 2_000;
// The last seconds each time, and now and then more: what was written in a long transaction shows late. Each entry is looked
// at two or three times, which is a good part of what the seal costs.
const RECENT_SECONDS = 5;
const WIDE_EVERY_MS = 60_000;
const WIDE_SECONDS = 90;
const PAGE = 1_000;
const MAX_NAMED = 100;
const BEGINNING = { subject_type: '', subject_id: '', subject_seq: 0 };

type Place = Omit<Unsealed, 'organisation_id'>;

/**
 * Finds entries that nothing awaits to be sealed: somebody kept the database from noting them. They are sealed late, and it
 * is written down for good that they were.
 */
@Injectable()
export class LateSeals {
  private readonly logger = new Logger(LateSeals.name);
  private readonly places = new Map<string, Place>();
  private lookedAt = -Infinity;
  private lookedWideAt = -Infinity;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly trail: AuditTrail,
    private readonly metrics: AuditMetrics,
    private readonly clock: Clock,
  ) {}

  /** Looks at what was written lately, when it is time; called between the rounds of the sealer. */
  async round(): Promise<void> {
    const now = performance.now();
    if (now - this.lookedAt < LOOK_EVERY_MS) return;
    this.lookedAt = now;
    const isWide = now - this.lookedWideAt >= WIDE_EVERY_MS;
    if (isWide) this.lookedWideAt = now;
    const found = await this.uow.read(system('audit.seal'), (db) =>
      recentUnsealed(db, isWide ? WIDE_SECONDS : RECENT_SECONDS),
    );
    const byOrganisation = new Map<string, Place[]>();
    for (const { organisation_id: organisationId, ...place } of found) {
      byOrganisation.set(organisationId, [...(byOrganisation.get(organisationId) ?? []), place]);
    }
    let sealed = 0;
    for (const [organisationId, places] of byOrganisation) {
      sealed += await this.sealLate(organisationId, places);
    }
    // A look finds those again that wait for their turn already.
    if (found.length < MOST_RECENT || sealed === 0) return;
    // There are more: the next round goes on, before they are older than what is looked at.
    this.lookedAt = -Infinity;
    if (isWide) this.lookedWideAt = -Infinity;
  }

  /** Looks at the next page of all entries of a log, whatever their time says; at its end it begins anew. */
  async sweep(organisationId: string): Promise<void> {
    const after = this.places.get(organisationId) ?? BEGINNING;
    const page = await this.uow.read(organisationId, (db) => pageOfEntries(db, organisationId, after, PAGE));
    const unsealed = page.filter((entry) => entry.unsealed);
    if (unsealed.length > 0) await this.sealLate(organisationId, unsealed);
    const [last] = page;
    if (last && page.length === PAGE) this.places.set(organisationId, last);
    else this.places.delete(organisationId);
  }

  /** Returns how many nothing had awaited. */
  private async sealLate(organisationId: string, places: readonly Place[]): Promise<number> {
    const late = await this.uow.run(organisationId, async (tx) => {
      // Reports are sealed late as well while that goes on, and are not reported: that would never end.
      const awaited = (await awaitLate(tx, organisationId, places)).filter(
        ({ subjectType, subjectId }) => subjectType !== 'audit_log' && !subjectId.startsWith('audit_log:'),
      );
      if (awaited.length === 0) return awaited;
      const subjectTypeOf = (type: string): SubjectType => type as SubjectType;
      await tx
        .createQueryBuilder()
        .insert()
        .into(AuditLateSealEntity)
        .values(
          awaited.map((one) => ({ ...one, subjectType: subjectTypeOf(one.subjectType), organisationId })),
        )
        .orIgnore()
        .execute();
      const names = awaited.map(
        ({ subjectType, subjectId, subjectSeq }) => `${subjectType}:${subjectId} ${subjectSeq}`,
      );
      const longest = Math.max(...awaited.map(({ waitedSeconds }) => waitedSeconds));
      for (const { subjectType, subjectId, subjectSeq, waitedSeconds } of awaited) {
        const detail = `nothing awaited its seal for ${waitedSeconds} seconds`;
        const gaps = [{ kind: 'SEALED_LATE' as const, seq: subjectSeq, detail }];
        const subject = { type: subjectTypeOf(subjectType), id: subjectId };
        await noteFinding(tx, organisationId, subject, { status: 'SEALED_LATE', gaps });
      }
      await this.trail.record(tx, [
        stepOf(
          systemActor(organisationId, 'audit.seal'),
          'audit_log',
          organisationId,
          'audit_log.sealed_late',
          new Date(this.clock.now()),
          {
            entries: awaited.length,
            longestSeconds: longest,
            of: names.slice(0, MAX_NAMED),
            open: await openFindings(tx, organisationId),
          },
        ),
      ]);
      return awaited;
    });
    if (late.length === 0) return 0;
    this.metrics.sealedLate.inc(late.length);
    this.logger.error(`nothing awaited the seal of ${late.length} audit entries; they are sealed now`);
    return late.length;
  }
}
