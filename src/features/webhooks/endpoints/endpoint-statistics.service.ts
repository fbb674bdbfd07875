import { Injectable } from '@nestjs/common';
import { Raw } from 'typeorm';
import { UnitOfWork } from '../../../platform/database/index.js';
import type { EndpointScope } from '../domain/endpoint-scope.js';
import { readDurations, MAX_TIMED_ATTEMPTS } from '../store/attempt.statements.js';
import { countBacklog, MAX_COUNTED } from '../store/endpoint-backlog.statements.js';
import { successRateOf, WebhookEndpointHourEntity } from '../store/entities.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

/** The attempt counts of an endpoint for one hour; `hour` is its start. */
export type EndpointHour = WebhookEndpointHourEntity;

export { MAX_COUNTED, MAX_TIMED_ATTEMPTS, successRateOf };

export interface EndpointStatistics {
  readonly hours: readonly EndpointHour[];
  /** The number of unfinished deliveries, counted up to MAX_COUNTED. */
  readonly waiting: number;
  readonly waitingSince: Date | null;
  /** Durations of the newest attempts, in milliseconds; null if there were no attempts. */
  readonly durations: {
    readonly attempts: number;
    readonly p50: number | null;
    readonly p95: number | null;
    readonly p99: number | null;
  };
}

@Injectable()
export class EndpointStatisticsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly endpoints: WebhookEndpointsService,
  ) {}

  /** The newest `hours` hours that have attempts, the newest first, and the current backlog. */
  async readStatistics(scope: EndpointScope, endpointId: string, hours: number): Promise<EndpointStatistics> {
    const { id } = await this.endpoints.get(scope, endpointId);
    return this.uow.read(scope.organisationId, async (db) => {
      const { waiting, since } = await countBacklog(db, id);
      const within = Raw((hour) => `${hour} > now() - make_interval(hours => :hours)`, { hours });
      const rows = await db.find(WebhookEndpointHourEntity, {
        where: { endpointId: id, hour: within },
        order: { hour: 'DESC' },
      });
      const durations = await readDurations(db, id, hours);
      return { hours: rows, waiting, waitingSince: since, durations };
    });
  }
}
