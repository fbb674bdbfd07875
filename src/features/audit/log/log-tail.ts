import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/database/index.js';
import { LOG_SIZES, LOG_TAIL } from '../store/log.statements.js';

// Maximum number of entries per call; a caller reads the rest with further calls.
const STEP = 5_000;

/** An audit entry with its index in the log of its organisation. */
export interface IndexedAuditEntry {
  readonly index: number;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly action: string;
  readonly recordedAt: Date;
}

/**
 * Reads new entries of logs. Indices are assigned in the order of commits and without holes. A reader that continues
 * from the last index that it has read therefore misses nothing, in any process.
 */
@Injectable()
export class LogTail {
  constructor(private readonly uow: UnitOfWork) {}

  /** Returns the number of entries of each log, which is the index of the next entry. */
  async readSizes(organisationIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (organisationIds.length === 0) return new Map();
    const rows = await this.uow.rows([...organisationIds], LOG_SIZES, [[...organisationIds]]);
    return new Map(rows.map(({ organisationId, size }) => [organisationId, size]));
  }

  /** Returns entries about these subject types from index `from` on, and the index to continue from. */
  async readEntries(
    organisationId: string,
    from: number,
    size: number,
    subjectTypes: readonly string[],
  ): Promise<{ readonly steps: readonly IndexedAuditEntry[]; readonly upTo: number }> {
    const upTo = Math.min(size, from + STEP);
    if (upTo <= from) return { steps: [], upTo: from };
    const steps = await this.uow.rows(organisationId, LOG_TAIL, [
      organisationId,
      from,
      upTo,
      [...subjectTypes],
    ]);
    return { steps, upTo };
  }
}
