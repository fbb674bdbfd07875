import { Injectable } from '@nestjs/common';
import { execute, UnitOfWork } from '../../../platform/database/index.js';
import { LOG_SIZES, LOG_TAIL } from '../store/log-tail.statements.js';

// More entries than this are read in further steps.
const STEP = 5_000;

/** An audit entry with its place in the log of its organisation. */
export interface LoggedStep {
  readonly index: number;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly action: string;
  readonly recordedAt: Date;
}

/**
 * Reads the new entries of logs. Each entry has one place in the log of its organisation, and no entry ever gets a place
 * before one that was read, so a reader in any process that remembers a place misses nothing.
 */
@Injectable()
export class LogTail {
  constructor(private readonly uow: UnitOfWork) {}

  /** Returns the number of entries of each log, which is the place of the next one. */
  async sizes(organisationIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (organisationIds.length === 0) return new Map();
    const rows = await this.uow.read([...organisationIds], (db) =>
      execute(db, LOG_SIZES, [[...organisationIds]]),
    );
    return new Map(rows.map(({ organisationId, size }) => [organisationId, size]));
  }

  /** Returns entries about these kinds of subjects from place `from` on, and the place up to which it has read. */
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
