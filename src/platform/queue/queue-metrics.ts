import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { MetricsRegistry } from '../telemetry/index.js';

/** Counters of the relay and the reconciler. */
@Injectable()
export class QueueMetrics {
  readonly relayed: Counter;
  readonly relayFailures: Counter;
  readonly requeued: Counter<'source' | 'reason'>;

  constructor(metrics: MetricsRegistry) {
    const registers = [metrics.registry];
    this.relayed = new Counter({
      name: 'vigia_outbox_relayed_total',
      help: 'Outbox messages handed to the queue by this process.',
      registers,
    });
    this.relayFailures = new Counter({
      name: 'vigia_outbox_relay_failures_total',
      help: 'Relay rounds that failed because the database or the queue was away; their messages wait.',
      registers,
    });
    this.requeued = new Counter({
      name: 'vigia_queue_requeued_total',
      help: 'Pieces of work that were queued again, by source and reason (lost: expired lease or lost job; rebuilt: the queue was emptied).',
      labelNames: ['source', 'reason'],
      registers,
    });
  }
}
