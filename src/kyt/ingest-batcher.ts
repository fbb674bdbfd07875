import { Injectable, Logger } from '@nestjs/common';
import { AuditTrail } from '../audit/index.js';
import { Settings } from '../config/index.js';
import { composite, isDatabaseAway, UnitOfWork } from '../database/index.js';
import { DomainError } from '../kernel/index.js';
import { Outbox } from '../queue/index.js';
import { EventPublisher } from '../webhooks/index.js';
import { KytMetrics } from './kyt-metrics.js';
import type { PreparedTransaction } from './prepared-transaction.js';
import { IngestRepository, type FirstSubmission } from './store/ingest.repository.js';
import { TransactionPreparer, type Draft } from './transaction-preparer.js';

/** What became of one submission: stored now, or there before. */
export type Settled =
  | { readonly created: true; readonly transaction: PreparedTransaction }
  | { readonly created: false; readonly first: FirstSubmission };

interface Waiting {
  readonly draft: Draft;
  readonly resolve: (settled: Settled) => void;
  readonly reject: (error: unknown) => void;
}

// Two flushes overlap: one computes while the other waits for the disk.
const MAX_IN_FLIGHT = 2;
const MAX_ROWS = 500;
// A flush costs nearly the same for one row as for ten. While submissions keep coming, flushes begin at least this far
// apart, so that they share that cost; at a rate that would not bring this many rows meanwhile, each is served at once.
const PACE_MS = 8;
const WORTH_WAITING_FOR = 2;

/**
 * Shares commits between concurrent submissions. What arrives while the previous commits are under way goes into
 * the next one; a submission alone is flushed at once, without a linger that would only add latency.
 */
@Injectable()
export class IngestBatcher {
  private readonly logger = new Logger(IngestBatcher.name);
  private waiting: Waiting[] = [];
  private inFlight = 0;
  private scheduled = false;
  private begunAt = 0;
  /** Submissions per millisecond between the last two flushes. */
  private rate = 0;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly preparer: TransactionPreparer,
    private readonly transactions: IngestRepository,
    private readonly audit: AuditTrail,
    private readonly events: EventPublisher,
    private readonly outbox: Outbox,
    private readonly settings: Settings,
    private readonly metrics: KytMetrics,
  ) {}

  /** Resolves after the commit that holds the submission; rejects when it is certain that nobody should rely on it. */
  submit(draft: Draft): Promise<Settled> {
    if (this.waiting.length >= this.settings.ingestQueueLimit) {
      this.metrics.overloaded.inc();
      return Promise.reject(new DomainError('OVERLOADED', { retryAfterSeconds: 1 }));
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ draft, resolve, reject });
      this.schedule();
    });
  }

  /** On the next turn of the event loop, so that the requests of one turn share a flush, or when the pace allows. */
  private schedule(): void {
    if (this.scheduled || this.inFlight >= MAX_IN_FLIGHT) return;
    this.scheduled = true;
    const begin = (): void => {
      this.scheduled = false;
      if (this.waiting.length > 0 && this.inFlight < MAX_IN_FLIGHT) void this.flush();
    };
    const pauseMs = this.pause();
    if (pauseMs > 0) setTimeout(begin, pauseMs);
    else setImmediate(begin);
  }

  private pause(): number {
    if (this.rate * PACE_MS < WORTH_WAITING_FOR) return 0;
    return Math.ceil(this.begunAt + PACE_MS - performance.now());
  }

  private async flush(): Promise<void> {
    const batch = this.waiting.slice(0, MAX_ROWS);
    this.waiting = this.waiting.slice(MAX_ROWS);
    const now = performance.now();
    this.rate = batch.length / Math.max(now - this.begunAt, 1);
    this.begunAt = now;
    this.inFlight += 1;
    if (this.waiting.length > 0) this.schedule();
    await this.settle(batch);
    this.inFlight -= 1;
    if (this.waiting.length > 0) this.schedule();
  }

  /** Stores a batch and answers each of its callers. Never rejects. */
  private async settle(batch: readonly Waiting[]): Promise<void> {
    try {
      const settled = await this.store(batch.map((waiting) => waiting.draft));
      this.metrics.batchRows.observe(batch.length);
      batch.forEach((waiting, i) => {
        const result = settled[i];
        if (result) waiting.resolve(result);
        else waiting.reject(new Error('a submission was neither stored nor found'));
      });
    } catch (error) {
      if (batch.length === 1 || isDatabaseAway(error)) {
        for (const waiting of batch) waiting.reject(error);
        return;
      }
      // One row that the database refuses must not fail its neighbours.
      this.logger.warn(`a flush of ${batch.length} failed, its rows are stored one by one`);
      for (const waiting of batch) await this.settle([waiting]);
    }
  }

  private async store(drafts: readonly Draft[]): Promise<Settled[]> {
    const rows = await this.preparer.prepare(drafts);
    // One order for all writers: two batches with the same ids wait for each other instead of deadlocking.
    const ordered = rows.length === 1 ? rows : [...rows].sort(byTransactionId);
    const stored = await this.uow.write<{ id: string }>(
      ordered.map((row) => row.organisationId),
      composite(
        'kyt-ingest',
        [
          ...this.transactions.createClauses(ordered),
          this.audit.appendClause(
            ordered.map((row) => row.received),
            'created',
          ),
          ...this.events.publishClauses(
            ordered.map((row) => row.queued),
            'created',
          ),
          this.outbox.clause('handed', 'kyt.pipeline', 'created'),
        ],
        'SELECT id FROM created',
        // Inserts only, and one join with the endpoints, of which an application has a few.
        { prepared: true },
      ),
    );
    if (stored.length > 0) this.outbox.announce();
    return this.match(rows, new Set(stored.map((row) => row.id)));
  }

  /** What became of each row: created, or there before. */
  private async match(
    rows: readonly PreparedTransaction[],
    created: ReadonlySet<string>,
  ): Promise<Settled[]> {
    const repeated = rows.filter((row) => !created.has(row.id));
    const firsts = repeated.length === 0 ? [] : await this.transactions.findFirst(repeated);
    const firstOf = new Map(repeated.map((row, i) => [row.id, firsts[i]]));
    return rows.map((row): Settled => {
      if (created.has(row.id)) return { created: true, transaction: row };
      const first = firstOf.get(row.id);
      if (!first) throw new Error('a conflicting transaction disappeared');
      return { created: false, first };
    });
  }
}

const byTransactionId = (a: PreparedTransaction, b: PreparedTransaction): number =>
  a.submission.transactionId < b.submission.transactionId ? -1 : 1;
