import { ApiExtraModels, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { IsText } from '../../http/index.js';
import {
  concerns,
  explainRule,
  featureSchema,
  shownValue,
  type Evaluation,
  type FactSheet,
  type FactValue,
  type Feature,
  type Truth,
} from '../../rules/index.js';
import { requestedOf } from '../domain/completed-data.js';
import type { DryRunResult } from '../dry-run.service.js';
import type { ReEvaluated } from '../re-evaluation.service.js';
import { IngestTransactionBody } from './ingest-transaction.dto.js';

export class ReEvaluationView {
  @ApiProperty({ example: 'txn_019364d0c0de7000a000000000000001' })
  id: string;

  @ApiProperty({ type: 'integer', example: 2 })
  evaluationVersion: number;

  @ApiProperty({ enum: ['APPROVED', 'REVIEW', 'REJECTED'] })
  outcome: string;

  @ApiProperty({ type: 'integer', nullable: true, minimum: 0, maximum: 100 })
  riskScore: number | null;

  @ApiProperty({ description: 'SHA-256 of the decision receipt.' })
  receiptHash: string;

  static of(id: string, { evaluationVersion, outcome, score, receiptHash }: ReEvaluated): ReEvaluationView {
    return { id, evaluationVersion, outcome, riskScore: score, receiptHash };
  }
}

export class TriedRulesetBody {
  @ApiProperty({ example: 'br-starter' })
  @IsText({ max: 40, pattern: /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, form: 'small letters, digits and hyphens' })
  key: string;

  @ApiProperty({ type: 'integer', minimum: 1, example: 2 })
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  version: number;
}

export class DryRunBody {
  @ApiProperty({ type: IngestTransactionBody, description: 'An event as an application would send it.' })
  @IsObject()
  transaction: object;

  @ApiPropertyOptional({
    type: TriedRulesetBody,
    description: 'A draft, published or archived version; what is live for the event unless given.',
  })
  @IsOptional()
  @ValidateNested()
  @Type(() => TriedRulesetBody)
  ruleset?: TriedRulesetBody;

  @ApiPropertyOptional({
    type: [String],
    default: [],
    maxItems: 50,
    description: 'Keys of rules whose drafts are put into the ruleset.',
  })
  @IsString({ each: true })
  @ArrayMaxSize(50)
  draftRules: string[] = [];

  @ApiPropertyOptional({
    example: 'app_019364d0c0de7000a000000000000001',
    description: 'The application that would have sent it, where rulesets are selected by application.',
  })
  @IsOptional()
  @IsText({ max: 36, pattern: /^app_[0-9a-f]{32}$/, form: 'the id of an application' })
  clientApp?: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    example: { 'outgoing.count24h': 12 },
    description: 'Facts that are taken as given instead of being found out.',
  })
  @IsObject()
  assume: Record<string, unknown> = {};
}

/** A comparison of a rule with what it was decided on. */
export class LeafView {
  @ApiProperty({ example: 'amountBrl >= param.limit' })
  expr: string;

  @ApiProperty({ enum: ['TRUE', 'FALSE', 'UNKNOWN'] })
  result: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    example: { amountBrl: 70_000, 'param.limit': 50_000 },
    description: 'What was read; personal data is masked.',
  })
  values: Readonly<Record<string, unknown>>;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    example: {},
    description: 'What had no value, and why.',
  })
  unknown: Readonly<Record<string, unknown>>;

  @ApiProperty({ type: [String], description: 'What is only known as "at least".' })
  saturated: readonly string[];
}

export class TriedRuleView {
  @ApiProperty({ example: 'BR-PIX-15' })
  ruleId: string;

  @ApiProperty({ type: 'integer', example: 1 })
  version: number;

  @ApiProperty({
    enum: ['TRUE', 'FALSE', 'UNKNOWN'],
    description: 'Whether the rule is for such an event at all.',
  })
  applies: Truth;

  @ApiProperty({ enum: ['HIT', 'NO_HIT', 'INDETERMINATE'] })
  result: string;

  @ApiProperty({ enum: ['COUNTED', 'SHADOW', 'SUPPRESSED', 'SNOOZED', 'COOLDOWN'] })
  effect: string;

  @ApiProperty({ type: 'integer', example: 25 })
  points: number;

  @ApiProperty({
    type: [LeafView],
    description: 'Every comparison of its condition, also when it did not hit.',
  })
  explanation: readonly LeafView[];
}

export class TriedFactView {
  @ApiProperty({ enum: ['KNOWN', 'MISSING', 'ERROR', 'STALE', 'SKIPPED'] })
  state: string;

  @ApiPropertyOptional({
    oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'array', items: {} }],
    description: 'Masked where it is personal; moments as ISO 8601.',
    example: 12,
  })
  value?: unknown;

  @ApiPropertyOptional({ example: 'NO_CUSTOMER_KEY' })
  reason?: string;

  @ApiPropertyOptional({ description: 'True: there may be more than the value says.' })
  saturated?: boolean;
}

/** What an event would come to. */
@ApiExtraModels(TriedFactView)
export class DryRunView {
  @ApiProperty({ type: String, nullable: true, example: 'br-starter@2' })
  ruleset: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'SHA-256 of the ruleset with the drafts in it; that of the version when there are none.',
  })
  rulesetHash: string | null;

  @ApiProperty({ enum: ['APPROVED', 'REVIEW', 'REJECTED'] })
  outcome: string;

  @ApiProperty({ enum: ['NONE', 'STEP_UP', 'HOLD', 'DECLINE'] })
  recommendedAction: string;

  @ApiProperty({ type: 'integer', nullable: true, minimum: 0, maximum: 100 })
  riskScore: number | null;

  @ApiProperty({ enum: ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL', null], nullable: true, type: String })
  riskLevel: string | null;

  @ApiProperty({ enum: ['COMPLETE', 'PARTIAL', 'MISSING', 'INCONSISTENT'] })
  composition: string;

  @ApiProperty()
  defensible: boolean;

  @ApiProperty({ type: [String] })
  nonDefensibleReasons: readonly string[];

  @ApiProperty({ type: [String], description: 'Components that such an event needs.' })
  required: readonly string[];

  @ApiProperty({ type: 'object', additionalProperties: true })
  components: Readonly<Record<string, unknown>>;

  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  groups: readonly unknown[];

  @ApiProperty({ type: 'integer', maximum: 0 })
  dampening: number;

  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  reasons: readonly unknown[];

  @ApiProperty({ type: [String] })
  flags: readonly string[];

  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: { type: 'string' } },
    description: 'What would be asked for; nothing of it is carried out.',
  })
  requestedActions: readonly unknown[];

  @ApiProperty({ type: [TriedRuleView], description: 'Every rule of the ruleset that is not DISABLED.' })
  rules: TriedRuleView[];

  @ApiProperty({
    type: 'object',
    additionalProperties: { $ref: '#/components/schemas/TriedFactView' },
    description: 'Every fact that rules can read, by name.',
  })
  facts: Record<string, TriedFactView>;

  static of({ ruleset, evaluation, sheet }: DryRunResult): DryRunView {
    const { score, level, outcome, recommendedAction, composition, defensible } = evaluation;
    return {
      ruleset: ruleset ? `${ruleset.content.key}@${ruleset.content.version}` : null,
      rulesetHash: ruleset?.contentHash ?? null,
      ...{ outcome, recommendedAction, composition, defensible },
      riskScore: score,
      riskLevel: level,
      nonDefensibleReasons: evaluation.nonDefensibleReasons,
      required: evaluation.required,
      components: evaluation.components,
      groups: evaluation.groups,
      dampening: evaluation.dampening,
      reasons: evaluation.reasons,
      flags: evaluation.flags,
      requestedActions: requestedOf(evaluation.actions),
      rules: rulesOf(evaluation, sheet),
      facts: Object.fromEntries(
        featureSchema.features.map((feature) => [feature.name, factOf(feature, sheet)]),
      ),
    };
  }
}

const rulesOf = ({ rules }: Evaluation, sheet: FactSheet): TriedRuleView[] =>
  rules.map(({ rule, result, effect, points }) => ({
    ruleId: rule.definition.key,
    version: rule.definition.version,
    applies: concerns(rule, sheet),
    result,
    effect,
    points,
    explanation: explainRule(rule, sheet).leaves,
  }));

function factOf(feature: Feature, sheet: FactSheet): TriedFactView {
  const fact = sheet.fact(feature.name);
  if (fact.state !== 'KNOWN') return { state: fact.state, reason: fact.reason };
  return {
    state: 'KNOWN',
    value: shown(feature, fact.value),
    ...(fact.saturated ? { saturated: true } : {}),
  };
}

const shown = (feature: Feature, value: FactValue): FactValue =>
  feature.type === 'time' && typeof value === 'number' && !feature.personal
    ? new Date(value).toISOString()
    : shownValue(feature, value);
