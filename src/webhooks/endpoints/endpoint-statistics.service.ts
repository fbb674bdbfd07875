import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/index.js';
import type { EndpointScope } from './endpoint-trail.js';
import { backlogOf, MAX_COUNTED, hoursOf, type EndpointHour } from '../store/endpoint-hour.statements.js';
import { WebhookEndpoints } from './webhook-endpoints.service.js';

export { MAX_COUNTED, type EndpointHour };

export interface EndpointStatistics {
  readonly hours: readonly EndpointHour[];
  /** Deliveries that have not ended; counted up to the limit. */
  readonly waiting: number;
  readonly waitingSince: Date | null;
}

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
      const { waiting, since } = await backlogOf(db, id);
      return { hours: await hoursOf(db, id, hours), waiting, waitingSince: since };
    });
  }
}
