import { Injectable } from '@nestjs/common';
import { execute, UnitOfWork } from '../../../platform/database/index.js';
import { LOG_SIZES, LOG_TAIL } from '../store/log-tail.statements.js';

// More entries than this are read in further steps.
const STEP = 5_000;

/** One step that was written down, with its place in the log of its organisation. */
export interface LoggedStep {
  readonly index: number;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly action: string;
  readonly recordedAt: Date;
}

/**
 * Reads what comes to the logs. Each entry has one place in the log of its organisation and none comes before another that
 * was read, so whoever remembers a place misses nothing, in whichever process.
 */
@Injectable()
export class LogTail {
  constructor(private readonly uow: UnitOfWork) {}

  /** How many entries the logs of these organisations have; the place of the next one. */
  async sizes(organisationIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (organisationIds.length === 0) return new Map();
    const rows = await this.uow.read([...organisationIds], (db) =>
      execute(db, LOG_SIZES, [[...organisationIds]]),
    );
    return new Map(rows.map(({ organisationId, size }) => [organisationId, size]));
  }

  /** Steps about these kinds of subjects from a place on, and the place up to which was looked. */
  async steps(
    organisationId: string,
    from: number,
    size: number,
    subjectTypes: readonly string[],
  ): Promise<{ readonly steps: readonly LoggedStep[]; readonly upTo: number }> {
    const upTo = Math.min(size, from + STEP);
    if (upTo <= from) return { steps: [], upTo: from };
    const steps = await this.uow.read(organisationId, (db) =>
      execute(db, LOG_TAIL, [organisationId, from, upTo, [...subjectTypes]]),
    );
    return { steps, upTo };
  }
}
