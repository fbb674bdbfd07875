import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import { isDatabaseAway, OutcomeUnknownError, UnitOfWork } from '../../../platform/database/index.js';
import { Batcher, DomainError } from '../../../platform/kernel/index.js';
import { Outbox } from '../../../platform/queue/index.js';
import { EventPublisher } from '../../webhooks/index.js';
import { KytMetrics } from '../kyt-metrics.js';
import type { PreparedTransaction } from './prepared-transaction.js';
import { IngestRepository, type FirstSubmission } from '../store/ingest.repository.js';
import { INGEST } from '../store/ingest.statements.js';
import { TransactionPreparer, type IntakeDraft } from './transaction-preparer.js';

/** The result for one submission: stored now, or there before. */
export type StoredSubmission =
  | { readonly created: true; readonly transaction: PreparedTransaction; readonly seq: string }
  | { readonly created: false; readonly first: FirstSubmission };

// Two flushes overlap: one computes while the other waits for the disk.
const MAX_IN_FLIGHT = 2;
const MAX_ROWS = 500;
// Added to the longest statement; it covers the wait for the flush before as well.
const GRACE_MS = 1_500;
const MOST_WAIT_MS = 4_000;
// A flush costs nearly the same for one row as for ten.
const PACE = { everyMs: 8, minItems: 2 };

/** Shares commits between concurrent submissions. */
@Injectable()
export class IngestBatcher {
  private readonly logger = new Logger(IngestBatcher.name);
  private readonly batcher = new Batcher<IntakeDraft, StoredSubmission>((drafts) => this.store(drafts), {
    ...{ maxInFlight: MAX_IN_FLIGHT, maxItems: MAX_ROWS, pace: PACE },
    deadline: {
      ms: () => this.settings.databaseStatementTimeoutMs + GRACE_MS,
      error: (isBegun) =>
        isBegun
          ? new OutcomeUnknownError(new Error('the flush takes too long'))
          : new DomainError('NOT_READY', { retryAfterSeconds: 1 }),
    },
    separately: (error, { length }) => {
      if (length === 1 || isDatabaseAway(error)) return null;
      // One row that the database refuses must not fail its neighbours.
      this.logger.warn(`a flush of ${length} failed, its rows are stored one by one`);
      return (drafts) => this.store(drafts);
    },
  });

  constructor(
    private readonly uow: UnitOfWork,
    private readonly preparer: TransactionPreparer,
    private readonly transactions: IngestRepository,
    private readonly events: EventPublisher,
    private readonly outbox: Outbox,
    private readonly settings: Settings,
    private readonly metrics: KytMetrics,
  ) {}

  /** Resolves after the commit that holds the submission; rejects if the caller must not rely on it. */
  submit(draft: IntakeDraft): Promise<StoredSubmission> {
    // If the first of the queue has waited so long, an error now is better than one in ten seconds.
    if (this.batcher.waiting >= this.settings.ingestQueueLimit || this.batcher.waitedMs > MOST_WAIT_MS) {
      this.metrics.overloaded.inc();
      return Promise.reject(new DomainError('OVERLOADED', { retryAfterSeconds: 1 }));
    }
    return this.batcher.submit(draft);
  }

  /** True if a submission of this id was accepted before: today's house schema does not apply to it. */
  async isKnown(draft: IntakeDraft): Promise<boolean> {
    const { organisationId, id: clientAppId } = draft.client;
    const [first] = await this.transactions.findFirst([
      { organisationId, clientAppId, submission: draft.submission },
    ]);
    return first !== undefined;
  }

  private async store(drafts: readonly IntakeDraft[]): Promise<StoredSubmission[]> {
    const rows = await this.preparer.prepare(drafts);
    // One order for all writers: two batches with the same ids wait for each other instead of deadlocking.
    const leased = rows.flatMap(({ id }, i) => (drafts[i]?.lease ? id : []));
    const lease = drafts.find((draft) => draft.lease)?.lease;
    const ordered = rows.length === 1 ? rows : [...rows].sort(byTransactionId);
    const stored = await this.uow.write(
      ordered.map((row) => row.organisationId),
      ...INGEST({
        rows: ordered,
        held: lease ? { refs: leased, lease } : null,
        firstWait: this.events.firstWait,
        isKept: ordered.some(({ kept }) => kept.length > 0),
      }),
    );
    const hasMessages = rows.length > leased.length || this.events.firstWait === 0;
    if (stored.length > 0 && hasMessages) this.outbox.announce();
    const settled = await this.match(rows, new Map(stored.map(({ id, seq }) => [id, seq])));
    this.metrics.batchRows.observe(drafts.length);
    return settled;
  }

  /** Pairs each row with its result: created, or there before. */
  private async match(
    rows: readonly PreparedTransaction[],
    created: ReadonlyMap<string, string>,
  ): Promise<StoredSubmission[]> {
    const repeated = rows.filter((row) => !created.has(row.id));
    // The rows of the flush are stored by now, so an error must not say that nothing was accepted.
    const firsts =
      repeated.length === 0
        ? []
        : await this.transactions.findFirst(repeated).catch((error: unknown) => {
            throw isDatabaseAway(error) ? new OutcomeUnknownError(error) : error;
          });
    const firstOf = new Map(repeated.map((row, i) => [row.id, firsts[i]]));
    return rows.map((row): StoredSubmission => {
      const seq = created.get(row.id);
      if (seq !== undefined) return { created: true, transaction: row, seq };
      const first = firstOf.get(row.id);
      if (!first) throw new Error('a conflicting transaction disappeared');
      return { created: false, first };
    });
  }
}

const byTransactionId = (a: PreparedTransaction, b: PreparedTransaction): number =>
  a.submission.transactionId < b.submission.transactionId ? -1 : 1;
