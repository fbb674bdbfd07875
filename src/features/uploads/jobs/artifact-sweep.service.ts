import { Injectable, Logger } from '@nestjs/common';
import { And, In, LessThan, MoreThan, MoreThanOrEqual } from 'typeorm';
import { AuditTrail, auditDraftOf, type AuditAction } from '../../audit/index.js';
import { system, tryLock, UnitOfWork } from '../../../platform/database/index.js';
import { Clock } from '../../../platform/kernel/index.js';
import { SubjectKeys } from '../../../platform/privacy/index.js';
import { Periodic } from '../../../platform/schedule/index.js';
import { ArtifactFiles } from '../storage/artifact-files.js';
import { ArtifactStore, dayPrefixOf } from '../storage/artifact-store.js';
import { StagingArea } from '../intake/staging-area.js';
import { ArtifactRepository } from '../store/artifact.repository.js';
import { ArtifactEntity } from '../store/entities.js';
import { UploadMetrics } from '../upload-metrics.js';

/** The number of repairs that one sweep made. */
export interface SweepResult {
  /** Files without a row, deleted. */
  readonly orphans: number;
  /** Rows whose file is missing, marked LOST. */
  readonly lost: number;
  /** Artifacts whose person was erased; their files are deleted. */
  readonly erased: number;
  /** The number of deleted staged files, which killed processes left. */
  readonly leftBehind: number;
}

const SWEEP_INTERVAL_MS = 10 * 60_000;
const DAY_MS = 86_400_000;
// Days that a sweep compares. It repairs a crash within minutes; 3 days cover a weekend of downtime.
const DAYS = 3;
// Files of this age must have a row: an upload stores its file first, then commits its row.
const SETTLED_MS = 60 * 60_000;
const BATCH = 500;
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** Repairs differences between the artifact store and the database. A lock allows one process at a time. */
@Injectable()
export class ArtifactSweepService {
  private readonly logger = new Logger(ArtifactSweepService.name);

  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly keys: SubjectKeys,
    private readonly clock: Clock,
    private readonly store: ArtifactStore,
    private readonly files: ArtifactFiles,
    private readonly staging: StagingArea,
    private readonly artifacts: ArtifactRepository,
    private readonly metrics: UploadMetrics,
  ) {}

  @Periodic({ everyMs: SWEEP_INTERVAL_MS, otherwise: 'files wait to be swept', runsIn: 'workers' })
  async sweepSettled(): Promise<void> {
    await this.sweep();
  }

  /** Compares files and rows older than `settledMs`. Null if another process is running a sweep. */
  async sweep(settledMs = SETTLED_MS): Promise<SweepResult | null> {
    const leftBehind = await this.staging.sweep(settledMs);
    // This transaction only holds the lock; repairs commit separately, row by row.
    return this.uow.run(system('uploads.sweep'), async (tx) => {
      if (!(await tryLock(tx, LOCK))) return null;
      const sweepCounts = { orphans: 0, lost: 0 };
      const now = this.clock.now();
      for (let daysAgo = 0; daysAgo < DAYS; daysAgo += 1) {
        const { orphans, lost } = await this.compare(new Date(now - daysAgo * DAY_MS), now - settledMs);
        sweepCounts.orphans += orphans;
        sweepCounts.lost += lost;
      }
      const swept = { ...sweepCounts, erased: await this.erase(new Date(now - DAYS * DAY_MS)), leftBehind };
      this.report(swept);
      return swept;
    });
  }

  /** Compares the files and rows of one UTC day. */
  private async compare(at: Date, settledBefore: number): Promise<{ orphans: number; lost: number }> {
    const day = dayPrefixOf(at);
    const present = new Set<string>();
    let orphans = 0;
    let batch: string[] = [];
    const flush = async (): Promise<void> => {
      orphans += await this.removeOrphans(batch);
      batch = [];
    };
    for await (const { key, modifiedAt } of this.store.list(`${day}/`)) {
      present.add(key);
      if (modifiedAt.getTime() >= settledBefore) continue;
      batch.push(key);
      if (batch.length === BATCH) await flush();
    }
    await flush();
    return { orphans, lost: await this.findLost(day, present, settledBefore) };
  }

  private async removeOrphans(keys: readonly string[]): Promise<number> {
    if (keys.length === 0) return 0;
    const knownKeys = await this.artifacts.findKnownKeys(system('uploads.sweep'), keys);
    const orphans = keys.filter((key) => !knownKeys.has(key));
    for (const key of orphans) await this.files.remove(key);
    return orphans.length;
  }

  private async findLost(day: string, present: ReadonlySet<string>, settledBefore: number): Promise<number> {
    const begin = Date.parse(`${day}T00:00:00Z`);
    // Around midnight, the service's clock that names the folder and the database's clock may be on different days.
    const to = new Date(Math.min(begin + DAY_MS + SETTLED_MS, settledBefore));
    const createdAt = And(MoreThanOrEqual(new Date(begin - SETTLED_MS)), LessThan(to));
    let lost = 0;
    for (let after = NIL_UUID; ;) {
      const where = { id: MoreThan(after), state: 'STORED', createdAt } as const;
      const rows = await this.artifacts.list(system('uploads.sweep'), where, BATCH);
      for (const row of rows) {
        if (!row.storageKey.startsWith(`${day}/`) || present.has(row.storageKey)) continue;
        if (await this.endArtifact(row, 'LOST', 'artifact.lost')) lost += 1;
      }
      const last = rows.at(-1);
      if (!last || rows.length < BATCH) return lost;
      after = last.id;
    }
  }

  /** Deletes the files whose data key was destroyed since `since`. */
  private async erase(since: Date): Promise<number> {
    const scope = system('uploads.sweep');
    const destroyed = await this.uow.read(scope, (db) => this.keys.listDestroyedSince(db, since));
    let erased = 0;
    for (let i = 0; i < destroyed.length; i += BATCH) {
      const keyId = In(destroyed.slice(i, i + BATCH));
      for (const row of await this.artifacts.list(scope, { keyId, state: 'STORED' })) {
        await this.files.remove(row.storageKey);
        if (row.viewKey !== null) await this.files.remove(row.viewKey);
        if (await this.endArtifact(row, 'ERASED', 'artifact.erased')) erased += 1;
      }
    }
    return erased;
  }

  private async endArtifact(
    row: ArtifactEntity,
    state: 'LOST' | 'ERASED',
    action: AuditAction,
  ): Promise<boolean> {
    const { organisationId, id } = row;
    return this.uow.run(organisationId, async (tx) => {
      const { affected } = await tx.update(
        ArtifactEntity,
        { organisationId, id, state: 'STORED' },
        { state, endedAt: () => 'clock_timestamp()' },
      );
      if (affected !== 1) return false;
      const actor = { type: 'system', id: 'artifact-sweep' } as const;
      const ctx = { organisationId, actor, requestId: null, correlationId: null };
      const content = { owner: row.ownerType };
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'artifact', id, action, new Date(this.clock.now()), content),
      );
      return true;
    });
  }

  private report(swept: SweepResult): void {
    for (const [what, count] of Object.entries(swept) as [keyof SweepResult, number][]) {
      if (count > 0) this.metrics.swept.inc({ what }, count);
    }
    if (swept.lost > 0) this.logger.error(`${swept.lost} artifacts have lost their files`);
    if (swept.orphans > 0) this.logger.warn(`${swept.orphans} files without an artifact removed`);
    if (swept.erased > 0) this.logger.log(`${swept.erased} artifacts of erased persons removed`);
  }
}

// An arbitrary advisory lock id that is used nowhere else in this database.
const LOCK = 7_390_090;
