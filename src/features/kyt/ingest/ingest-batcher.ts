import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { Outbox } from '../../../platform/queue/index.js';
import { EventPublisher } from '../../webhooks/index.js';
import { KytMetrics } from '../kyt-metrics.js';
import type { EvaluationLease } from '../domain/submission/prepared-transaction.js';
import type { PreparedTransaction } from '../domain/submission/prepared-transaction.js';
import { IngestRepository, type FirstSubmission } from '../store/ingest.repository.js';
import { INGEST } from '../store/ingest.statements.js';
import { findOriginals, SharedCommits } from './batches/shared-commits.js';
import { TransactionPreparer, type IntakeDraft } from './transaction-preparer.js';

/** The result for one submission: stored now, or stored before. */
export type StoredSubmission =
  | { readonly created: true; readonly transaction: PreparedTransaction; readonly seq: string }
  | { readonly created: false; readonly first: FirstSubmission };

/** Shares commits between concurrent submissions. */
@Injectable()
export class IngestBatcher {
  private readonly commits: SharedCommits<IntakeDraft, StoredSubmission>;
  private wasUsed = false;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly preparer: TransactionPreparer,
    private readonly ingest: IngestRepository,
    private readonly events: EventPublisher,
    private readonly outbox: Outbox,
    settings: Settings,
    private readonly metrics: KytMetrics,
  ) {
    const logger = new Logger(IngestBatcher.name);
    this.commits = new SharedCommits((drafts) => this.store(drafts), logger, settings, metrics);
  }

  /** True if a submission has arrived since the start of the process. */
  get isUsed(): boolean {
    return this.wasUsed;
  }

  /** Resolves after the commit; rejects if it is not certain that the submission is stored. */
  submit(draft: IntakeDraft): Promise<StoredSubmission> {
    this.wasUsed = true;
    return this.commits.submit(draft);
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
    const firsts = await findOriginals(rows, created, (repeated) => this.ingest.findFirst(repeated));
    return rows.map((row): StoredSubmission => {
      const seq = created.get(row.id);
      if (seq !== undefined) return { created: true, transaction: row, seq };
      const first = firsts.get(row.id);
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
