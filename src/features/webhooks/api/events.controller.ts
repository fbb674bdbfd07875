import { Controller, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import {
  CurrentClient,
  cursorKeys,
  encodeCursor,
  envelope,
  forClient,
  Route,
  type ClientPrincipal,
} from '../../../platform/http/index.js';
import { requireUuid } from '../../../platform/kernel/index.js';
import { EventFeedService, feedCursor, feedCursorOf } from '../events/event-feed.service.js';
import { instantOf } from './calls.js';
import { FeedQuery, FeedView, OneEventView } from './event.dto.js';

@ApiTags('Events')
@Controller('events')
export class EventsController {
  constructor(private readonly feed: EventFeedService) {}

  @Route.get('', forClient('events:read'), {
    summary: 'Fetch events in order, instead of or beside webhooks',
    description:
      'Every event of this application, in an order in which none is ever inserted later: keep `page.nextCursor`, ' +
      'come back with it, and nothing is missed. With `wait` the answer at the end comes with the next event. With ' +
      '`order=desc` the newest come first. After a restore of the database a cursor beyond its point is refused with ' +
      'FEED_REWOUND. Events about erased persons are left out.',
    view: [FeedView, 'The events, with the cursor of what follows.'],
    errors: ['CURSOR_INVALID', 'FEED_REWOUND'],
  })
  async readEvents(
    @CurrentClient() { organisationId, id: clientAppId }: ClientPrincipal,
    @Query() query: FeedQuery,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { limit, since, wait } = query;
    const owner = { organisationId, clientAppId };
    if (query.order === 'desc') return this.readNewest(owner, query);
    const after = feedCursorOf(query.cursor);
    const from = { after, since: since === undefined || after ? null : instantOf(since) };
    const timeout = wait === undefined ? null : AbortSignal.timeout(wait);
    const callerGone = new AbortController();
    // Ends the wait when the client disconnects.
    if (timeout) {
      response.once('close', () => {
        callerGone.abort();
      });
    }
    const types = query.types ?? null;
    const { events, next, hasMore } = await this.feed.read(
      owner,
      from,
      types,
      limit,
      timeout && AbortSignal.any([timeout, callerGone.signal]),
    );
    return {
      data: events,
      page: { limit, nextCursor: feedCursor(next), hasMore },
      error: null,
    };
  }

  @Route.get(':id', forClient('events:read'), {
    summary: 'Read one event',
    description: 'As webhooks carry it. One of another application is answered like one that never existed.',
    params: [
      { name: 'id', description: 'The id of the event.', example: 'evt_01999e8e7c5b7d0f9a3c5f2d1b4e6a80' },
    ],
    view: [OneEventView, 'The event.'],
    errors: ['EVENT_NOT_FOUND'],
  })
  async readEvent(
    @CurrentClient() { organisationId, id: clientAppId }: ClientPrincipal,
    @Param('id') id: string,
  ) {
    const eventDetail = await this.feed.get(
      { organisationId, clientAppId },
      requireUuid('evt', id, 'EVENT_NOT_FOUND'),
    );
    return envelope(eventDetail.envelope);
  }

  private async readNewest(
    owner: { readonly organisationId: string; readonly clientAppId: string },
    { limit, cursor, types }: FeedQuery,
  ): Promise<FeedView> {
    // In the reverse order of a feed cursor, so that neither kind of cursor is accepted as the other.
    const keys = cursorKeys(cursor, 'uuid', 'integer');
    const before = keys && { id: keys[0], position: keys[1] };
    const { events, last } = await this.feed.listNewestEvents(owner, types ?? null, before, limit);
    const nextCursor = last && encodeCursor([last.id, last.position]);
    return { data: events, page: { limit, nextCursor, hasMore: last !== null }, error: null };
  }
}
