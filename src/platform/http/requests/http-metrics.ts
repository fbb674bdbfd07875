import { Injectable } from '@nestjs/common';
import { Histogram } from 'prom-client';
import { MetricsRegistry } from '../../telemetry/index.js';

const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Measures requests by route pattern and not by URL, so that callers cannot create new label values. */
@Injectable()
export class HttpMetrics {
  private readonly duration: Histogram<'method' | 'route' | 'status'>;

  constructor(metrics: MetricsRegistry) {
    this.duration = new Histogram({
      name: 'vigia_http_request_duration_seconds',
      help: 'Time from the first header read to the last byte handed to the socket, by route pattern.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [metrics.registry],
    });
  }

  observe(method: string, route: string, status: number, durationMs: number): void {
    const knownMethod = KNOWN_METHODS.has(method) ? method : 'OTHER';
    this.duration.observe({ method: knownMethod, route, status }, durationMs / 1_000);
  }
}
