import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsIn,
  IsInt,
  IsISO8601,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { Check, finding, IsOrdinal, IsText, PageQuery, UrlNumber } from '../../http/index.js';
import { componentNames } from '../language/index.js';
import { ConditionBody, IsRuleKey, IsRulesetKey, LocalisedBody } from './rule.dto.js';

const MODES = ['LIVE', 'SHADOW', 'DISABLED'] as const;
const MAX_RULES = 200;

export class HeldRuleBody {
  @ApiProperty({ example: 'BR-STR-08' })
  @IsRuleKey()
  key: string;

  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
  @IsOrdinal()
  version: number;

  @ApiPropertyOptional({ enum: MODES, description: "The rule's own, unless given." })
  @IsOptional()
  @IsIn(MODES)
  mode?: (typeof MODES)[number];
}

export class SelectorBody {
  @ApiPropertyOptional({ type: [String], default: ['*'], example: ['PIX_*'] })
  @IsString({ each: true })
  @ArrayNotEmpty()
  @ArrayMaxSize(100)
  types: string[] = ['*'];

  @ApiPropertyOptional({ type: [String], default: ['*'], description: 'Ids of applications, or *.' })
  @IsString({ each: true })
  @ArrayNotEmpty()
  @ArrayMaxSize(100)
  clientApps: string[] = ['*'];
}

export class ExperimentBody {
  @ApiProperty({ example: 'br-starter', description: 'The live ruleset that it is tried against.' })
  @IsRulesetKey()
  challengerOf: string;

  @ApiProperty({
    enum: ['SHADOW', 'SPLIT'],
    description:
      'SHADOW: evaluated beside it, without effect. SPLIT: decides for a share of the customers, always the same ones.',
  })
  @IsIn(['SHADOW', 'SPLIT'])
  mode: 'SHADOW' | 'SPLIT';

  @ApiPropertyOptional({ type: Number, minimum: 0, maximum: 100, default: 100 })
  @IsNumber()
  @Min(0)
  @Max(100)
  percent = 100;

  @ApiPropertyOptional({ enum: ['CUSTOMER'], default: 'CUSTOMER' })
  @IsIn(['CUSTOMER'])
  stickyBy: 'CUSTOMER' = 'CUSTOMER' as const;
}

export class DampenerBody extends ConditionBody {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, default: 1 })
  @IsOrdinal()
  version = 1;

  @ApiProperty({ type: 'integer', maximum: 0, minimum: -100, example: -20 })
  @IsInt()
  @Min(-100)
  @Max(0)
  points: number;

  @ApiPropertyOptional({ type: [String], default: [], description: 'Rules whose hits it takes away.' })
  @IsString({ each: true })
  @ArrayMaxSize(MAX_RULES)
  suppresses: string[] = [];
}

export class BandsBody {
  @ApiProperty({ type: 'integer', example: 30 })
  @IsInt()
  @Min(1)
  @Max(100)
  MEDIUM: number;

  @ApiProperty({ type: 'integer', example: 60 })
  @IsInt()
  @Min(1)
  @Max(100)
  HIGH: number;

  @ApiProperty({ type: 'integer', example: 85 })
  @IsInt()
  @Min(1)
  @Max(100)
  CRITICAL: number;
}

const CAPS = finding(
  'VALUE_NOT_ALLOWED',
  'Each cap is a whole number from 0 to 100 under the name of a group.',
);

function areCaps(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value as Readonly<Record<string, unknown>>);
  return (
    entries.length <= 50 &&
    entries.every(
      ([name, cap]) =>
        /^(default|[A-Z][A-Z0-9_]{0,63})$/.test(name) &&
        Number.isInteger(cap) &&
        (cap as number) >= 0 &&
        (cap as number) <= 100,
    )
  );
}

export class ScoringBody {
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100, example: 60 })
  @IsInt()
  @Min(0)
  @Max(100)
  reviewAt: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer', minimum: 0, maximum: 100 },
    example: { default: 60, LISTS: 100, DEVICE_FRAUD: 90 },
  })
  @Check('caps', (value) => (areCaps(value) ? null : CAPS))
  caps: Record<string, number>;

  @ApiProperty({ type: BandsBody, description: 'The lowest score of each band; LOW begins at 0.' })
  @IsObject()
  @ValidateNested()
  @Type(() => BandsBody)
  bands: BandsBody;
}

export class FromAmountBody {
  @ApiProperty({ example: 10_000 })
  @IsNumber()
  @Min(0)
  amount: number;

  @ApiProperty({ isArray: true, enum: componentNames, example: ['PROFILE'] })
  @IsIn(componentNames, { each: true })
  @ArrayMaxSize(componentNames.length)
  components: (typeof componentNames)[number][];
}

export class RequiredComponentsBody {
  @ApiProperty({ type: [String], example: ['PIX_*', 'TED_TRANSFER'] })
  @IsString({ each: true })
  @ArrayNotEmpty()
  @ArrayMaxSize(100)
  types: string[];

  @ApiProperty({ isArray: true, enum: componentNames, example: ['IDENTITY', 'LISTS', 'VELOCITY', 'RULES'] })
  @IsIn(componentNames, { each: true })
  @ArrayMaxSize(componentNames.length)
  components: (typeof componentNames)[number][];

  @ApiPropertyOptional({ type: FromAmountBody, description: 'More of them from an amount in BRL on.' })
  @IsOptional()
  @ValidateNested()
  @Type(() => FromAmountBody)
  fromAmountBrl?: FromAmountBody;

  @ApiPropertyOptional({
    isArray: true,
    enum: componentNames,
    example: ['FX'],
    description: 'More of them for another currency than BRL.',
  })
  @IsOptional()
  @IsIn(componentNames, { each: true })
  @ArrayMaxSize(componentNames.length)
  inForeignCurrency?: (typeof componentNames)[number][];
}

export class CompositionBody {
  @ApiProperty({ type: [RequiredComponentsBody], description: 'The first whose types fit counts.' })
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(100)
  @ValidateNested({ each: true })
  @Type(() => RequiredComponentsBody)
  requiredComponents: RequiredComponentsBody[];
}

export class BasedOnBody {
  @ApiProperty({ example: 'br-starter' })
  @IsRulesetKey()
  key: string;

  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
  @IsOrdinal()
  version: number;
}

/** What a draft says. What it leaves out is taken from the version that it is based on. */
export class RulesetContentBody {
  @ApiPropertyOptional({
    type: BasedOnBody,
    description:
      'The version it starts from; of the same ruleset the live one, else the newest, unless given.',
  })
  @IsOptional()
  @ValidateNested()
  @Type(() => BasedOnBody)
  basedOn?: BasedOnBody;

  @ApiPropertyOptional({ type: LocalisedBody })
  @IsOptional()
  @ValidateNested()
  @Type(() => LocalisedBody)
  name?: LocalisedBody;

  @ApiPropertyOptional({ type: SelectorBody })
  @IsOptional()
  @ValidateNested()
  @Type(() => SelectorBody)
  selector?: SelectorBody;

  @ApiPropertyOptional({
    type: ExperimentBody,
    nullable: true,
    description: 'Makes it a challenger; null makes a challenger an ordinary ruleset again.',
  })
  @IsOptional()
  @ValidateNested()
  @Type(() => ExperimentBody)
  experiment?: ExperimentBody | null;

  @ApiPropertyOptional({ type: [HeldRuleBody], description: 'All the rules, released ones of the library.' })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_RULES)
  @ValidateNested({ each: true })
  @Type(() => HeldRuleBody)
  rules?: HeldRuleBody[];

  @ApiPropertyOptional({
    type: [HeldRuleBody],
    description: 'Rules to add, or to hold in another version or mode.',
  })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_RULES)
  @ValidateNested({ each: true })
  @Type(() => HeldRuleBody)
  putRules?: HeldRuleBody[];

  @ApiPropertyOptional({ type: [String], description: 'Keys of rules to leave out.' })
  @IsOptional()
  @IsString({ each: true })
  @ArrayMaxSize(MAX_RULES)
  removeRules?: string[];

  @ApiPropertyOptional({ type: [DampenerBody] })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(20)
  @ValidateNested({ each: true })
  @Type(() => DampenerBody)
  dampeners?: DampenerBody[];

  @ApiPropertyOptional({ type: ScoringBody })
  @IsOptional()
  @ValidateNested()
  @Type(() => ScoringBody)
  scoring?: ScoringBody;

  @ApiPropertyOptional({ type: CompositionBody })
  @IsOptional()
  @ValidateNested()
  @Type(() => CompositionBody)
  composition?: CompositionBody;
}

export class NewRulesetBody extends RulesetContentBody {
  @ApiProperty({ example: 'br-starter', description: 'A new key, or one whose next version this is to be.' })
  @IsRulesetKey()
  key: string;
}

export class ChangeRulesetBody extends RulesetContentBody {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, description: 'The revision that this changes.' })
  @IsOptional()
  @IsOrdinal()
  revision?: number;
}

export class ReasonBody {
  @ApiProperty({ minLength: 1, maxLength: 1_000, example: 'Threshold too low for salary days.' })
  @IsText({ max: 1_000 })
  reason: string;
}

export class RollbackBody {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    example: 1,
    description: 'The version whose content comes back.',
  })
  @IsOrdinal()
  toVersion: number;
}

export class RuleModeBody {
  @ApiProperty({ enum: MODES })
  @IsIn(MODES)
  mode: (typeof MODES)[number];
}

export class SnoozeBody {
  @ApiProperty({ type: String, format: 'date-time', description: 'At most 30 days ahead.' })
  @IsISO8601({ strict: true, strictSeparator: true })
  until: string;

  @ApiProperty({ minLength: 1, maxLength: 1_000, example: 'Payroll run of 25 November.' })
  @IsText({ max: 1_000 })
  reason: string;
}

export class BacktestBody {
  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'Transactions that occurred from then on.',
  })
  @IsOptional()
  @IsISO8601({ strict: true, strictSeparator: true })
  from?: string;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'And before this; now, unless given.',
  })
  @IsOptional()
  @IsISO8601({ strict: true, strictSeparator: true })
  to?: string;
}

export class RulesetKeyParams {
  @ApiProperty({ example: 'br-starter' })
  @IsRulesetKey()
  key: string;
}

export class RulesetVersionParams extends RulesetKeyParams {
  @ApiProperty({ type: 'integer', minimum: 1, example: 2 })
  @UrlNumber()
  @IsOrdinal()
  version: number;
}

export class BacktestParams extends RulesetVersionParams {
  @ApiProperty({ example: 'bkt_019364d0c0de7000a000000000000001' })
  @IsText({ max: 64 })
  id: string;
}

export class SnoozeParams extends RulesetKeyParams {
  @ApiProperty({ example: 'snz_019364d0c0de7000a000000000000001' })
  @IsText({ max: 64 })
  id: string;
}

export class HeldRuleParams extends RulesetKeyParams {
  @ApiProperty({ example: 'BR-STR-08' })
  @IsRuleKey()
  rule: string;
}

export class RulesetListQuery extends PageQuery {
  @ApiPropertyOptional({ example: 'br-starter' })
  @IsOptional()
  @IsRulesetKey()
  key?: string;

  @ApiPropertyOptional({ enum: ['DRAFT', 'PUBLISHED', 'ARCHIVED'] })
  @IsOptional()
  @IsIn(['DRAFT', 'PUBLISHED', 'ARCHIVED'])
  status?: 'DRAFT' | 'PUBLISHED' | 'ARCHIVED';
}
