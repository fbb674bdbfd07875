import { Controller, Headers, Query, Res } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentOperator, forOperator, Route, type OperatorPrincipal } from '../../../platform/http/index.js';
import { uuidInFilter } from '../../../platform/kernel/index.js';
import { ChangeStreamsService } from '../live/change-streams.service.js';
import { StreamQuery } from './stream.dto.js';

/** Server-sent events of changes, as they happen. */
@ApiTags('Workspace')
@Controller('operator')
export class StreamController {
  constructor(private readonly streams: ChangeStreamsService) {}

  @Route.get('stream', forOperator(), {
    summary: 'What changes, as it happens: server-sent events',
    description:
      'Events `change` (`type`, `id`, `action`, `at`; of a case also `status` and `assigneeId`), `badges` (as ' +
      '`GET /operator/counts`), `ready`, `beat` every 15 seconds, `reset` (too much was missed: read the screen anew) and ' +
      '`end` with a reason. Come back with `Last-Event-ID`, to any process: nothing is left out in between. A change is ' +
      'told about a second after its commit, and only to who may read what changed. The stream ends with the access token.',
    errors: ['OVERLOADED'],
    file: ['text/event-stream', 'Events, until the stream ends.'],
  })
  @ApiHeader({ name: 'authorization', description: 'The access token, as `Bearer …`.' })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'The id of the last event that was seen.',
  })
  async streamChanges(
    @CurrentOperator() operator: OperatorPrincipal,
    @Query() { topics, case: caseId }: StreamQuery,
    @Headers('authorization') authorization: string,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const listening = {
      topics: new Set(topics),
      caseId: uuidInFilter('rev', caseId, 'case') ?? null,
    };
    const token = authorization.replace(/^bearer /i, '');
    await this.streams.open(operator, token, listening, placeIn(lastEventId), response);
  }
}

/** Parses an event id into a log position; null if the text is not an event id. */
function placeIn(id: string | undefined): number | null {
  return id !== undefined && /^\d{1,15}$/.test(id) ? Number(id) : null;
}
