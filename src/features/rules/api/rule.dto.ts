import { ApiExtraModels, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { ArrayMaxSize, IsIn, IsObject, IsOptional } from 'class-validator';
import { Check, Field, createFault, PageQuery } from '../../../platform/http/index.js';
import { componentNames, LIMITS } from '../language/index.js';
import { AggregateBody, AGGREGATES, areAggregates } from './aggregate.dto.js';
import { LocalisedBody } from './localised.dto.js';

const KEY_FORM = 'capital letters, digits and hyphens, such as BR-PIX-15';
const CODE = { max: 64, pattern: /^[A-Z][A-Z0-9_]*$/, form: 'a code in capital letters, such as VELOCITY' };
/** A text of the rule language; the compiler reports its faults. */
const EXPRESSION = { max: LIMITS.text };
export const RULE_KEY = { max: 40, pattern: /^[A-Z][A-Z0-9]*(-[A-Z0-9]+)*$/, form: KEY_FORM };
export const RULESET_KEY = {
  max: 40,
  pattern: /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
  form: 'small letters, digits and hyphens',
};
const MODES = ['LIVE', 'SHADOW', 'DISABLED'] as const;

export class AppliesToBody {
  @Field.texts('Codes, beginnings such as PIX_*, or *.', {
    maxItems: 100,
    default: ['*'],
    example: ['PIX_*'],
  })
  types: string[] = ['*'];

  @Field.texts('The channels to which it applies.', { maxItems: 100, default: ['*'] }) channels: string[] = [
    '*',
  ];
  @Field.texts('The currencies to which it applies.', { maxItems: 100, default: ['*'] })
  currencies: string[] = ['*'];

  @ApiPropertyOptional({
    description: 'The directions to which it applies.',
    isArray: true,
    enum: ['IN', 'OUT'],
    default: ['IN', 'OUT'],
  })
  @IsIn(['IN', 'OUT'], { each: true })
  @ArrayMaxSize(2)
  directions: ('IN' | 'OUT')[] = ['IN', 'OUT'];
}

export class ScoreTierBody {
  @Field.text('The condition.', { ...EXPRESSION, example: 'amountBrl >= 50000' }) when: string;
  @Field.integer('How many points it adds to the score.', { min: 0, max: 100, example: 60 }) points: number;
}

export class RuleScoreBody {
  @Field.integer('How many points it adds to the score.', { min: 0, max: 100, example: 20 }) points: number;
  @Field.text('The family whose points are capped together.', { ...CODE, example: 'VELOCITY' }) group: string;

  @Field.integer('The most points that its group adds.', {
    min: 0,
    max: 100,
    optional: true,
    nullable: true,
    default: null,
  })
  groupMax: number | null = null;

  @Field.list(() => ScoreTierBody, 'Other points for graver cases of the same hit.', {
    maxItems: 10,
    optional: true,
  })
  tiers?: ScoreTierBody[];
}

export class RuleEffectBody {
  @ApiPropertyOptional({
    description: 'The mildest outcome that a hit allows.',
    enum: ['REVIEW', null],
    nullable: true,
    type: String,
    default: null,
  })
  @IsOptional()
  @IsIn(['REVIEW'])
  minOutcome: 'REVIEW' | null = null;

  @Field.enum(['NONE', 'STEP_UP', 'HOLD', 'DECLINE'], 'What a hit advises to do.', { default: 'NONE' })
  recommend: 'NONE' | 'STEP_UP' | 'HOLD' | 'DECLINE' = 'NONE';

  @Field.text('The stable code of the reason.', { ...CODE, example: 'NIGHT_PIX' }) reasonCode: string;
}

export class EvidenceBody {
  @Field.text('The field that the rule reads.', { max: 64, example: 'outgoing.sum24h' }) feature: string;
  @Field.flag('Whether it has to be there.', { default: false }) required = false;
}

export class LegalBasisBody {
  @Field.text('The law or rule.', { max: 200, example: 'BCB Carta Circular 4.001/2020' }) norm: string;
  @Field.text('The article or number of the norm.', { max: 200, example: 'art. 1º, IV, b' }) item: string;

  @Field.integer('The code of the occurrence in Siscoaf.', {
    min: 1000,
    max: 9999,
    optional: true,
    nullable: true,
    default: null,
    example: 1046,
  })
  siscoafCode: number | null = null;
}

const ACTION = createFault(
  'VALUE_NOT_ALLOWED',
  'Must be STEP_UP_SESSION with flowKey, onlyIfNoneWithin, expiresIn and possibly expiresInAtNight, or OPEN_CASE with queue.',
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
  // Only built-in rules set `expiresInAtNight`; operators may copy them.
  const { expiresInAtNight, ...needed } = rest;
  return (
    type === 'STEP_UP_SESSION' &&
    Object.keys(needed).sort().join() === 'expiresIn,flowKey,onlyIfNoneWithin' &&
    fits('flowKey', NAME) &&
    fits('expiresIn', DURATION) &&
    fits('onlyIfNoneWithin', DURATION) &&
    (expiresInAtNight === undefined || fits('expiresInAtNight', DURATION))
  );
}

const PARAMETERS = createFault(
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

/** The common fields of rules and dampeners. */
@ApiExtraModels(AggregateBody)
export class ConditionBody {
  @Field.text(`The key, which never changes: ${KEY_FORM}.`, { ...RULE_KEY, example: 'ACME-NIGHT-01' })
  key: string;
  @Field.object(() => LocalisedBody, 'The name of the rule or dampener.') name: LocalisedBody;

  @Field.object(() => LocalisedBody, 'The name, unless given.', { optional: true })
  description?: LocalisedBody;

  @Field.object(() => AppliesToBody, 'Everything, unless given.', { required: false })
  appliesTo: AppliesToBody = new AppliesToBody();

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'Thresholds with a name, read as `param.name`.',
    example: { limit: { value: 1000, unit: 'BRL', label: { 'pt-BR': 'limite', en: 'limit' } } },
  })
  @Check('parameters', (value) => (areParameters(value) ? null : PARAMETERS))
  parameters: Record<string, never> = {};

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { $ref: getSchemaPath(AggregateBody) },
    description: 'Figures over earlier transactions with a name, read as `aggregate.name`.',
    example: {
      cashIn30d: { function: 'sum', by: 'customer', window: '30d', where: 'direction == "IN" && cash' },
    },
  })
  @IsOptional()
  @Check('aggregates', (value) => (areAggregates(value) ? null : AGGREGATES))
  aggregates?: Record<string, never>;

  @Field.text('The condition, in the rule language.', {
    ...EXPRESSION,
    example: 'amountBrl > param.limit && occurredAt.localHour("America/Sao_Paulo") >= 20',
  })
  when: string;

  @Field.enum(MODES, 'SHADOW: evaluated and recorded, without effect.', { default: 'SHADOW' })
  mode: (typeof MODES)[number] = 'SHADOW';

  @Field.object(() => LocalisedBody, 'The reason in words; `{feature}` stands for a value.')
  message: LocalisedBody;
}

/** A rule as an operator writes it. The defaults have the least effect. */
export class RuleBody extends ConditionBody {
  @Field.enum(['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'], 'How grave it is.', { default: 'MEDIUM' })
  severity: 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL' = 'MEDIUM';

  @Field.enum(componentNames, 'The component that a hit belongs to.', { default: 'RULES' })
  component: (typeof componentNames)[number] = 'RULES';

  @Field.text('The kind of risk that it is about.', { ...CODE, default: 'CUSTOM', example: 'VELOCITY' })
  category = 'CUSTOM';
  @Field.texts('Words by which it is found.', { maxItems: 20, default: [] }) tags: string[] = [];
  @Field.object(() => RuleScoreBody, 'How many points a hit adds, and under which conditions.')
  score: RuleScoreBody;
  @Field.object(() => RuleEffectBody, 'What follows from it.') effect: RuleEffectBody;

  @Field.enum(
    ['PARTIAL', 'RECORD'],
    'PARTIAL: a person decides when the rule cannot be decided. RECORD: it is only noted.',
    { default: 'PARTIAL' },
  )
  onIndeterminate: 'PARTIAL' | 'RECORD' = 'PARTIAL';

  @Field.list(() => EvidenceBody, 'What speaks for it, with its source.', { maxItems: 20, default: [] })
  evidence: EvidenceBody[] = [];

  @ApiPropertyOptional({
    description: 'What the customer or the integrator is asked to do.',
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    default: [],
    example: [{ type: 'STEP_UP_SESSION', flowKey: 'step-up', onlyIfNoneWithin: 'P30D', expiresIn: 'PT30M' }],
  })
  @Check('actions', (value) =>
    Array.isArray(value) && value.length <= 5 && value.every(isAction) ? null : ACTION,
  )
  actions: never[] = [];

  @Field.texts('Ids of the lists that the condition asks.', { maxItems: 20, default: [] }) lists: string[] =
    [];

  @ApiPropertyOptional({
    description: 'Marks that the rules set.',
    isArray: true,
    enum: ['REPORT_COE', 'EVIDENCE_GAP'],
    default: [],
  })
  @IsIn(['REPORT_COE', 'EVIDENCE_GAP'], { each: true })
  @ArrayMaxSize(2)
  flags: ('REPORT_COE' | 'EVIDENCE_GAP')[] = [];

  @Field.text('For how long the rule does not count again for the same customer (ISO 8601).', {
    max: 20,
    optional: true,
    nullable: true,
    default: null,
    example: 'PT24H',
  })
  cooldown: string | null = null;

  @Field.list(() => LegalBasisBody, 'The norms on which it stands.', { maxItems: 20, default: [] })
  legalBasis: LegalBasisBody[] = [];
}

export class RuleDraftBody extends RuleBody {
  @Field.ordinal('The revision of the draft that this replaces, 0 for none; another one is refused.', {
    min: 0,
    optional: true,
  })
  revision?: number;
}

export class RuleListQuery extends PageQuery {
  @Field.text('Only those with this key.', { ...RULE_KEY, optional: true, example: 'BR-STR-08' })
  key?: string;
  @Field.enum(['DRAFT', 'RELEASED'], 'Only those with this status.', { optional: true }) status?:
    'DRAFT' | 'RELEASED';
}

export class RuleKeyParams {
  @Field.text('The key of the rule, which never changes.', { ...RULE_KEY, example: 'BR-STR-08' }) key: string;
}

export class RuleVersionParams extends RuleKeyParams {
  @Field.ordinal('The version of the rule.', { url: true, example: 1 }) version: number;
}

export class CheckRuleBody {
  @Field.text('A condition alone.', { ...EXPRESSION, optional: true, example: 'outgoing.sum24 > 50000' })
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

  @Field.object(() => RuleBody, 'A whole rule, instead of `when`.', { optional: true }) rule?: RuleBody;
}
