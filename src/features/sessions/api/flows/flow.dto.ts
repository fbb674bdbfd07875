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
  properties: {
    'pt-BR': { type: 'string', description: 'In Brazilian Portuguese.' },
    en: { type: 'string', description: 'In English.' },
    es: { type: 'string', description: 'In Spanish.' },
  },
  required: ['pt-BR'],
  additionalProperties: false,
  example: { 'pt-BR': 'Cadastro', en: 'Onboarding', es: 'Registro' },
} as const;

const PEOPLE = {
  type: 'object',
  description: 'REPEATED_GROUP: the items are people behind the company.',
  required: ['as'],
  properties: {
    as: { type: 'string', enum: peopleRoles, description: 'Who the items are to the company.' },
    session: {
      type: 'object',
      description: 'The session that each of them is sent.',
      required: ['flowKey', 'required'],
      properties: {
        flowKey: { type: 'string', description: 'The key of the flow.' },
        required: { type: 'boolean', description: 'Whether the company waits for their approval.' },
      },
    },
  },
} as const;

// All properties of all step types, so that the compiler reports a property that is missing below.
type StepMember = FlowStep extends infer Step ? (Step extends FlowStep ? keyof Step : never) : never;

const listOf = (description: string): object => ({ type: 'array', items: { type: 'object' }, description });
const groupSize = (minimum: number, description: string): object => ({
  ...{ type: 'integer', minimum, maximum: LIMITS.groupItems, description },
});

// docs/sessions.md lists the fields of each type of step; errors name their exact paths.
const STEP = {
  type: 'object',
  required: ['id', 'type', 'title', 'required'],
  properties: {
    id: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_]{0,39}$', description: 'The id of the step.' },
    type: { type: 'string', enum: stepTypes, description: 'The type of the step; docs/sessions.md has all.' },
    title: { ...LOCALISED, description: 'The title, for people.' },
    required: { type: 'boolean', description: 'Whether it cannot be skipped.' },
    showIf: { type: 'object', description: 'The answers under which it is shown; without it, always.' },
    when: { type: 'string', description: 'A condition about the customer and the transaction.' },
    text: { ...LOCALISED, description: 'INFO, CONSENT: the text.' },
    noticeVersion: { type: 'string', description: 'CONSENT: the version of the notice that is agreed to.' },
    fields: listOf('DATA_FORM, REPEATED_GROUP: what is asked for.'),
    questions: listOf('QUESTIONNAIRE: what is asked.'),
    acceptedDocuments: listOf('DOCUMENT_CAPTURE, PROOF_OF_ADDRESS: the documents that are taken.'),
    itemTitle: { ...LOCALISED, description: 'REPEATED_GROUP: what one of them is called.' },
    min: groupSize(0, 'REPEATED_GROUP: how many are needed at least.'),
    max: groupSize(1, 'REPEATED_GROUP: how many are taken at most.'),
    people: PEOPLE,
    channel: { type: 'string', enum: codeChannels, description: 'ONE_TIME_CODE: how the code is sent.' },
    to: { type: 'string', description: 'ONE_TIME_CODE: the id of the field with the address.' },
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

  @ApiProperty({
    ...{ type: 'array', items: STEP, minItems: 1, maxItems: 20, example: exampleSteps },
    description: 'The steps, in their order.',
  } as object)
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

/** An earlier version to restore, and the reason. */
export class FormerFlowBody {
  @Field.integer('The version of the flow.', { min: 1, max: 1_000_000, example: 1 }) version: number;
  @Field.string('The reason, in your own words.', {
    minLength: 10,
    maxLength: 2000,
    example: 'The new version asks too much.',
  })
  reason: string;
}

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
