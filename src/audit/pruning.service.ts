import { Injectable } from '@nestjs/common';
import { Settings } from '../config/index.js';
import { UnitOfWork } from '../database/index.js';
import { Clock, DomainError } from '../kernel/index.js';
import { stepOf, type Acting } from './acting.js';
import { AuditTrail } from './audit-trail.js';
import { keptSince, PRUNABLE, rangesOf } from './domain/pruning.js';
import { Holds } from './holds.js';
import { ExportRepository } from './store/export.repository.js';
import { LogQueries } from './store/log.queries.js';
import { LogRepository } from './store/log.repository.js';
import { PruningRepository, type OldTrail } from './store/pruning.repository.js';
import { TrailSurvey, type Subject } from './trail-survey.js';

/** What was pruned, or what would be. */
export interface Pruned {
  /** What was recorded before may go. */
  readonly before: Date;
  readonly trails: number;
  readonly entries: number;
  /** Old enough, but on legal hold. */
  readonly held: number;
  /** Old enough, but with a gap or a repair: what is wrong with a trail does not go with it. */
  readonly flawed: number;
}

// Each page is a transaction and an entry of the log that names its leaves: some kilobytes.
const PAGE = 200;

/**
 * Ends the keeping of entries whose time is over: trail by trail, and only of trails that are whole. The leaf hashes stay, so
 * that every proof of what remains still holds, and an entry of the log says for ever which leaves those are.
 */
@Injectable()
export class Pruning {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly prunings: PruningRepository,
    private readonly logs: LogRepository,
    private readonly queries: LogQueries,
    private readonly exports: ExportRepository,
    private readonly survey: TrailSurvey,
    private readonly trail: AuditTrail,
    private readonly holds: Holds,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Prunes the log of the acting organisation; with `dryRun` it only counts. */
  async prune(acting: Acting, { dryRun }: { readonly dryRun: boolean }): Promise<Pruned> {
    const { organisationId } = acting;
    if ((await this.queries.current(organisationId))?.rolledBack === true) {
      throw new DomainError('AUDIT_TRAIL_INCOMPLETE');
    }
    const before = keptSince(new Date(this.clock.now()), this.settings.auditRetentionYears);
    const held = await this.holds.of(organisationId);
    const sum = { before, trails: 0, entries: 0, held: 0, flawed: 0 };
    for await (const old of this.oldTrails(organisationId, before)) {
      const free = old.filter(({ type, id }) => !held.has(`${type}:${id}`));
      const whole = await this.whole(organisationId, free);
      sum.held += old.length - free.length;
      sum.flawed += free.length - whole.length;
      if (whole.length === 0) continue;
      sum.entries += dryRun
        ? await this.uow.run(
            organisationId,
            async (tx) => (await this.prunings.leaves(tx, organisationId, whole)).length,
          )
        : await this.prunePage(acting, whole, before);
      sum.trails += whole.length;
    }
    return sum;
  }

  /** Trails of which every stored entry was recorded before that moment. */
  private async *oldTrails(organisationId: string, before: Date): AsyncGenerator<readonly OldTrail[]> {
    for (let after = -1; ;) {
      const page = await this.prunings.trails(organisationId, PRUNABLE, after, PAGE);
      yield page.filter(({ newest }) => newest !== null && newest < before);
      const last = page.at(-1);
      // In the order of the log: behind a trail that begins later there are only younger ones.
      const isOver = page.some(({ oldest }) => oldest !== null && oldest >= before);
      if (!last || isOver || page.length < PAGE) return;
      after = last.index;
    }
  }

  private async whole(organisationId: string, trails: readonly OldTrail[]): Promise<readonly Subject[]> {
    const verdicts = await this.survey.judge(organisationId, trails);
    return trails.filter((trail) => {
      const verdict = verdicts.get(trail);
      return (verdict?.status === 'COMPLETE' || verdict?.status === 'PRUNED') && verdict.repairs.length === 0;
    });
  }

  private async prunePage(acting: Acting, subjects: readonly Subject[], before: Date): Promise<number> {
    const { organisationId } = acting;
    return this.uow.run(organisationId, async (tx) => {
      // What is exported is pruned before or afterwards: a package has the entry that names what it lacks.
      await this.logs.holdSealing(tx);
      if (await this.exports.isAnyOpen(tx, organisationId)) throw new DomainError('STATE_CONFLICT');
      const leaves = await this.prunings.leaves(tx, organisationId, subjects);
      const [entry] = await this.trail.record(tx, [
        stepOf(acting, 'audit_log', organisationId, 'audit_log.pruned', new Date(this.clock.now()), {
          before: before.toISOString(),
          trails: subjects.length,
          entries: leaves.length,
          leaves: rangesOf(leaves),
        }),
      ]);
      if (!entry) throw new Error('a pruning was not recorded');
      const gone = await this.prunings.prune(tx, organisationId, subjects, {
        before,
        namedBy: entry.position.seq,
      });
      if (gone !== leaves.length) throw new Error('other entries were pruned than the log names');
      return gone;
    });
  }
}
