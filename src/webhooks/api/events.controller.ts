import { Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CurrentClient,
  cursorKeys,
  encodeCursor,
  forClient,
  Route,
  type ClientPrincipal,
} from '../../http/index.js';
import { EventFeed } from '../events/event-feed.service.js';
import { instantOf } from './calls.js';
import { FeedQuery, FeedView } from './event.dto.js';

@ApiTags('Events')
@Controller('events')
export class EventsController {
  constructor(private readonly feed: EventFeed) {}

  @Route.get('', forClient('events:read'), {
    summary: 'Fetch events in order, instead of or beside webhooks',
    description:
      'Every event of this application, in an order in which none is ever inserted later: keep `page.nextCursor`, ' +
      'come back with it, and nothing is missed. Events about erased persons are left out.',
    view: FeedView,
    errors: ['CURSOR_INVALID'],
  })
  async readEvents(
    @CurrentClient() { organisationId, id: clientAppId }: ClientPrincipal,
    @Query() { limit, cursor, since, types }: FeedQuery,
  ) {
    const keys = cursorKeys(cursor, 'integer', 'uuid');
    const after = keys && { position: keys[0], id: keys[1] };
    const from = { after, since: since === undefined || after ? null : instantOf(since) };
    const { events, next, hasMore } = await this.feed.read(
      { organisationId, clientAppId },
      from,
      types ?? null,
      limit,
    );
    return {
      data: events,
      page: { limit, nextCursor: encodeCursor([next.position, next.id]), hasMore },
      error: null,
    };
  }
}
