import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { MetricsRegistry } from '../../platform/telemetry/index.js';

/** Metrics of deliveries. Endpoint ids are not labels, because there can be thousands. */
@Injectable()
export class WebhookMetrics {
  readonly attempts: Counter<'outcome'>;
  readonly attemptSeconds: Histogram;
  readonly deliverySeconds: Histogram;
  readonly breakerOpenings: Counter;
  readonly endpointsDisabled: Counter<'reason'>;

  constructor(private readonly metrics: MetricsRegistry) {
    const registers = [metrics.registry];
    this.attempts = new Counter({
      name: 'vigia_webhook_attempts_total',
      help: 'Delivery attempts by what came of them (delivered, retry, exhausted, cancelled).',
      labelNames: ['outcome'],
      registers,
    });
    this.attemptSeconds = new Histogram({
      name: 'vigia_webhook_attempt_duration_seconds',
      help: 'Time of one attempt, from the connection to the last byte read.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      registers,
    });
    this.deliverySeconds = new Histogram({
      name: 'vigia_webhook_delivery_duration_seconds',
      help: 'Time from the commit of an event to its successful delivery, retries included.',
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 5, 15, 60, 600, 3_600, 21_600, 86_400, 272_000],
      registers,
    });
    this.breakerOpenings = new Counter({
      name: 'vigia_webhook_breaker_openings_total',
      help: 'How often an endpoint that only failed was left alone for a while.',
      registers,
    });
    this.endpointsDisabled = new Counter({
      name: 'vigia_webhook_endpoints_disabled_total',
      help: 'Endpoints that the service itself disabled, by reason (ENDPOINT_GONE: answered 410; FAILING_TOO_LONG).',
      labelNames: ['reason'],
      registers,
    });
  }

  /** Registers gauges that call `read` at each scrape. */
  watch(read: () => { readonly inFlight: number; readonly waiting: number; readonly held: number }): void {
    const registers = [this.metrics.registry];
    new Gauge({
      name: 'vigia_webhook_in_flight',
      help: 'Deliveries that this process is sending or recording.',
      registers,
      collect() {
        this.set(read().inFlight);
      },
    });
    new Gauge({
      name: 'vigia_webhook_waiting',
      help: 'Due deliveries that wait in this process for a free place of their endpoint.',
      registers,
      collect() {
        this.set(read().waiting);
      },
    });
    new Gauge({
      name: 'vigia_webhook_endpoints_held',
      help: 'Endpoints with waiting deliveries that this process leaves alone because they only failed.',
      registers,
      collect() {
        this.set(read().held);
      },
    });
  }
}
