import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/index.js';
import type { EndpointScope } from './endpoint-trail.js';
import { WebhookEndpoints } from './webhook-endpoints.service.js';

export interface EndpointHour {
  /** The beginning of the hour. */
  readonly hour: Date;
  readonly attempts: number;
  readonly delivered: number;
  readonly failedAttempts: number;
  readonly exhausted: number;
  readonly cancelled: number;
  readonly averageMs: number | null;
  readonly slowestMs: number;
}

export interface EndpointStatistics {
  readonly hours: readonly EndpointHour[];
  /** Deliveries that have not ended; counted up to the limit. */
  readonly waiting: number;
  readonly waitingSince: Date | null;
}

// More than this is "many" to whoever looks, and would take long to count.
export const COUNTED_UP_TO = 10_000;

/** How an endpoint has been doing. */
@Injectable()
export class EndpointStatisticsReader {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly endpoints: WebhookEndpoints,
  ) {}

  /** The last hours in which anything happened, the newest first, and what waits now. */
  async of(scope: EndpointScope, endpointId: string, hours: number): Promise<EndpointStatistics> {
    const { id } = await this.endpoints.get(scope, endpointId);
    return this.uow.read(scope.organisationId, async (db) => {
      const byHour: EndpointHour[] = await db.query(
        `SELECT hour, attempts, delivered, failed_attempts AS "failedAttempts", exhausted, cancelled,
           round(duration_ms::numeric / nullif(attempts, 0))::int AS "averageMs", slowest_ms AS "slowestMs"
         FROM webhook_endpoint_hours
         WHERE endpoint_id = $1 AND hour > now() - make_interval(hours => $2) ORDER BY hour DESC`,
        [id, hours],
      );
      const [backlog]: { waiting: number; since: Date | null }[] = await db.query(
        `SELECT count(*)::int AS waiting, min(created_at) AS since FROM (
           SELECT created_at FROM webhook_deliveries WHERE endpoint_id = $1 AND finished_at IS NULL
           ORDER BY wake_at LIMIT ${COUNTED_UP_TO}) d`,
        [id],
      );
      return { hours: byHour, waiting: backlog?.waiting ?? 0, waitingSince: backlog?.since ?? null };
    });
  }
}
