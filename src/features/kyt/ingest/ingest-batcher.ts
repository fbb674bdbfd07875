import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import { isDatabaseUnavailable, OutcomeUnknownError, UnitOfWork } from '../../../platform/database/index.js';
import { Batcher, DomainError } from '../../../platform/kernel/index.js';
import { Outbox } from '../../../platform/queue/index.js';
import { EventPublisher } from '../../webhooks/index.js';
import { KytMetrics } from '../kyt-metrics.js';
import type { EvaluationLease } from '../domain/submission/prepared-transaction.js';
import type { PreparedTransaction } from '../domain/submission/prepared-transaction.js';
import { IngestRepository, type FirstSubmission } from '../store/ingest.repository.js';
import { INGEST } from '../store/ingest.statements.js';
import { TransactionPreparer, type IntakeDraft } from './transaction-preparer.js';

/** The result for one submission: stored now, or stored before. */
export type StoredSubmission =
  | { readonly created: true; readonly transaction: PreparedTransaction; readonly seq: string }
  | { readonly created: false; readonly first: FirstSubmission };

// Maximum number of flushes at a time: one computes while the other waits for the disk.
const MAX_IN_FLIGHT = 2;
const MAX_ROWS = 500;
// Time, in addition to the statement timeout, for which a submission may wait: it covers the wait for the previous
// flush.
const GRACE_MS = 1_500;
const MAX_WAIT_MS = 4_000;
// Pace of the flushes: a flush costs nearly the same for one row as for ten.
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
      if (length === 1 || isDatabaseUnavailable(error)) return null;
      // One row that the database refuses must not fail the others.
      this.logger.warn(`a flush of ${length} failed, its rows are stored one by one`);
      return (drafts) => this.store(drafts);
    },
  });

  private wasUsed = false;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly preparer: TransactionPreparer,
    private readonly ingest: IngestRepository,
    private readonly events: EventPublisher,
    private readonly outbox: Outbox,
    private readonly settings: Settings,
    private readonly metrics: KytMetrics,
  ) {}

  /** True if a submission has arrived since the start of the process. */
  get isUsed(): boolean {
    return this.wasUsed;
  }

  /** Resolves after the commit; rejects if it is not certain that the submission is stored. */
  submit(draft: IntakeDraft): Promise<StoredSubmission> {
    this.wasUsed = true;
    // If the oldest submission has waited this long, an error now is better than one in ten seconds.
    if (this.batcher.waiting >= this.settings.ingestQueueLimit || this.batcher.waitedMs > MAX_WAIT_MS) {
      this.metrics.overloaded.inc();
      return Promise.reject(new DomainError('OVERLOADED', { retryAfterSeconds: 1 }));
    }
    return this.batcher.submit(draft);
  }

  /** True if a submission with this id was accepted before; then the current custom field schema does not apply to it. */
  async wasAccepted(draft: IntakeDraft): Promise<boolean> {
    const { organisationId, id: clientAppId } = draft.client;
    const [first] = await this.ingest.findFirst([
      { organisationId, clientAppId, submission: draft.submission },
    ]);
    return first !== undefined;
  }

  private async store(drafts: readonly IntakeDraft[]): Promise<StoredSubmission[]> {
    const rows = await this.preparer.prepare(drafts);
    const leased = rows.flatMap(({ id }, i) => (drafts[i]?.lease ? id : []));
    const lease = drafts.find((draft) => draft.lease)?.lease;
    const ordered = inRequestOrder(rows);
    const storedResults = await this.uow.write(
      ordered.map((row) => row.organisationId),
      ...this.compose(ordered, lease ? { refs: leased, lease } : null),
    );
    const isHandedOver = storedResults.length > 0 && rows.length > leased.length;
    if (isHandedOver || storedResults.some(({ hasDeliveries }) => hasDeliveries)) this.outbox.announce();
    const settled = await this.match(rows, new Map(storedResults.map(({ id, seq }) => [id, seq])));
    this.metrics.batchRows.observe(drafts.length);
    return settled;
  }

  /** Composes the statement that stores the rows; `held` names those that start under a lease. */
  compose(
    rows: readonly PreparedTransaction[],
    held: { readonly refs: readonly string[]; readonly lease: EvaluationLease } | null,
  ): ReturnType<typeof INGEST> {
    return INGEST({
      rows,
      held,
      firstWait: this.events.firstWait,
      isKept: rows.some(({ kept }) => kept.length > 0),
    });
  }

  /** Returns the result for each row: created now, or stored before. */
  private async match(
    rows: readonly PreparedTransaction[],
    created: ReadonlyMap<string, string>,
  ): Promise<StoredSubmission[]> {
    const repeated = rows.filter((row) => !created.has(row.id));
    // The new rows are stored by now, so an error must not suggest that nothing was accepted.
    const firsts =
      repeated.length === 0
        ? []
        : await this.ingest.findFirst(repeated).catch((error: unknown) => {
            throw isDatabaseUnavailable(error) ? new OutcomeUnknownError(error) : error;
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

/**
 * Orders requests by their first transaction id and keeps the lines of a request in their order, in which rules see
 * them. Two batches of the same requests then wait for each other instead of deadlocking; where other requests carry
 * the same ids, the statement runs again after a deadlock.
 */
function inRequestOrder(rows: readonly PreparedTransaction[]): readonly PreparedTransaction[] {
  if (rows.length === 1) return rows;
  const firstIds = new Map<string, string>();
  for (const { context, submission } of rows) {
    if (!firstIds.has(context.requestId)) firstIds.set(context.requestId, submission.transactionId);
  }
  const keyOf = ({ context, submission }: PreparedTransaction): string =>
    firstIds.get(context.requestId) ?? submission.transactionId;
  // The sort is stable.
  return [...rows].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0));
}
