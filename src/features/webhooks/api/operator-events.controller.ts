import { Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CurrentOperator,
  cursorKeys,
  envelope,
  forOperator,
  page,
  Route,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { requireUuid } from '../../../platform/kernel/index.js';
import { EventFeedService } from '../events/event-feed.service.js';
import { EventDetailView, EventQuery, EventView } from './event.dto.js';

@ApiTags('Events')
@Controller('operator/events')
export class OperatorEventsController {
  constructor(private readonly feed: EventFeedService) {}

  @Route.get('', forOperator('webhooks:read'), {
    summary: 'List the events of an application, the newest first',
    description: 'Filtered by type and time. Each is delivered to every endpoint that wants its type.',
    page: [EventView, 'One page of events.'],
    errors: ['APP_NOT_FOUND'],
  })
  async listEvents(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Query() { limit, cursor, type, clientAppId }: EventQuery,
  ) {
    const keys = cursorKeys(cursor, 'integer', 'uuid');
    const before = keys && { position: keys[0], id: keys[1] };
    const filter = { type, clientAppId: requireUuid('app', clientAppId, 'APP_NOT_FOUND') };
    const rows = await this.feed.page(organisationId, filter, before, limit);
    return page(
      rows,
      limit,
      (row) => [Number(row.position), row.id],
      (row) => EventView.of(row),
    );
  }

  @Route.get(':id', forOperator('webhooks:read'), {
    summary: 'Read an event with its content',
    description: 'The bytes that were signed and sent, and the deliveries of the event.',
    params: [
      { name: 'id', description: 'The id of the event.', example: 'evt_019364d0c0de7000a000000000000001' },
    ],
    data: [EventDetailView, 'The event.'],
    errors: ['EVENT_NOT_FOUND'],
  })
  async getEvent(@CurrentOperator() { organisationId }: OperatorPrincipal, @Param('id') id: string) {
    const { event, envelope: content } = await this.feed.get(
      { organisationId },
      requireUuid('evt', id, 'EVENT_NOT_FOUND'),
    );
    return envelope(EventDetailView.from(event, content));
  }
}
