import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Equals, IsObject, IsOptional } from 'class-validator';
import { Field, IsText, PageQuery } from '../../../platform/http/index.js';
import { EXTRA_LIMITS } from '../domain/making/extras.js';
import type { SessionRequestByPublicIds } from '../domain/making/session-request.js';
import { EXPIRY_MINUTES } from '../domain/flow/flow.js';
import { sessionStatuses, type SessionStatus } from '../domain/session.js';

export const SESSION_PATH_ID = {
  name: 'id',
  example: 'kys_019364d0c0de7000a000000000000001',
  description: 'The reference of the session (`kys_`), or its id (`ses_`).',
} as const;

const FLOW_KEY = {
  max: 63,
  pattern: /^[a-z0-9][a-z0-9-]{1,62}$/,
  form: 'small letters, digits and hyphens',
};
const SESSION_ID = { max: 64, pattern: /^(ses|kys)_[A-Za-z0-9_-]{20,60}$/, form: 'the id of a session' };

/** The customer and the flow of a new session. */
export class NewSessionBody implements SessionRequestByPublicIds {
  @Field.text('`onboarding-pf`, `step-up` or a flow of the organisation.', {
    ...FLOW_KEY,
    example: 'onboarding-pf',
  })
  flowKey: string;

  @Field.text("The integrator's own id.", { optional: true, maxLength: 128, example: 'customer-4711' })
  externalCustomerId?: string;

  @Field.id(
    'cus',
    'A customer that is known, instead of `externalCustomerId`. Without either a new one is made.',
    { form: 'an id such as cus_0193…', optional: true },
  )
  customerId?: string;

  @Field.integer('How long the link lives; what the flow says when left out.', {
    min: EXPIRY_MINUTES.min,
    max: EXPIRY_MINUTES.max,
    optional: true,
  })
  expiresInMinutes?: number;

  @Field.text('The session that this is another attempt of; it must be over. Its customer is kept.', {
    ...SESSION_ID,
    optional: true,
  })
  previousSessionId?: string;

  @Field.text('Where the page leads when everything is sent; one of those that the application has listed.', {
    optional: true,
    maxLength: EXTRA_LIMITS.url,
    example: 'https://loja.example/cadastro/fim',
  })
  redirectUrl?: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: EXTRA_LIMITS.metadataValue },
    maxProperties: EXTRA_LIMITS.metadataKeys,
    example: { order: '4711' },
    description: 'Your own notes, given back with the session, and in no event. No personal data.',
  })
  @IsOptional()
  @IsObject()
  metadata?: Record<string, string>;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    example: { name: 'Maria Exemplo' },
    description:
      'Answers that you know already, as in `userData`. The person need not give them, and is not shown them.',
  })
  @IsOptional()
  @IsObject()
  prefill?: Record<string, unknown>;
}

export class NewOperatorSessionBody extends NewSessionBody {
  @Field.text(
    "Client id of the application that gets the events; the customer's, or the first, when left out.",
    { optional: true, maxLength: 128 },
  )
  clientId?: string;
}

export class SessionsQuery extends PageQuery {
  @Field.enum(sessionStatuses, 'Only those with this status.', { optional: true }) status?: SessionStatus;

  @Field.id('cus', 'Only those of this customer.', { form: 'an id such as cus_0193…', optional: true })
  customerId?: string;

  @Field.text('Only those through this flow.', { ...FLOW_KEY, example: 'onboarding-pf', optional: true })
  flowKey?: string;
}

export class SessionLanguageQuery {
  @ApiPropertyOptional({
    enum: ['pt-BR', 'en', 'es'],
    description: 'Language of the texts. Without it `Accept-Language` decides; Portuguese when nothing fits.',
  })
  @IsOptional()
  @IsText({ max: 35 })
  lang?: string;
}

/** The person's consent to reuse an earlier verification. */
export class ReuseBody {
  @ApiProperty({
    type: Boolean,
    enum: [true],
    description: 'The person agrees that the earlier verification is used.',
  })
  @Equals(true)
  consent: true;
}

/** The answers, keyed by id of the field, the question or the consent step. */
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
