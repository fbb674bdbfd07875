import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { Check, finding, IsOrdinal, IsText, PageQuery, UrlNumber } from '../../http/index.js';
import { componentNames, LIMITS } from '../language/index.js';

const KEY_FORM = 'capital letters, digits and hyphens, such as BR-PIX-15';
const RULE_KEY = { max: 40, pattern: /^[A-Z][A-Z0-9]*(-[A-Z0-9]+)*$/, form: KEY_FORM };
const CODE = { max: 64, pattern: /^[A-Z][A-Z0-9_]*$/, form: 'a code in capital letters, such as VELOCITY' };
export const IsRuleKey = (): PropertyDecorator => IsText(RULE_KEY);
export const IsRulesetKey = (): PropertyDecorator =>
  IsText({ max: 40, pattern: /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, form: 'small letters, digits and hyphens' });
const IsCode = (): PropertyDecorator => IsText(CODE);
/** A text of the rule language; the compiler names what is wrong in it. */
const IsExpression = (): PropertyDecorator => IsText({ max: LIMITS.text });
const MODES = ['LIVE', 'SHADOW', 'DISABLED'] as const;

export class LocalisedBody {
  @ApiProperty({ example: 'PIX noturno acima do limite' })
  @IsText({ max: 500 })
  'pt-BR': string;

  @ApiProperty({ example: 'PIX at night above the limit' })
  @IsText({ max: 500 })
  en: string;
}

export class AppliesToBody {
  @ApiPropertyOptional({
    type: [String],
    default: ['*'],
    example: ['PIX_*'],
    description: 'Codes, beginnings such as PIX_*, or *.',
  })
  @IsString({ each: true })
  @ArrayMaxSize(100)
  types: string[] = ['*'];

  @ApiPropertyOptional({ type: [String], default: ['*'] })
  @IsString({ each: true })
  @ArrayMaxSize(100)
  channels: string[] = ['*'];

  @ApiPropertyOptional({ type: [String], default: ['*'] })
  @IsString({ each: true })
  @ArrayMaxSize(100)
  currencies: string[] = ['*'];

  @ApiPropertyOptional({ isArray: true, enum: ['IN', 'OUT'], default: ['IN', 'OUT'] })
  @IsIn(['IN', 'OUT'], { each: true })
  @ArrayMaxSize(2)
  directions: ('IN' | 'OUT')[] = ['IN', 'OUT'];
}

export class ScoreTierBody {
  @ApiProperty({ example: 'amountBrl >= 50000' })
  @IsExpression()
  when: string;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100, example: 60 })
  @IsInt()
  @Min(0)
  @Max(100)
  points: number;
}

export class RuleScoreBody {
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100, example: 20 })
  @IsInt()
  @Min(0)
  @Max(100)
  points: number;

  @ApiProperty({ example: 'VELOCITY', description: 'The family whose points are capped together.' })
  @IsCode()
  group: string;

  @ApiPropertyOptional({ type: 'integer', nullable: true, default: null, minimum: 0, maximum: 100 })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(100)
  groupMax: number | null = null;

  @ApiPropertyOptional({
    type: [ScoreTierBody],
    description: 'Other points for graver cases of the same hit.',
  })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(10)
  @ValidateNested({ each: true })
  @Type(() => ScoreTierBody)
  tiers?: ScoreTierBody[];
}

export class RuleEffectBody {
  @ApiPropertyOptional({ enum: ['REVIEW', null], nullable: true, type: String, default: null })
  @IsOptional()
  @IsIn(['REVIEW'])
  minOutcome: 'REVIEW' | null = null;

  @ApiPropertyOptional({ enum: ['NONE', 'STEP_UP', 'HOLD', 'DECLINE'], default: 'NONE' })
  @IsIn(['NONE', 'STEP_UP', 'HOLD', 'DECLINE'])
  recommend: 'NONE' | 'STEP_UP' | 'HOLD' | 'DECLINE' = 'NONE';

  @ApiProperty({ example: 'NIGHT_PIX' })
  @IsCode()
  reasonCode: string;
}

export class EvidenceBody {
  @ApiProperty({ example: 'outgoing.sum24h' })
  @IsText({ max: 64 })
  feature: string;

  @ApiPropertyOptional({ type: Boolean, default: false })
  @IsBoolean()
  required = false;
}

export class LegalBasisBody {
  @ApiProperty({ example: 'BCB Carta Circular 4.001/2020' })
  @IsText({ max: 200 })
  norm: string;

  @ApiProperty({ example: 'art. 1º, IV, b' })
  @IsText({ max: 200 })
  item: string;

  @ApiPropertyOptional({ type: 'integer', nullable: true, default: null, example: 1046 })
  @IsOptional()
  @IsInt()
  @Min(1000)
  @Max(9999)
  siscoafCode: number | null = null;
}

const ACTION = finding(
  'VALUE_NOT_ALLOWED',
  'Must be STEP_UP_SESSION with flowKey, onlyIfNoneWithin and expiresIn, or OPEN_CASE with queue.',
);
const DURATION = /^P(?=.)(\d+D)?(T(?=.)(\d+H)?(\d+M)?)?$/;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

function isAction(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { type, ...rest } = value as Readonly<Record<string, unknown>>;
  const fits = (name: string, pattern: RegExp): boolean => {
    const text = rest[name];
    return typeof text === 'string' && pattern.test(text);
  };
  if (type === 'OPEN_CASE') return Object.keys(rest).join() === 'queue' && fits('queue', NAME);
  return (
    type === 'STEP_UP_SESSION' &&
    Object.keys(rest).sort().join() === 'expiresIn,flowKey,onlyIfNoneWithin' &&
    fits('flowKey', NAME) &&
    fits('expiresIn', DURATION) &&
    fits('onlyIfNoneWithin', DURATION)
  );
}

const PARAMETERS = finding(
  'VALUE_NOT_ALLOWED',
  'Each parameter has a value, a label in pt-BR and en, and possibly a unit.',
);
const UNITS = ['BRL', 'USD', 'MONEY', 'COUNT', 'DAYS', 'SCORE', 'PERCENT'];

function isParameter(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { value: held, label, unit, ...rest } = value as Readonly<Record<string, unknown>>;
  const items: readonly unknown[] = Array.isArray(held) ? held : [held];
  const texts = label as Readonly<Record<string, unknown>> | null | undefined;
  return (
    Object.keys(rest).length === 0 &&
    items.length > 0 &&
    items.length <= LIMITS.list &&
    items.every((item) => ['number', 'string', 'boolean'].includes(typeof item)) &&
    typeof texts === 'object' &&
    texts !== null &&
    Object.keys(texts).sort().join() === 'en,pt-BR' &&
    Object.values(texts).every((text) => typeof text === 'string' && text.length <= 200) &&
    (unit === undefined || UNITS.includes(unit as string))
  );
}

const areParameters = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every(isParameter);

/** What rules and dampeners have in common. */
export class ConditionBody {
  @ApiProperty({ example: 'ACME-NIGHT-01', description: KEY_FORM })
  @IsRuleKey()
  key: string;

  @ApiProperty({ type: LocalisedBody })
  @IsObject()
  @ValidateNested()
  @Type(() => LocalisedBody)
  name: LocalisedBody;

  @ApiPropertyOptional({ type: LocalisedBody, description: 'The name, unless given.' })
  @IsOptional()
  @ValidateNested()
  @Type(() => LocalisedBody)
  description?: LocalisedBody;

  @ApiPropertyOptional({ type: AppliesToBody, description: 'Everything, unless given.' })
  @IsObject()
  @ValidateNested()
  @Type(() => AppliesToBody)
  appliesTo: AppliesToBody = new AppliesToBody();

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'Thresholds with a name, read as `param.name`.',
    example: { limit: { value: 1000, unit: 'BRL', label: { 'pt-BR': 'limite', en: 'limit' } } },
  })
  @Check('parameters', (value) => (areParameters(value) ? null : PARAMETERS))
  parameters: Record<string, never> = {};

  @ApiProperty({
    example: 'amountBrl > param.limit && occurredAt.localHour("America/Sao_Paulo") >= 20',
    description: 'The condition, in the rule language.',
  })
  @IsExpression()
  when: string;

  @ApiPropertyOptional({
    enum: MODES,
    default: 'SHADOW',
    description: 'SHADOW: evaluated and recorded, without effect.',
  })
  @IsIn(MODES)
  mode: (typeof MODES)[number] = 'SHADOW';

  @ApiProperty({ type: LocalisedBody, description: 'The reason in words; `{feature}` stands for a value.' })
  @IsObject()
  @ValidateNested()
  @Type(() => LocalisedBody)
  message: LocalisedBody;
}

/** A rule as an operator writes it. What is left out has the value that does the least. */
export class RuleBody extends ConditionBody {
  @ApiPropertyOptional({ enum: ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'], default: 'MEDIUM' })
  @IsIn(['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'])
  severity: 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL' = 'MEDIUM';

  @ApiPropertyOptional({
    enum: componentNames,
    default: 'RULES',
    description: 'The component that a hit belongs to.',
  })
  @IsIn(componentNames)
  component: (typeof componentNames)[number] = 'RULES';

  @ApiPropertyOptional({ type: String, default: 'CUSTOM', example: 'VELOCITY' })
  @IsCode()
  category = 'CUSTOM';

  @ApiPropertyOptional({ type: [String], default: [] })
  @IsString({ each: true })
  @ArrayMaxSize(20)
  tags: string[] = [];

  @ApiProperty({ type: RuleScoreBody })
  @IsObject()
  @ValidateNested()
  @Type(() => RuleScoreBody)
  score: RuleScoreBody;

  @ApiProperty({ type: RuleEffectBody })
  @IsObject()
  @ValidateNested()
  @Type(() => RuleEffectBody)
  effect: RuleEffectBody;

  @ApiPropertyOptional({
    enum: ['PARTIAL', 'RECORD'],
    default: 'PARTIAL',
    description: 'PARTIAL: a person decides when the rule cannot be decided. RECORD: it is only noted.',
  })
  @IsIn(['PARTIAL', 'RECORD'])
  onIndeterminate: 'PARTIAL' | 'RECORD' = 'PARTIAL';

  @ApiPropertyOptional({ type: [EvidenceBody], default: [] })
  @IsArray()
  @ArrayMaxSize(20)
  @ValidateNested({ each: true })
  @Type(() => EvidenceBody)
  evidence: EvidenceBody[] = [];

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    default: [],
    example: [{ type: 'STEP_UP_SESSION', flowKey: 'step-up', onlyIfNoneWithin: 'P30D', expiresIn: 'PT30M' }],
  })
  @Check('actions', (value) =>
    Array.isArray(value) && value.length <= 5 && value.every(isAction) ? null : ACTION,
  )
  actions: never[] = [];

  @ApiPropertyOptional({
    type: [String],
    default: [],
    description: 'Ids of the lists that the condition asks.',
  })
  @IsString({ each: true })
  @ArrayMaxSize(20)
  lists: string[] = [];

  @ApiPropertyOptional({ isArray: true, enum: ['REPORT_COE', 'EVIDENCE_GAP'], default: [] })
  @IsIn(['REPORT_COE', 'EVIDENCE_GAP'], { each: true })
  @ArrayMaxSize(2)
  flags: ('REPORT_COE' | 'EVIDENCE_GAP')[] = [];

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    default: null,
    example: 'PT24H',
    description: 'For how long the rule does not count again for the same customer (ISO 8601).',
  })
  @IsOptional()
  @IsText({ max: 20 })
  cooldown: string | null = null;

  @ApiPropertyOptional({ type: [LegalBasisBody], default: [] })
  @IsArray()
  @ArrayMaxSize(20)
  @ValidateNested({ each: true })
  @Type(() => LegalBasisBody)
  legalBasis: LegalBasisBody[] = [];
}

export class RuleDraftBody extends RuleBody {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    description: 'The revision of the draft that this replaces, 0 for none; another one is refused.',
  })
  @IsOptional()
  @IsOrdinal(0)
  revision?: number;
}

export class RuleListQuery extends PageQuery {
  @ApiPropertyOptional({ example: 'BR-STR-08' })
  @IsOptional()
  @IsRuleKey()
  key?: string;

  @ApiPropertyOptional({ enum: ['DRAFT', 'RELEASED'] })
  @IsOptional()
  @IsIn(['DRAFT', 'RELEASED'])
  status?: 'DRAFT' | 'RELEASED';
}

export class RuleKeyParams {
  @ApiProperty({ example: 'BR-STR-08' })
  @IsRuleKey()
  key: string;
}

export class RuleVersionParams extends RuleKeyParams {
  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
  @UrlNumber()
  @IsOrdinal()
  version: number;
}

export class CheckRuleBody {
  @ApiPropertyOptional({ example: 'outgoing.sum24 > 50000', description: 'A condition alone.' })
  @IsOptional()
  @IsExpression()
  when?: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'A condition in the form of the condition builder, instead of `when`.',
    example: {
      all: [
        { path: 'amountBrl', op: '>', value: 1000 },
        { path: 'sameHolder', op: 'isTrue' },
      ],
    },
  })
  @IsOptional()
  @IsObject()
  condition?: Record<string, never>;

  @ApiPropertyOptional({ type: RuleBody, description: 'A whole rule, instead of `when`.' })
  @IsOptional()
  @ValidateNested()
  @Type(() => RuleBody)
  rule?: RuleBody;
}
