import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Settings } from '../../config/index.js';
import { system, UnitOfWork } from '../../database/index.js';
import { Clock, firstUuidAt, newUuid, uuidOf } from '../../kernel/index.js';
import { Periodic } from '../../schedule/index.js';
import { MetricsRegistry } from '../../telemetry/index.js';
import type { Exchange } from '../requests/exchange.js';
import {
  forgetRequests,
  insertRequests,
  readRequests,
  SWEPT_AT_ONCE,
  type LoggedRequest,
} from '../store/request-log.statements.js';
import { bundlesOf } from './request-bundles.js';
import { formatFaults, fieldPathsOf } from './request-shape.js';

const FLUSH_MS = 1_000;
const HOUR_MS = 3_600_000;
const RETENTION_MS = 30 * 24 * HOUR_MS;
const MAX_AT_ONCE = 1_000;
/** Maximum number of requests in memory while the database is unavailable; others are counted and not logged. */
const MAX_WAITING = 20_000;

export interface RequestFilter {
  readonly requestId?: string | undefined;
  readonly route?: string | undefined;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/**
 * Logs the requests of applications for 30 days, for their integrators. Of a body only the names of its fields are
 * stored. The log is written once a second, and no answer waits for it.
 */
@Injectable()
export class RequestLog implements BeforeApplicationShutdown {
  private waitingRequests: LoggedRequest[] = [];
  /** Number of waiting requests in a write that has begun and has not succeeded yet. */
  private underWay = 0;
  private readonly droppedCounter: Counter;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly settings: Settings,
    private readonly clock: Clock,
    metrics: MetricsRegistry,
  ) {
    this.droppedCounter = new Counter({
      name: 'vigia_request_log_dropped_total',
      help: 'Requests that are missing in the request log, because the database was away for too long.',
      registers: [metrics.registry],
    });
  }

  /** Queues an answered request for the log. A request without a known application is not logged. */
  record(exchange: Exchange, method: string, route: string, status: number, durationMs: number): void {
    const { client, context, ownId, body, bytesIn, refusal } = exchange;
    if (!client || !this.settings.requestLog) return;
    if (this.waitingRequests.length >= MAX_WAITING) {
      this.droppedCounter.inc();
      return;
    }
    const { requestId, correlationId } = context;
    this.waitingRequests.push({
      id: ownId ?? newUuid(),
      organisationId: client.organisationId,
      clientAppId: client.id,
      requestId: ownId === null ? requestId : null,
      correlationId: correlationId === requestId ? null : correlationId,
      ...{ method, route, status, durationMs, bytesIn },
      code: refusal?.code ?? null,
      fields: fieldPathsOf(body),
      faults: formatFaults(refusal?.details ?? []),
    });
  }

  @Periodic({ everyMs: FLUSH_MS, otherwise: 'requests are not in their log yet', runsIn: 'every process' })
  async flush(): Promise<void> {
    while (this.waitingRequests.length > 0) {
      // A write that failed may have been committed: it is repeated with the same rows, which are then there once.
      this.underWay ||= Math.min(this.waitingRequests.length, MAX_AT_ONCE);
      const requests = this.waitingRequests.slice(0, this.underWay);
      await this.uow.write(
        [...new Set(requests.map(({ organisationId }) => organisationId))],
        ...insertRequests(bundlesOf(requests)),
      );
      this.waitingRequests = this.waitingRequests.slice(requests.length);
      this.underWay = 0;
    }
  }

  @Periodic({ everyMs: HOUR_MS, otherwise: 'old requests stay in their log', runsIn: 'workers' })
  async sweep(): Promise<void> {
    const before = new Date(this.clock.now() - RETENTION_MS);
    for (let gone = SWEPT_AT_ONCE; gone >= SWEPT_AT_ONCE;) {
      gone = await this.uow.run(system('http.request-log-sweep'), (tx) => forgetRequests(tx, before));
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    // If the database is unavailable, the requests in memory are lost.
    await this.flush().catch(() => undefined);
  }

  /** Returns up to `limit` requests of an application with an id below `before`, the newest first. */
  async page(
    { organisationId, clientAppId }: { readonly organisationId: string; readonly clientAppId: string },
    { requestId, route, status, code, since, until }: RequestFilter,
    before: string | null,
    limit: number,
  ): Promise<LoggedRequest[]> {
    const filter = {
      ...{ organisationId, clientAppId },
      below: lowest(before, until ? firstUuidAt(until) : null),
      least: since ? firstUuidAt(since) : null,
      requestId: requestId ?? null,
      ownId: requestId === undefined ? null : uuidOf('req', requestId),
      ...{ route: route ?? null, status: status ?? null, code: code ?? null },
    };
    return this.uow.read(organisationId, (db) => readRequests(db, filter, limit));
  }
}

const lowest = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && other < one) ? other : one;
