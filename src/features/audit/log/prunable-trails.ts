import { Injectable } from '@nestjs/common';
import { PRUNABLE } from '../domain/pruning.js';
import { PruningRepository, type PrunableTrail } from '../store/pruning.repository.js';
import { TrailSurvey, type Subject } from '../trail/trail-survey.js';
import { LegalHolds } from './legal-holds.js';

// Trails per transaction. The entry that names the pruned leaves of a page has some kilobytes.
const PAGE = 200;

/** Finds the trails that may be pruned: old enough, whole, and on no legal hold. */
@Injectable()
export class PrunableTrails {
  constructor(
    private readonly prunings: PruningRepository,
    private readonly holds: LegalHolds,
    private readonly survey: TrailSurvey,
  ) {}

  /** Yields pages of prunable trails, with the number left out for a legal hold, and for a gap or a repair. */
  async *find(
    organisationId: string,
    before: Date,
  ): AsyncGenerator<{ readonly whole: readonly Subject[]; readonly held: number; readonly flawed: number }> {
    const holds = await this.holds.findHeldSubjects(organisationId);
    for await (const old of this.oldTrails(organisationId, before)) {
      const free = old.filter(({ type, id }) => !holds.has(`${type}:${id}`));
      const whole = await this.whole(organisationId, free);
      yield { whole, held: old.length - free.length, flawed: free.length - whole.length };
    }
  }

  /** Yields pages of trails whose stored entries were all recorded before `before`. */
  private async *oldTrails(organisationId: string, before: Date): AsyncGenerator<readonly PrunableTrail[]> {
    for (let after = -1; ;) {
      const page = await this.prunings.listTrails(organisationId, PRUNABLE, after, PAGE);
      yield page.filter(({ newest }) => newest !== null && newest < before);
      const last = page.at(-1);
      // Pages are in the order of the log: all trails after one that began too late are younger still.
      const isOver = page.some(({ oldest }) => oldest !== null && oldest >= before);
      if (!last || isOver || page.length < PAGE) return;
      after = last.index;
    }
  }

  private async whole(organisationId: string, trails: readonly PrunableTrail[]): Promise<readonly Subject[]> {
    const verdicts = await this.survey.verify(organisationId, trails);
    return trails.filter((trail) => {
      const verdict = verdicts.get(trail);
      return (verdict?.status === 'COMPLETE' || verdict?.status === 'PRUNED') && verdict.repairs.length === 0;
    });
  }
}
