import { Injectable } from '@nestjs/common';
import { PRUNABLE } from '../domain/pruning.js';
import { PruningRepository, type PrunableTrail } from '../store/pruning.repository.js';
import { TrailSurvey, type Subject } from '../trail/trail-survey.js';
import { LegalHolds } from './legal-holds.js';

// Trails per transaction: the entry that names their pruned leaves then has only some kilobytes.
const PAGE = 200;

/** Finds the trails that may be pruned: old enough, whole, and on no legal hold. */
@Injectable()
export class PrunableTrails {
  constructor(
    private readonly prunings: PruningRepository,
    private readonly holds: LegalHolds,
    private readonly survey: TrailSurvey,
  ) {}

  /** Yields pages of prunable trails, and how many were left out because of a legal hold, or of a gap or repair. */
  async *find(
    organisationId: string,
    before: Date,
  ): AsyncGenerator<{ readonly whole: readonly Subject[]; readonly held: number; readonly flawed: number }> {
    const holds = await this.holds.findHeldSubjects(organisationId);
    for await (const old of this.oldTrails(organisationId, before)) {
      const free = old.filter(({ type, id }) => !holds.has(`${type}:${id}`));
      const wholeTrails = await this.keepWhole(organisationId, free);
      yield { whole: wholeTrails, held: old.length - free.length, flawed: free.length - wholeTrails.length };
    }
  }

  /** Yields pages of trails whose stored entries were all recorded before `before`. */
  private async *oldTrails(organisationId: string, before: Date): AsyncGenerator<readonly PrunableTrail[]> {
    for (let after = -1; ;) {
      const page = await this.prunings.listTrails(organisationId, PRUNABLE, after, PAGE);
      yield page.filter(({ newest }) => newest !== null && newest < before);
      const last = page.at(-1);
      // Pages are in log order: all trails after a trail that began too late also began too late.
      const isOver = page.some(({ oldest }) => oldest !== null && oldest >= before);
      if (!last || isOver || page.length < PAGE) return;
      after = last.index;
    }
  }

  /** Returns the trails that are COMPLETE or PRUNED and were never repaired. */
  private async keepWhole(
    organisationId: string,
    trails: readonly PrunableTrail[],
  ): Promise<readonly Subject[]> {
    const verdicts = await this.survey.verify(organisationId, trails);
    return trails.filter((trail) => {
      const verdict = verdicts.get(trail);
      return (verdict?.status === 'COMPLETE' || verdict?.status === 'PRUNED') && verdict.repairs.length === 0;
    });
  }
}
