import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Settings } from '../../../platform/config/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { Clock, DomainError } from '../../../platform/kernel/index.js';
import { auditDraftOf, type ActorContext } from '../actor-context.js';
import { AuditTrail } from '../trail/audit-trail.js';
import { retentionStart, formatLeafRanges } from '../domain/pruning.js';
import { PrunableTrails } from './prunable-trails.js';
import { AuditExportEntity } from '../store/entities.js';
import { LogQueries } from '../store/log.queries.js';
import { LogRepository } from '../store/log.repository.js';
import { PruningRepository } from '../store/pruning.repository.js';
import type { Subject } from '../trail/trail-survey.js';

export interface PruneResult {
  /** Entries recorded before this time may be pruned. */
  readonly before: Date;
  readonly trails: number;
  readonly entries: number;
  /** Trails that are old enough, but on legal hold. */
  readonly held: number;
  /** Trails that are old enough, but have a gap or a repair: pruning must not hide that. */
  readonly flawed: number;
}

/**
 * Deletes entries after their retention, only complete trails and only if they have no gap. The leaf hashes stay, so
 * that all proofs of other entries remain valid. An entry that is never pruned names the pruned leaves.
 */
@Injectable()
export class PruningService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly prunings: PruningRepository,
    private readonly logs: LogRepository,
    private readonly queries: LogQueries,
    private readonly trail: AuditTrail,
    private readonly prunable: PrunableTrails,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Prunes the log of the caller's organisation; `dryRun` only counts. Throws if the log was rolled back. */
  async prune(ctx: ActorContext, { dryRun }: { readonly dryRun: boolean }): Promise<PruneResult> {
    const { organisationId } = ctx;
    if ((await this.queries.findCurrentLog(organisationId))?.rolledBack === true) {
      throw new DomainError('AUDIT_TRAIL_INCOMPLETE');
    }
    const before = retentionStart(new Date(this.clock.now()), this.settings.auditRetentionYears);
    const sum = { before, trails: 0, entries: 0, held: 0, flawed: 0 };
    for await (const { whole, held, flawed } of this.prunable.find(organisationId, before)) {
      sum.held += held;
      sum.flawed += flawed;
      if (whole.length === 0) continue;
      sum.entries += dryRun
        ? await this.uow.run(
            organisationId,
            async (tx) => (await this.prunings.readStoredLeaves(tx, organisationId, whole)).length,
          )
        : await this.prunePage(ctx, whole, before);
      sum.trails += whole.length;
    }
    return sum;
  }

  private async prunePage(ctx: ActorContext, subjects: readonly Subject[], before: Date): Promise<number> {
    const { organisationId } = ctx;
    return this.uow.run(organisationId, async (tx) => {
      // No pruning while an export is queued or runs: a package must contain the entry that names the leaves pruned in
      // it.
      await this.logs.lockSealing(tx);
      const open = { organisationId, status: In(['QUEUED', 'RUNNING']) };
      if (await tx.existsBy(AuditExportEntity, open)) throw new DomainError('STATE_CONFLICT');
      const leaves = await this.prunings.readStoredLeaves(tx, organisationId, subjects);
      const [entry] = await this.trail.record(
        tx,
        auditDraftOf(ctx, 'audit_log', organisationId, 'audit_log.pruned', new Date(this.clock.now()), {
          before: before.toISOString(),
          trails: subjects.length,
          entries: leaves.length,
          leaves: formatLeafRanges(leaves),
        }),
      );
      if (!entry) throw new Error('a pruning was not recorded');
      const prunedCount = await this.prunings.prune(tx, organisationId, subjects, {
        before,
        namedBy: entry.position.seq,
      });
      if (prunedCount !== leaves.length) throw new Error('other entries were pruned than the log names');
      return prunedCount;
    });
  }
}
