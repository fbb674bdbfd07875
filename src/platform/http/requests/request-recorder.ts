import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { StructuredLogger } from '../../telemetry/index.js';
import { RequestLog } from '../request-log/request-log.service.js';
import type { Exchange } from './exchange.js';
import { HttpMetrics } from './http-metrics.js';

/** Records every request in the metrics, the access log and, if an application sent it, the request log. */
@Injectable()
export class RequestRecorder {
  constructor(
    private readonly httpMetrics: HttpMetrics,
    private readonly logger: StructuredLogger,
    private readonly requestLog: RequestLog,
  ) {}

  /** Measures and logs a finished request, under the pattern of its route. */
  recordFinished(
    exchange: Exchange,
    method: string | undefined,
    route: string,
    response: ServerResponse,
  ): void {
    const durationMs = Math.round((performance.now() - exchange.startedAt) * 100) / 100;
    // 499, as in proxies: the caller closed the connection before the answer. A refusal that closes the connection
    // while the body still arrives counts as an answer, though its last bytes may not have been sent.
    const status = response.writableEnded || exchange.refusal ? response.statusCode : 499;
    this.httpMetrics.observe(method ?? '', route, status, durationMs);
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
    this.requestLog.record(exchange, method ?? '', route, status, durationMs);
  }
}
