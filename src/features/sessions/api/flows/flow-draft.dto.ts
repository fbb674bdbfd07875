import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsObject, IsOptional } from 'class-validator';
import { DEFAULT_BODY_RULES, Field, View } from '../../../../platform/http/index.js';
import type { ValidatedDraft } from '../../flows/flow-drafts.service.js';

export const FLOW_RULES = {
  ...DEFAULT_BODY_RULES,
  // Maximum size of a flow: enough for a few dozen inputs with texts in three languages.
  maxBytes: 256 * 1_024,
  limits: { ...DEFAULT_BODY_RULES.limits, maxKeys: 10_000 },
};

export class FlowDraftBody {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The flow, as far as it is written.',
  })
  @IsObject()
  definition: object;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    example: { monthlyRevenue: '1500000.00' },
    description: 'Answers for the preview; the rest is made up.',
  })
  @IsOptional()
  @IsObject()
  sample?: Record<string, unknown>;

  @Field.integer('The revision that this one changes; left out for a first one.', {
    min: 1,
    max: 1_000_000,
    optional: true,
    example: 3,
  })
  revision?: number;
}

export class PublishDraftBody {
  @Field.integer('The revision that is meant.', { min: 1, max: 1_000_000, example: 4 }) revision: number;
  @Field.string('The reason, in your own words.', {
    minLength: 10,
    maxLength: 2000,
    example: 'Companies are asked for their owners.',
  })
  reason: string;
}

export class FlowProblemView {
  @View.text('The place of it, as in `origin.cpfCnpj`.', { example: 'steps[2].fields[0].type' }) path: string;
  @View.text('A stable code; a program may rely on it.', { example: 'VALUE_NOT_ALLOWED' }) code: string;
  @View.text('A sentence for people; its wording may change.', { example: 'Must be one of TEXT, CPF.' })
  message: string;
}

export class CheckedFlowView {
  @View.flag('Whether it is a flow that sessions can go through.', { example: false }) valid: boolean;
  @View.list(FlowProblemView, 'Every place that is wrong.') problems: readonly FlowProblemView[];
}

export class FlowDraftView {
  @View.text('The key of the flow, which never changes.', { example: 'onboarding-pj' }) key: string;
  @View.integer('Counts the edits from 1.', { example: 4 }) revision: number;
  @ApiProperty({
    description: 'The whole definition of the flow, as it was written.',
    type: 'object',
    additionalProperties: true,
  })
  definition: object;
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'Answers for the preview.' })
  sample: object;

  @View.flag('Whether it could be put up for publication.', { example: true }) valid: boolean;
  @View.list(FlowProblemView, 'Every place that is wrong.') problems: readonly FlowProblemView[];
  @View.instant('When the flow was last changed.') updatedAt: string;

  static of({ draft, problems }: ValidatedDraft): FlowDraftView {
    const { key, revision, definition, sample, updatedAt } = draft;
    return {
      ...{ key, revision, definition, sample, problems },
      valid: problems.length === 0,
      updatedAt: updatedAt.toISOString(),
    };
  }
}

export class FlowDifferenceView {
  @View.texts('Steps that the version in use does not have.', { example: ['owners'] })
  stepsAdded: readonly string[];
  @View.texts('Steps whose content differs.', { example: ['person'] }) stepsChanged: readonly string[];
  @View.texts('Steps that only the version in use has.', { example: [] }) stepsRemoved: readonly string[];
  @View.texts('Those that stand at another place.', { example: [] }) stepsMoved: readonly string[];
  @View.texts('Other members.', { example: ['requiredChecks'] }) alsoChanged: readonly string[];
}

export class PreviewView {
  @View.text('The address of the preview.', {
    format: 'uri',
    example: 'https://vigia.example.com/verify/pre_0193_m1_x',
  })
  url: string;
  @View.instant('Until when the preview is valid.') expiresAt: string;
}

export class FunnelQuery {
  @Field.integer('The version; the newest when left out.', {
    min: 1,
    max: 1_000_000,
    optional: true,
    url: true,
  })
  version?: number;

  @Field.integer('How many days back.', { min: 1, max: 365, optional: true, default: 30, url: true })
  days?: number;
}

export class FunnelStepView {
  @View.text('The id of the step.', { example: 'document' }) stepId: string;
  @View.text('The title of the step, for people.', { example: 'Documento de identidade' }) title: string;
  @View.integer('Sessions that came so far.', { example: 120 }) shown: number;
  @View.integer('Sessions that did it.', { example: 96 }) done: number;
  @View.integer('How often something was sent once more.', { example: 31 }) retries: number;
  @View.numberOrNull('Median from being shown to being done.', { example: 48.2 }) medianSeconds:
    number | null;
}

/** Figures of a flow, step by step. */
export class FunnelView {
  @View.text('The key of the flow, which never changes.', { example: 'onboarding-pf' }) key: string;
  @View.integer('The version of the flow.', { example: 2 }) version: number;
  @View.integer('The number of days.', { example: 30 }) days: number;
  @View.list(FunnelStepView, 'In the order of the flow.') steps: readonly FunnelStepView[];
}
