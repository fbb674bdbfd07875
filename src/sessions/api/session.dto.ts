import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsObject, IsOptional, Max, Min } from 'class-validator';
import { IsText, PageQuery } from '../../http/index.js';
import { EXPIRY_MINUTES } from '../domain/flow.js';
import { sessionStatuses, type SessionStatus } from '../domain/session.js';

const FLOW_KEY = {
  max: 63,
  pattern: /^[a-z0-9][a-z0-9-]{1,62}$/,
  form: 'small letters, digits and hyphens',
};
const CUSTOMER_ID = { max: 36, pattern: /^cus_[0-9a-f]{32}$/, form: 'an id such as cus_0193…' };
const SESSION_ID = { max: 64, pattern: /^(ses|kys)_[A-Za-z0-9_-]{20,60}$/, form: 'the id of a session' };

/** Whose session, and through which flow. */
export class NewSessionBody {
  @ApiProperty({
    example: 'onboarding-pf',
    description: '`onboarding-pf`, `step-up` or a flow of the organisation.',
  })
  @IsText(FLOW_KEY)
  flowKey: string;

  @ApiPropertyOptional({ maxLength: 128, example: 'customer-4711', description: "The integrator's own id." })
  @IsOptional()
  @IsText({ max: 128 })
  externalCustomerId?: string;

  @ApiPropertyOptional({
    description:
      'A customer that is known, instead of `externalCustomerId`. Without either a new one is made.',
  })
  @IsOptional()
  @IsText(CUSTOMER_ID)
  customerId?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: EXPIRY_MINUTES.min,
    maximum: EXPIRY_MINUTES.max,
    description: 'How long the link lives; what the flow says when left out.',
  })
  @IsOptional()
  @IsInt()
  @Min(EXPIRY_MINUTES.min)
  @Max(EXPIRY_MINUTES.max)
  expiresInMinutes?: number;

  @ApiPropertyOptional({
    description: 'The session that this is another attempt of; it must be over. Its customer is kept.',
  })
  @IsOptional()
  @IsText(SESSION_ID)
  previousSessionId?: string;
}

export class NewOperatorSessionBody extends NewSessionBody {
  @ApiPropertyOptional({
    maxLength: 128,
    description:
      "Client id of the application that gets the events; the customer's, or the first, when left out.",
  })
  @IsOptional()
  @IsText({ max: 128 })
  clientId?: string;
}

export class SessionsQuery extends PageQuery {
  @ApiPropertyOptional({ enum: sessionStatuses })
  @IsOptional()
  @IsIn(sessionStatuses)
  status?: SessionStatus;

  @ApiPropertyOptional({ description: 'Only those of this customer.' })
  @IsOptional()
  @IsText(CUSTOMER_ID)
  customerId?: string;

  @ApiPropertyOptional({ description: 'Only those through this flow.' })
  @IsOptional()
  @IsText(FLOW_KEY)
  flowKey?: string;
}

export class LanguageQuery {
  @ApiPropertyOptional({
    enum: ['pt-BR', 'en', 'es'],
    description: 'Language of the texts. Without it `Accept-Language` decides; Portuguese when nothing fits.',
  })
  @IsOptional()
  @IsText({ max: 35 })
  lang?: string;
}

/** What was answered, by the id of the field, the question or the consent step. */
export class UserDataBody {
  @ApiProperty({
    type: 'object',
    additionalProperties: {
      oneOf: [{ type: 'string' }, { type: 'boolean' }, { type: 'array', items: { type: 'string' } }],
    },
    example: {
      name: 'Maria Exemplo',
      cpf: '529.982.247-25',
      selfie_url: 'art_019364d0c0de7000a000000000000001',
    },
    description:
      'Known keys are the fields, questions and consent steps of the flow, and always `name`, `cpf` and `selfie_url` (the ' +
      'id of an artifact of this session; never fetched).',
  })
  @IsObject()
  userData: Record<string, unknown>;
}
