import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsArray, IsInt, IsObject, IsOptional, IsString } from 'class-validator';
import { Field, View, viewOf } from '../../../../platform/http/index.js';
import { publicId } from '../../../../platform/kernel/index.js';
import { defaultFlows } from '../../domain/flow/default-flows.js';
import {
  checkNames,
  codeChannels,
  EXPIRY_MINUTES,
  flowSubjects,
  peopleRoles,
  stepTypes,
  type CheckName,
  type FlowStep,
} from '../../domain/flow/flow.js';
import { LIMITS } from '../../domain/flow/flow-validator.js';
import type { FlowVersion } from '../../domain/records.js';

const LOCALISED = {
  type: 'object',
  properties: { 'pt-BR': { type: 'string' }, en: { type: 'string' }, es: { type: 'string' } },
  required: ['pt-BR'],
  additionalProperties: false,
  example: { 'pt-BR': 'Cadastro', en: 'Onboarding', es: 'Registro' },
} as const;

const PEOPLE = {
  type: 'object',
  required: ['as'],
  properties: {
    as: { type: 'string', enum: peopleRoles, description: 'Who the items are to the company.' },
    session: {
      type: 'object',
      description: 'The session that each of them is sent; `required`: the company waits for their approval.',
      required: ['flowKey', 'required'],
      properties: { flowKey: { type: 'string' }, required: { type: 'boolean' } },
    },
  },
} as const;

// All members of all step types, so that the compiler reports one that is missing below.
type StepMember = FlowStep extends infer Step ? (Step extends FlowStep ? keyof Step : never) : never;

// docs/sessions.md lists the fields of each type of step; errors name their exact paths.
const STEP = {
  type: 'object',
  required: ['id', 'type', 'title', 'required'],
  properties: {
    id: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_]{0,39}$' },
    type: { type: 'string', enum: stepTypes },
    title: LOCALISED,
    required: { type: 'boolean' },
    showIf: { type: 'object' },
    when: { type: 'string' },
    text: LOCALISED,
    noticeVersion: { type: 'string' },
    fields: { type: 'array', items: { type: 'object' } },
    questions: { type: 'array', items: { type: 'object' } },
    acceptedDocuments: { type: 'array', items: { type: 'object' } },
    itemTitle: LOCALISED,
    min: { type: 'integer', minimum: 0, maximum: LIMITS.groupItems },
    max: { type: 'integer', minimum: 1, maximum: LIMITS.groupItems },
    people: PEOPLE,
    channel: { type: 'string', enum: codeChannels },
    to: { type: 'string' },
  } satisfies Record<StepMember, object>,
} as const;

const exampleSteps = (defaultFlows['step-up']?.steps ?? []).slice(0, 2);

/** A flow as the client sends it. The domain validates its content and reports every problem with its path. */
export class FlowBody {
  @ApiProperty({ ...LOCALISED, description: 'What people see as the name of the flow.' } as object)
  @IsObject()
  name: object;

  @ApiProperty({
    type: 'integer',
    minimum: EXPIRY_MINUTES.min,
    maximum: EXPIRY_MINUTES.max,
    example: EXPIRY_MINUTES.default,
    description: 'How long a link lives unless its maker says otherwise.',
  })
  @IsInt()
  expiresInMinutes: number;

  @ApiProperty({
    description: 'The least age in years; null for none.',
    type: 'integer',
    minimum: 0,
    maximum: 120,
    example: 18,
  })
  @IsInt()
  minimumAge: number;

  @ApiProperty({ type: 'array', items: STEP, minItems: 1, maxItems: 20, example: exampleSteps } as object)
  @IsArray()
  steps: object[];

  @ApiProperty({
    enum: checkNames,
    isArray: true,
    example: ['TAX_ID', 'LISTS'],
    description: 'Evidence without which a result is not defensible.',
  })
  @IsArray()
  requiredChecks: CheckName[];

  @ApiPropertyOptional({ enum: flowSubjects, description: 'PERSON when left out.' })
  @IsOptional()
  @IsString()
  subject?: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'string' } },
    example: { DOCUMENT: ['acme-id', 'backup-id'] },
    description: 'The providers that are asked for a check, by name and in this order.',
  })
  @IsOptional()
  @IsObject()
  providers?: object;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'object' },
    description: 'Findings that ask for a step again: `{ check, reason?, step, message }`.',
  })
  @IsOptional()
  @IsArray()
  resubmitOn?: object[];
}

/** An earlier version to restore, and why. */
export class FormerFlowBody {
  @Field.integer('The version of the flow.', { min: 1, max: 1_000_000, example: 1 }) version: number;
  @Field.string('The reason, in your own words.', {
    minLength: 10,
    maxLength: 2000,
    example: 'The new version asks too much.',
  })
  reason: string;
}

/** The next version of a flow, and why. */
export class NextFlowBody extends FlowBody {
  @Field.string('The reason, in your own words.', {
    minLength: 10,
    maxLength: 2000,
    example: 'The notice of privacy has a new version.',
  })
  reason: string;
}

export class NewFlowBody extends NextFlowBody {
  @Field.text('How sessions and rules call it.', {
    max: 63,
    pattern: /^[a-z0-9][a-z0-9-]{1,62}$/,
    form: 'small letters, digits and hyphens',
    example: 'onboarding-pj',
  })
  key: string;
}

export class FlowView {
  @View.id('flw', 'Of this version.') id: string;
  @View.text('The key of the flow, which never changes.', { example: 'onboarding-pf' }) key: string;
  @View.integer('The version of the flow.', { example: 1 }) version: number;
  @View.object(FlowBody, 'The whole definition of the flow, as it was written.') definition: unknown;
  @View.text('SHA-256 of the canonical JSON of the definition, in hexadecimal.') contentHash: string;
  @View.text('Who created the flow.', { example: 'operator:opr_019364d0c0de7000a000000000000001' })
  createdBy: string;
  @View.instant('When the flow was created.') createdAt: string;

  static of(flow: FlowVersion): FlowView {
    const [type = '', by = ''] = flow.createdBy.split(':');
    return viewOf(FlowView, flow, {
      contentHash: flow.contentHash.toString('hex'),
      createdBy: type === 'operator' ? `operator:${publicId('opr', by)}` : flow.createdBy,
    });
  }
}
