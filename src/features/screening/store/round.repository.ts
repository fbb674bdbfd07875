import { Injectable } from '@nestjs/common';
import { selectColumns, system, UnitOfWork, type RowOf } from '../../../platform/database/index.js';
import { LeasedJobRepository, leasedJobs } from '../../../platform/jobs/index.js';
import { ScreeningRoundEntity } from './entities.js';

const CLAIMED = selectColumns(
  ScreeningRoundEntity,
  'j',
  ...(['id', 'organisationId', 'listId', 'sequence', 'cursor', 'total', 'attempts', 'fence'] as const),
);
const JOBS = leasedJobs('screening_rounds', ScreeningRoundEntity, {
  scope: system('screening.rounds'),
  // One after the other: a second one of the same organisation would only share the time that transactions leave.
  fallback: 1,
  claimed: CLAIMED,
});

/** A round on which this process has the lease. */
export type ClaimedRound = RowOf<typeof CLAIMED.shape>;

/** Stores the leases and the progress of rounds. */
@Injectable()
export class RoundRepository extends LeasedJobRepository<ScreeningRoundEntity, ClaimedRound> {
  constructor(uow: UnitOfWork) {
    super(uow, JOBS);
  }

  /** Stores what a page added; false if another process has claimed the round. */
  recordPage(claimed: ClaimedRound, cursor: string, done: number, hits: number): Promise<boolean> {
    return this.uow.run(claimed.organisationId, (tx) =>
      this.keep(tx, claimed, { cursor, attempts: 1, ...added(done, hits) }),
    );
  }

  /** Ends a round, with what its last page added. */
  finish(claimed: ClaimedRound, done: number, hits: number): Promise<boolean> {
    return this.uow.run(claimed.organisationId, (tx) =>
      this.conclude(tx, claimed, { status: 'FINISHED', ...added(done, hits) }),
    );
  }
}

const added = (done: number, hits: number): { done: () => string; hits: () => string } => ({
  done: () => `done + ${done}`,
  hits: () => `hits + ${hits}`,
});
