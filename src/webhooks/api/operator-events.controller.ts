import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ApiData,
  ApiErrors,
  ApiPage,
  CurrentOperator,
  cursorKeys,
  envelope,
  ForOperator,
  page,
  type OperatorPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
import { uuidIn } from '../../kernel/index.js';
import { EventFeed } from '../event-feed.service.js';
import { EventDetailView, EventQuery, EventView } from './event.dto.js';

@ApiTags('Events')
@Controller('operator/events')
export class OperatorEventsController {
  constructor(private readonly feed: EventFeed) {}

  @Get()
  @ForOperator('webhooks:read')
  @ApiErrors('APP_NOT_FOUND')
  @ApiOperation({ operationId: 'listEvents', summary: 'List the events of an application, the newest first' })
  @ApiPage(EventView)
  async list(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Query() { limit, cursor, type, clientAppId }: EventQuery,
  ): Promise<Page<EventView>> {
    const keys = cursorKeys(cursor, 'integer', 'uuid');
    const before = keys && { position: keys[0], id: keys[1] };
    const filter = { type, clientAppId: uuidIn('app', clientAppId, 'APP_NOT_FOUND') };
    const rows = await this.feed.page(organisationId, filter, before, limit);
    return page(
      rows,
      limit,
      (row) => [row.position, row.id],
      (row) => EventView.of(row),
    );
  }

  @Get(':id')
  @ForOperator('webhooks:read')
  @ApiErrors('EVENT_NOT_FOUND')
  @ApiOperation({ operationId: 'getEvent', summary: 'Read an event with its content' })
  @ApiData(EventDetailView)
  async read(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Param('id') id: string,
  ): Promise<Success<EventDetailView>> {
    const { event, envelope: content } = await this.feed.get(
      organisationId,
      uuidIn('evt', id, 'EVENT_NOT_FOUND'),
    );
    return envelope(EventDetailView.from(event, content));
  }
}
