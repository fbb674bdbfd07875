import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { system, UnitOfWork, type Reader } from '../../platform/database/index.js';
import { MetricsRegistry } from '../../platform/telemetry/index.js';
import { readOldestQueuedAge, countWorkByStatus } from './store/work/work-metrics.queries.js';

/** The metrics of ingest and pipeline. */
@Injectable()
export class KytMetrics {
  readonly accepted: Counter;
  readonly duplicates: Counter;
  readonly conflicts: Counter;
  readonly customerEvents: Counter<'result'>;
  readonly overloaded: Counter;
  readonly waits: Counter<'decided'>;
  readonly batchRows: Histogram;
  readonly completed: Counter<'outcome' | 'defensible'>;
  readonly deadLettered: Counter<'code'>;
  readonly retried: Counter<'code'>;
  readonly fenced: Counter;
  readonly lateEffects: Counter<'result'>;
  readonly completionSeconds: Histogram;

  constructor(metrics: MetricsRegistry, uow: UnitOfWork) {
    const registers = [metrics.registry];
    const counter = <L extends string = never>(
      name: string,
      help: string,
      labelNames: L[] = [],
    ): Counter<L> => new Counter({ name, help, labelNames, registers });
    this.accepted = counter('vigia_kyt_accepted_total', 'New transactions acknowledged with 202.');
    this.duplicates = counter('vigia_kyt_duplicates_total', 'Repeated submissions answered with 200.');
    this.conflicts = counter(
      'vigia_kyt_conflicts_total',
      'Submissions refused with TRANSACTION_ID_CONFLICT.',
    );
    this.customerEvents = counter(
      'vigia_kyt_customer_events_total',
      'Events of customers, by result: accepted, duplicate or conflict.',
      ['result'],
    );
    this.overloaded = counter(
      'vigia_kyt_overloaded_total',
      'Submissions refused because the ingest queue was full.',
    );
    this.waits = counter(
      'vigia_kyt_waits_total',
      'Submissions whose caller waited for the decision, by whether it came in time.',
      ['decided'],
    );
    this.completed = counter('vigia_kyt_completed_total', 'Evaluations committed, by outcome.', [
      'outcome',
      'defensible',
    ]);
    this.deadLettered = counter(
      'vigia_kyt_dead_lettered_total',
      'Transactions dead-lettered, by failure code.',
      ['code'],
    );
    this.retried = counter(
      'vigia_kyt_retries_total',
      'Failed attempts that will be tried again, by failure code.',
      ['code'],
    );
    this.fenced = counter(
      'vigia_kyt_fenced_total',
      'Results thrown away because another worker had taken over.',
    );
    this.lateEffects = counter(
      'vigia_kyt_late_effects_total',
      'Transactions that a late one affects, by what became of them.',
      ['result'],
    );
    this.batchRows = new Histogram({
      name: 'vigia_kyt_ingest_batch_rows',
      help: 'Submissions that shared one commit.',
      buckets: [1, 2, 5, 10, 25, 50, 100, 250, 500],
      registers,
    });
    this.completionSeconds = new Histogram({
      name: 'vigia_kyt_completion_seconds',
      help: 'Time from receipt to the committed evaluation.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
      registers,
    });
    // Gauges query at each scrape. So they cover all processes and cost the hot path nothing.
    new Gauge({
      name: 'vigia_kyt_work',
      help: 'Transactions without an evaluation, by status, over all processes.',
      labelNames: ['status'],
      registers,
      async collect() {
        this.reset();
        const rows = await queryOrNone(uow, countWorkByStatus);
        for (const row of rows) this.set({ status: row.status }, row.count);
      },
    });
    new Gauge({
      name: 'vigia_kyt_oldest_queued_seconds',
      help: 'Age of the oldest transaction that waits for its evaluation; what a backlog costs in time.',
      registers,
      async collect() {
        this.remove();
        const rows = await queryOrNone(uow, readOldestQueuedAge);
        for (const row of rows) this.set(row.age ?? 0);
      },
    });
  }
}

/**
 * Runs a query for metrics. While the database is unavailable these metrics are absent, not zero, and the scrape
 * returns the others.
 */
function queryOrNone<Row>(uow: UnitOfWork, query: (db: Reader) => Promise<Row[]>): Promise<Row[]> {
  return uow.read(system('kyt.metrics'), query).catch(() => []);
}
