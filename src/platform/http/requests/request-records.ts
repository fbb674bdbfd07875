import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { StructuredLogger } from '../../telemetry/index.js';
import { RequestLog } from '../request-log/request-log.service.js';
import type { Exchange } from './exchange.js';
import { HttpMetrics } from './http-metrics.js';

/** Records every request: a measurement, a line of the log, and for applications an entry in their own log. */
@Injectable()
export class RequestRecords {
  constructor(
    private readonly metrics: HttpMetrics,
    private readonly logger: StructuredLogger,
    private readonly log: RequestLog,
  ) {}

  /** Measures and logs a finished request, under the pattern of its route. */
  close(exchange: Exchange, method: string | undefined, route: string, response: ServerResponse): void {
    const durationMs = Math.round((performance.now() - exchange.startedAt) * 100) / 100;
    // 499: the caller hung up before the answer; the code that proxies use for it. A refusal that closes the connection
    // under a body that still comes is an answer, though its last bytes may not have left.
    const status = response.writableEnded ? response.statusCode : 499;
    this.metrics.observe(method ?? '', route, status, durationMs);
    this.logger.access({
      method: method ?? '',
      route,
      status,
      durationMs,
      requestId: exchange.context.requestId,
      correlationId: exchange.context.correlationId,
      client: exchange.client?.clientId ?? null,
      operator: exchange.operator?.id ?? null,
    });
    this.log.note(exchange, method ?? '', route, status, durationMs);
  }
}
