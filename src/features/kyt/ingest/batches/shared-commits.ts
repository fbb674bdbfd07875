import type { Logger } from '@nestjs/common';
import type { Settings } from '../../../../platform/config/index.js';
import { isDatabaseUnavailable, OutcomeUnknownError } from '../../../../platform/database/index.js';
import { Batcher, DomainError } from '../../../../platform/kernel/index.js';
import type { KytMetrics } from '../../kyt-metrics.js';

// Maximum number of flushes at a time: one computes while the other waits for the disk.
const MAX_IN_FLIGHT = 2;
const MAX_ROWS = 500;
// Time, in addition to the statement timeout, for which a submission may wait: it covers the wait for the previous
// flush.
const GRACE_MS = 1_500;
const MAX_WAIT_MS = 4_000;
// Pace of the flushes: a flush costs nearly the same for one row as for ten.
const PACE = { everyMs: 8, minItems: 2 };

/** Lets concurrent submissions of one kind share commits, and refuses them while too many wait. */
export class SharedCommits<Draft, Stored> {
  private readonly batcher: Batcher<Draft, Stored>;

  constructor(
    store: (drafts: readonly Draft[]) => Promise<Stored[]>,
    logger: Logger,
    private readonly settings: Settings,
    private readonly metrics: KytMetrics,
  ) {
    this.batcher = new Batcher<Draft, Stored>(store, {
      ...{ maxInFlight: MAX_IN_FLIGHT, maxItems: MAX_ROWS, pace: PACE },
      deadline: {
        ms: () => settings.databaseStatementTimeoutMs + GRACE_MS,
        error: (isBegun) =>
          isBegun
            ? new OutcomeUnknownError(new Error('the flush takes too long'))
            : new DomainError('NOT_READY', { retryAfterSeconds: 1 }),
      },
      separately: (error, { length }) => {
        if (length === 1 || isDatabaseUnavailable(error)) return null;
        // One row that the database refuses must not fail the others.
        logger.warn(`a flush of ${length} failed, its rows are stored one by one`);
        return store;
      },
    });
  }

  /** Resolves after the commit; rejects if it is not certain that the submission is stored. */
  submit(draft: Draft): Promise<Stored> {
    // If the oldest submission has waited this long, an error now is better than one in ten seconds.
    if (this.batcher.waiting >= this.settings.ingestQueueLimit || this.batcher.waitedMs > MAX_WAIT_MS) {
      this.metrics.overloaded.inc();
      return Promise.reject(new DomainError('OVERLOADED', { retryAfterSeconds: 1 }));
    }
    return this.batcher.submit(draft);
  }
}

/** Finds the original submissions of rows that were not created, in the order of the rows. */
export async function findOriginals<Row extends { readonly id: string }, First>(
  rows: readonly Row[],
  created: ReadonlyMap<string, string>,
  findFirst: (repeated: readonly Row[]) => Promise<(First | undefined)[]>,
): Promise<ReadonlyMap<string, First>> {
  const repeated = rows.filter((row) => !created.has(row.id));
  if (repeated.length === 0) return new Map();
  // The new rows are stored by now, so an error must not suggest that nothing was accepted.
  const firsts = await findFirst(repeated).catch((error: unknown) => {
    throw isDatabaseUnavailable(error) ? new OutcomeUnknownError(error) : error;
  });
  return new Map(
    repeated.map((row, i) => {
      const first = firsts[i];
      if (!first) throw new Error('a conflicting submission disappeared');
      return [row.id, first] as const;
    }),
  );
}
