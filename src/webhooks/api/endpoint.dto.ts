import { ApiProperty, ApiPropertyOptional, PartialType, PickType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsDefined,
  IsIn,
  IsInt,
  IsOptional,
  Max,
  Min,
  ValidateIf,
} from 'class-validator';
import { IsInstant, IsText, PageQuery, UrlNumber } from '../../http/index.js';
import { eventTypes, type EventType } from '../domain/event.js';

const ORDERINGS = ['none', 'per_resource'] as const;
const STATUSES = ['ACTIVE', 'PAUSED', 'DISABLED'] as const;
const DAY_SECONDS = 86_400;
const APP_ID = /^app_[0-9a-f]{32}$/;

/** A new endpoint of the calling application. */
export class CreateEndpointBody {
  @ApiProperty({
    maxLength: 2_048,
    example: 'https://hooks.example.com/vigia',
    description: 'Where events are sent to. https, a public host, port 443, 80 or one from 1024 upwards.',
  })
  @IsDefined()
  @IsText({ max: 2_048 })
  url: string;

  @ApiPropertyOptional({
    enum: eventTypes,
    isArray: true,
    minItems: 1,
    description: 'What it receives; all six when left out. An unknown type is refused.',
  })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(eventTypes.length)
  @ArrayUnique()
  @IsIn(eventTypes, { each: true })
  eventTypes?: EventType[];

  @ApiPropertyOptional({
    enum: ORDERINGS,
    default: 'none',
    description:
      'per_resource: an event is sent only when every earlier one of the same transaction, session or customer has ' +
      'been delivered or given up. A receiver that fails on one event then waits for the rest of that resource.',
  })
  @IsOptional()
  @IsIn(ORDERINGS)
  ordering?: 'none' | 'per_resource';

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: 256, example: 'Core banking, production' })
  @ValidateIf((_, value: unknown) => value !== undefined && value !== null)
  @IsText({ max: 256 })
  description?: string | null;
}

/** A new endpoint of one of the organisation's applications. */
export class OperatorCreateEndpointBody extends CreateEndpointBody {
  @ApiProperty({ example: 'app_01999e8e7c5b7d0f9a3c5f2d1b4e6a11', description: 'Whose events it receives.' })
  @IsDefined()
  @IsText({ max: 36, pattern: APP_ID, form: 'the id of an application, app_…' })
  clientAppId: string;
}

/** What is to change; what is left out stays. */
export class ChangeEndpointBody extends PartialType(
  PickType(CreateEndpointBody, ['url', 'eventTypes', 'ordering', 'description'] as const),
) {}

export class PauseEndpointBody {
  @ApiPropertyOptional({ maxLength: 256, example: 'maintenance until Monday' })
  @IsOptional()
  @IsText({ max: 256 })
  reason?: string;
}

export class DisableEndpointBody {
  @ApiProperty({ maxLength: 256, example: 'replaced by the endpoint of the new system' })
  @IsDefined()
  @IsText({ max: 256 })
  reason: string;
}

export class RotateSecretBody {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: 7 * DAY_SECONDS,
    default: DAY_SECONDS,
    description: 'How long the present secret goes on signing beside the new one; 0 ends it within a second.',
  })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(7 * DAY_SECONDS)
  overlapSeconds: number = DAY_SECONDS;
}

export class TestEventBody {
  @ApiPropertyOptional({
    enum: eventTypes,
    default: 'session.completed',
    description: 'Also one that the endpoint is not subscribed to.',
  })
  @IsOptional()
  @IsIn(eventTypes)
  type: EventType = 'session.completed';
}

export class RecoverBody {
  @ApiProperty({
    format: 'date-time',
    example: '2026-11-20T00:00:00Z',
    description: 'Events from this time on.',
  })
  @IsDefined()
  @IsInstant()
  since: string;

  @ApiPropertyOptional({
    format: 'date-time',
    example: '2026-11-20T12:00:00Z',
    description: 'Events before this time; now when left out.',
  })
  @IsOptional()
  @IsInstant()
  until?: string;

  @ApiPropertyOptional({
    enum: eventTypes,
    isArray: true,
    minItems: 1,
    description: 'Only these; all that the endpoint is subscribed to when left out.',
  })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(eventTypes.length)
  @ArrayUnique()
  @IsIn(eventTypes, { each: true })
  types?: EventType[];

  @ApiPropertyOptional({ type: Boolean, default: false, description: 'Only count what would be sent.' })
  @IsOptional()
  @IsBoolean()
  dryRun = false;
}

export class EndpointQuery extends PageQuery {
  @ApiPropertyOptional({ enum: STATUSES })
  @IsOptional()
  @IsIn(STATUSES)
  status?: (typeof STATUSES)[number];
}

export class OperatorEndpointQuery extends EndpointQuery {
  @ApiPropertyOptional({ example: 'app_01999e8e7c5b7d0f9a3c5f2d1b4e6a11' })
  @IsOptional()
  @IsText({ max: 36, pattern: APP_ID, form: 'the id of an application, app_…' })
  clientAppId?: string;
}

export class StatisticsQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 720, default: 24 })
  @IsOptional()
  @UrlNumber()
  @IsInt()
  @Min(1)
  @Max(720)
  hours = 24;
}
