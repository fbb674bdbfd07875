import { PartialType } from '@nestjs/swagger';
import { Field, PageQuery } from '../../../platform/http/index.js';
import { eventTypes, type EventType } from '../events.dto.js';

const ORDERINGS = ['none', 'per_resource'] as const;
const STATUSES = ['ACTIVE', 'PAUSED', 'DISABLED'] as const;
const DAY_SECONDS = 86_400;

export class CreateEndpointBody {
  @Field.text('Where events are sent to. https, a public host, port 443, 80 or one from 1024 upwards.', {
    defined: true,
    maxLength: 2_048,
    example: 'https://hooks.example.com/vigia',
  })
  url: string;

  @Field.enums(eventTypes, 'What it receives; every type when left out. An unknown type is refused.', {
    optional: true,
  })
  eventTypes?: EventType[];

  @Field.enum(
    ORDERINGS,
    'per_resource: an event is sent only when every earlier one of the same transaction, session or customer has ' +
      'been delivered or given up. A receiver that fails on one event then waits for the rest of that resource.',
    { optional: true, default: 'none' },
  )
  ordering?: 'none' | 'per_resource';

  @Field.text('What the endpoint is for, in words.', {
    optional: true,
    nullable: true,
    maxLength: 256,
    example: 'Core banking, production',
  })
  description?: string | null;
}

export class OperatorCreateEndpointBody extends CreateEndpointBody {
  @Field.id('app', 'Whose events it receives.', {
    form: 'the id of an application, app_…',
    defined: true,
    example: 'app_01999e8e7c5b7d0f9a3c5f2d1b4e6a11',
  })
  clientAppId: string;
}

/** The changes to an endpoint. Omitted fields keep their values. */
export class ChangeEndpointBody extends PartialType(CreateEndpointBody) {}

export class PauseEndpointBody {
  @Field.text('The reason, in your own words.', {
    optional: true,
    maxLength: 256,
    example: 'maintenance until Monday',
  })
  reason?: string;
}

export class DisableEndpointBody {
  @Field.text('The reason, in your own words.', {
    defined: true,
    maxLength: 256,
    example: 'replaced by the endpoint of the new system',
  })
  reason: string;
}

export class RotateEndpointSecretBody {
  @Field.integer(
    'How long the present secret goes on signing beside the new one; 0 ends it within a second.',
    { min: 0, max: 7 * DAY_SECONDS, optional: true, default: DAY_SECONDS },
  )
  overlapSeconds: number = DAY_SECONDS;
}

export class TestEventBody {
  @Field.enum(eventTypes, 'Also one that the endpoint is not subscribed to.', {
    optional: true,
    default: 'session.completed',
  })
  type: EventType = 'session.completed';
}

export class RecoverBody {
  @Field.instant('Events from this time on.', { defined: true, example: '2026-11-20T00:00:00Z' })
  since: string;

  @Field.instant('Events before this time; now when left out.', {
    optional: true,
    example: '2026-11-20T12:00:00Z',
  })
  until?: string;

  @Field.enums(eventTypes, 'Only these; all that the endpoint is subscribed to when left out.', {
    optional: true,
  })
  types?: EventType[];

  @Field.flag('Only count what would be sent.', { optional: true, default: false }) dryRun = false;
}

export class EndpointQuery extends PageQuery {
  @Field.enum(STATUSES, 'Only those with this status.', { optional: true })
  status?: (typeof STATUSES)[number];
}

export class OperatorEndpointQuery extends EndpointQuery {
  @Field.id('app', 'Only those of this client application.', {
    form: 'the id of an application, app_…',
    optional: true,
    example: 'app_01999e8e7c5b7d0f9a3c5f2d1b4e6a11',
  })
  clientAppId?: string;
}

export class StatisticsQuery {
  @Field.integer('How many hours to look back.', { min: 1, max: 720, url: true, optional: true, default: 24 })
  hours = 24;
}
