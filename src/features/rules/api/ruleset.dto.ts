import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsIn, IsNumber, IsOptional, Min } from 'class-validator';
import { Check, Field, createFault, PageQuery } from '../../../platform/http/index.js';
import { componentNames } from '../language/index.js';
import { LocalisedBody } from './localised.dto.js';
import { ConditionBody, RULE_KEY, RULESET_KEY } from './rule.dto.js';

const MODES = ['LIVE', 'SHADOW', 'DISABLED'] as const;
const MAX_RULES = 200;

export class HeldRuleBody {
  @Field.text('The key of the rule, which never changes.', { ...RULE_KEY, example: 'BR-STR-08' }) key: string;
  @Field.ordinal('The version of the rule.', { example: 1 }) version: number;
  @Field.enum(MODES, "The rule's own, unless given.", { optional: true }) mode?: (typeof MODES)[number];
}

export class SelectorBody {
  @Field.texts('The types to which it applies.', {
    min: 1,
    maxItems: 100,
    default: ['*'],
    example: ['PIX_*'],
  })
  types: string[] = ['*'];

  @Field.texts('Ids of applications, or *.', { min: 1, maxItems: 100, default: ['*'] })
  clientApps: string[] = ['*'];
}

export class ExperimentBody {
  @Field.text('The live ruleset that it is tried against.', { ...RULESET_KEY, example: 'br-starter' })
  challengerOf: string;

  @Field.enum(
    ['SHADOW', 'SPLIT'],
    'SHADOW: evaluated beside it, without effect. SPLIT: decides for a share of the customers, always the same ones.',
  )
  mode: 'SHADOW' | 'SPLIT';

  @Field.number('The share in percent.', { min: 0, max: 100, default: 100 }) percent = 100;
  @Field.enum(['CUSTOMER'], 'What keeps to the same side of the experiment.', { default: 'CUSTOMER' })
  stickyBy: 'CUSTOMER' = 'CUSTOMER' as const;
}

export class DampenerBody extends ConditionBody {
  @Field.ordinal('The version of the dampener.', { default: 1 }) version = 1;
  @Field.integer('How many points it adds to the score.', { min: -100, max: 0, example: -20 }) points: number;
  @Field.texts('Rules whose hits it takes away.', { max: MAX_RULES, default: [] }) suppresses: string[] = [];
}

export class BandsBody {
  @Field.integer('The score from which the level is MEDIUM.', { min: 1, max: 100, example: 30 })
  MEDIUM: number;
  @Field.integer('The score from which the level is HIGH.', { min: 1, max: 100, example: 60 }) HIGH: number;
  @Field.integer('The score from which the level is CRITICAL.', { min: 1, max: 100, example: 85 })
  CRITICAL: number;
}

const CAPS = createFault(
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
  @Field.integer('The score from which a person has to look.', { min: 0, max: 100, example: 60 })
  reviewAt: number;

  @ApiProperty({
    description: 'The most points that the rules of a group add together.',
    type: 'object',
    additionalProperties: { type: 'integer', minimum: 0, maximum: 100 },
    example: { default: 60, LISTS: 100, DEVICE_FRAUD: 90 },
  })
  @Check('caps', (value) => (areCaps(value) ? null : CAPS))
  caps: Record<string, number>;

  @Field.object(() => BandsBody, 'The lowest score of each band; LOW begins at 0.') bands: BandsBody;
}

export class FromAmountBody {
  @ApiProperty({ description: 'The amount, in the currency beside it.', example: 10_000 })
  @IsNumber()
  @Min(0)
  amount: number;

  @ApiProperty({
    description: 'The parts of which a score is made.',
    isArray: true,
    enum: componentNames,
    example: ['PROFILE'],
  })
  @IsIn(componentNames, { each: true })
  @ArrayMaxSize(componentNames.length)
  components: (typeof componentNames)[number][];
}

export class ExemptionBody {
  @Field.texts('The channels to which it applies.', { min: 1, maxItems: 100, example: ['BRANCH', 'ATM'] })
  channels: string[];

  @ApiProperty({
    description: 'The parts of which a score is made.',
    isArray: true,
    enum: componentNames,
    example: ['DEVICE_IP'],
  })
  @IsIn(componentNames, { each: true })
  @ArrayMaxSize(componentNames.length)
  components: (typeof componentNames)[number][];
}

export class RequiredComponentsBody {
  @Field.texts('The types to which it applies.', {
    min: 1,
    maxItems: 100,
    example: ['PIX_*', 'TED_TRANSFER'],
  })
  types: string[];

  @ApiProperty({
    description: 'The parts of which a score is made.',
    isArray: true,
    enum: componentNames,
    example: ['IDENTITY', 'LISTS', 'VELOCITY', 'RULES'],
  })
  @IsIn(componentNames, { each: true })
  @ArrayMaxSize(componentNames.length)
  components: (typeof componentNames)[number][];

  @Field.object(() => FromAmountBody, 'More of them from an amount in BRL on.', { optional: true })
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

  @ApiPropertyOptional({
    isArray: true,
    enum: ['IN', 'OUT'],
    example: ['OUT'],
    description: 'Only for these; a transaction of unknown direction fits any.',
  })
  @IsOptional()
  @IsIn(['IN', 'OUT'], { each: true })
  @ArrayMaxSize(2)
  directions?: ('IN' | 'OUT')[];

  @Field.list(
    () => ExemptionBody,
    'Not needed on channels where nobody can give them; the receipt names them.',
    {
      optional: true,
      maxItems: 20,
    },
  )
  exemptions?: ExemptionBody[];
}

export class CompositionBody {
  @Field.list(() => RequiredComponentsBody, 'The first whose types fit counts.', { min: 1, maxItems: 100 })
  requiredComponents: RequiredComponentsBody[];
}

export class BasedOnBody {
  @Field.text('The key of the ruleset, which never changes.', { ...RULESET_KEY, example: 'br-starter' })
  key: string;
  @Field.ordinal('The version of the ruleset.', { example: 1 }) version: number;
}

/** The content of a draft. Omitted parts are taken from the version that it is based on. */
export class RulesetContentBody {
  @Field.object(
    () => BasedOnBody,
    'The version it starts from; of the same ruleset the live one, else the newest, unless given.',
    { optional: true },
  )
  basedOn?: BasedOnBody;

  @Field.object(() => LocalisedBody, 'The name of the ruleset.', { optional: true }) name?: LocalisedBody;
  @Field.object(() => SelectorBody, 'To which transactions it applies.', { optional: true })
  selector?: SelectorBody;

  @Field.object(
    () => ExperimentBody,
    'Makes it a challenger; null makes a challenger an ordinary ruleset again.',
    { optional: true, nullable: true },
  )
  experiment?: ExperimentBody | null;

  @Field.list(() => HeldRuleBody, 'All the rules, released ones of the library.', {
    max: MAX_RULES,
    optional: true,
  })
  rules?: HeldRuleBody[];

  @Field.list(() => HeldRuleBody, 'Rules to add, or to hold in another version or mode.', {
    max: MAX_RULES,
    optional: true,
  })
  putRules?: HeldRuleBody[];

  @Field.texts('Keys of rules to leave out.', { max: MAX_RULES, optional: true }) removeRules?: string[];
  @Field.list(() => DampenerBody, 'What lowers the points of hits that belong together.', {
    maxItems: 20,
    optional: true,
  })
  dampeners?: DampenerBody[];
  @Field.object(() => ScoringBody, 'How points become a score, a level and an outcome.', { optional: true })
  scoring?: ScoringBody;
  @Field.object(() => CompositionBody, 'Whether the score has all that it needs.', { optional: true })
  composition?: CompositionBody;
}

export class NewRulesetBody extends RulesetContentBody {
  @Field.text('A new key, or one whose next version this is to be.', {
    ...RULESET_KEY,
    example: 'br-starter',
  })
  key: string;
}

export class ChangeRulesetBody extends RulesetContentBody {
  @Field.ordinal('The revision that this changes.', { optional: true }) revision?: number;
}

export class RulesetReasonBody {
  @Field.text('The reason, in your own words.', {
    minLength: 1,
    maxLength: 1_000,
    example: 'Threshold too low for salary days.',
  })
  reason: string;
}

export class RollbackBody {
  @Field.ordinal('The version whose content comes back.', { example: 1 }) toVersion: number;

  @Field.string('The reason, in your own words.', {
    minLength: 10,
    maxLength: 2000,
    example: 'The new threshold stops ordinary salaries.',
  })
  reason: string;
}

export class PublicationBody {
  @Field.string('The reason, in your own words.', {
    minLength: 10,
    maxLength: 2000,
    example: 'Fewer false alarms on salary days; see the back-test.',
  })
  reason: string;
}

export class RuleModeBody {
  @Field.enum(MODES, 'Whether the rule counts, or is only watched.') mode: (typeof MODES)[number];
}

export class SnoozeBody {
  @Field.date('At most 30 days ahead.') until: string;

  @Field.text('The reason, in your own words.', {
    minLength: 1,
    maxLength: 1_000,
    example: 'Payroll run of 25 November.',
  })
  reason: string;
}

export class BacktestBody {
  @Field.date('Transactions that occurred from then on.', { optional: true }) from?: string;

  @Field.date('And before this; now, unless given.', { optional: true }) to?: string;
}

export class RulesetKeyParams {
  @Field.text('The key of the ruleset, which never changes.', { ...RULESET_KEY, example: 'br-starter' })
  key: string;
}

export class RulesetVersionParams extends RulesetKeyParams {
  @Field.ordinal('The version of the ruleset.', { url: true, example: 2 }) version: number;
}

export class BacktestParams extends RulesetVersionParams {
  @Field.text('The id of the back-test.', { max: 64, example: 'bkt_019364d0c0de7000a000000000000001' })
  id: string;
}

export class SnoozeParams extends RulesetKeyParams {
  @Field.text('The id of the snooze.', { max: 64, example: 'snz_019364d0c0de7000a000000000000001' })
  id: string;
}

export class HeldRuleParams extends RulesetKeyParams {
  @Field.text('The key of the rule.', { ...RULE_KEY, example: 'BR-STR-08' }) rule: string;
}

export class HeldRuleVersionParams extends HeldRuleParams {
  @Field.ordinal('The version of the ruleset.', { url: true, example: 2 }) version: number;
}

export class RulesetListQuery extends PageQuery {
  @Field.text('Only those with this key.', { ...RULESET_KEY, optional: true, example: 'br-starter' })
  key?: string;

  @Field.enum(['DRAFT', 'PUBLISHED', 'ARCHIVED'], 'Only those with this status.', { optional: true })
  status?: 'DRAFT' | 'PUBLISHED' | 'ARCHIVED';
}
