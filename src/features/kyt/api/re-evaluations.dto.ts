import { ApiExtraModels, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsObject } from 'class-validator';
import { Field, View } from '../../../platform/http/index.js';
import {
  ruleApplies,
  explainRule,
  featureSchema,
  explainedValue,
  type Evaluation,
  type FactSheet,
  type FactValue,
  type Feature,
  type Truth,
} from '../../rules/index.js';
import { requestedActionViews } from '../domain/completed-data.js';
import { NotEvaluatedView } from './transaction.view.dto.js';
import { declaredFacts } from '../domain/facts/declared-facts.js';
import type { DryRunResult } from '../replay/dry-run.service.js';
import type { ReEvaluationResult } from '../pipeline/re-evaluation.service.js';
import { IngestTransactionBody } from '../contract/ingest-transaction.dto.js';
import { pick } from '../../../platform/kernel/index.js';

export class ReEvaluationView {
  @View.id('txn', 'The id of the transaction.') id: string;
  @View.integer('Counts the evaluations of the transaction from 1.', { example: 2 })
  evaluationVersion: number;
  @View.enum(['APPROVED', 'CHALLENGED', 'REVIEW', 'REJECTED'], 'The outcome.') outcome: string;
  @View.integerOrNull('The score, from 0 to 100; null where there is none.', { minimum: 0, maximum: 100 })
  riskScore: number | null;
  @View.text('SHA-256 of the decision receipt.') receiptHash: string;

  static of(
    id: string,
    { evaluationVersion, outcome, score, receiptHash }: ReEvaluationResult,
  ): ReEvaluationView {
    return { id, evaluationVersion, outcome, riskScore: score, receiptHash };
  }
}

export class TriedRulesetBody {
  @Field.text('The key of the ruleset, which never changes.', {
    max: 40,
    pattern: /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
    form: 'small letters, digits and hyphens',
    example: 'br-starter',
  })
  key: string;

  @Field.integer('The version of the ruleset.', { min: 1, max: 1_000_000, example: 2 }) version: number;
}

export class DryRunBody {
  @ApiProperty({ type: IngestTransactionBody, description: 'An event as an application would send it.' })
  @IsObject()
  transaction: object;

  @Field.object(
    () => TriedRulesetBody,
    'A draft, published or archived version; what is live for the event unless given.',
    { optional: true },
  )
  ruleset?: TriedRulesetBody;

  @Field.texts('Keys of rules whose drafts are put into the ruleset.', { maxItems: 50, default: [] })
  draftRules: string[] = [];

  @Field.id('app', 'The application that would have sent it, where rulesets are selected by application.', {
    form: 'the id of an application',
    optional: true,
    example: 'app_019364d0c0de7000a000000000000001',
  })
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

/** A comparison in a rule's condition, with its result and the values that it read. */
export class LeafView {
  @View.text('The condition, in the language of rules.', { example: 'amountBrl >= param.limit' })
  expr: string;
  @View.enum(['TRUE', 'FALSE', 'UNKNOWN'], 'What came of it.') result: string;

  @View.json('What was read; personal data is masked.', {
    example: { amountBrl: 70_000, 'param.limit': 50_000 },
  })
  values: Readonly<Record<string, unknown>>;

  @View.json('What had no value, and why.', { example: {} }) unknown: Readonly<Record<string, unknown>>;
  @View.texts('What is only known as "at least".') saturated: readonly string[];
}

export class TriedRuleView {
  @View.text('The key of the rule.', { example: 'BR-PIX-15' }) ruleId: string;
  @View.integer('The version of the rule.', { example: 1 }) version: number;
  @View.enum(['TRUE', 'FALSE', 'UNKNOWN'], 'Whether the rule is for such an event at all.') applies: Truth;
  @View.enum(['HIT', 'NO_HIT', 'INDETERMINATE'], 'What came of it.') result: string;
  @View.enum(['COUNTED', 'SHADOW', 'SUPPRESSED', 'SNOOZED', 'COOLDOWN'], 'What follows from it.')
  effect: string;
  @View.integer('How many points it adds to the score.', { example: 25 }) points: number;

  @View.list(LeafView, 'Every comparison of its condition, also when it did not hit.')
  explanation: readonly LeafView[];
}

export class TriedFactView {
  @View.enum(['KNOWN', 'MISSING', 'ERROR', 'STALE', 'SKIPPED'], 'The state of the input.') state: string;

  @ApiPropertyOptional({
    oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'array', items: {} }],
    description: 'Masked where it is personal; moments as ISO 8601.',
    example: 12,
  })
  value?: unknown;

  @View.text('The reason that was given.', { optional: true, example: 'NO_CUSTOMER_KEY' }) reason?: string;
  @View.flag('True: there may be more than the value says.', { optional: true }) saturated?: boolean;
}

/** The result of a dry-run: the evaluation that the event would get. */
@ApiExtraModels(TriedFactView)
export class DryRunView {
  @View.textOrNull('The ruleset and its version.', { example: 'br-starter@2' }) ruleset: string | null;

  @View.textOrNull('SHA-256 of the ruleset with the drafts in it; that of the version when there are none.')
  rulesetHash: string | null;

  @View.enum(['APPROVED', 'CHALLENGED', 'REVIEW', 'REJECTED'], 'The outcome.') outcome: string;
  @View.enum(['NONE', 'STEP_UP', 'HOLD', 'DECLINE'], 'What the rules advise to do.')
  recommendedAction: string;
  @View.integerOrNull('The score, from 0 to 100; null where there is none.', { minimum: 0, maximum: 100 })
  riskScore: number | null;
  @View.enumOrNull(['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'], 'The band of the score.') riskLevel: string | null;
  @View.enum(['COMPLETE', 'PARTIAL', 'MISSING', 'INCONSISTENT'], 'Whether the score has all that it needs.')
  composition: string;
  @View.flag('Whether the score can be defended.') defensible: boolean;
  @View.texts('Why the score cannot be defended; empty when it can.') nonDefensibleReasons: readonly string[];
  @View.list(NotEvaluatedView, 'Live rules that could not tell, and what they lacked.')
  notEvaluated: readonly NotEvaluatedView[];
  @View.texts('Components that such an event needs.') required: readonly string[];
  @View.json('The parts of which a score is made.') components: Readonly<Record<string, unknown>>;
  @View.jsons('The points of each group of rules.') groups: readonly unknown[];
  @View.integer('How many points were taken off.', { maximum: 0 }) dampening: number;
  @View.jsons('The rules that hit, each with what it saw.') reasons: readonly unknown[];
  @View.texts('Marks that the rules set.') flags: readonly string[];

  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: { type: 'string' } },
    description: 'What would be asked for; nothing of it is carried out.',
  })
  requestedActions: readonly unknown[];

  @View.list(TriedRuleView, 'Every rule of the ruleset that is not DISABLED.') rules: TriedRuleView[];

  @ApiProperty({
    type: 'object',
    additionalProperties: { $ref: '#/components/schemas/TriedFactView' },
    description:
      'Every fact that rules can read, by name; what a rule declares with its key before it, where another one means ' +
      'something else by the name.',
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
      ...pick(evaluation, 'nonDefensibleReasons', 'notEvaluated', 'required', 'components', 'groups'),
      ...pick(evaluation, 'dampening', 'reasons', 'flags'),
      requestedActions: requestedActionViews(evaluation.actions),
      rules: rulesOf(evaluation, sheet),
      facts: Object.fromEntries(
        [
          ...featureSchema.features.map((feature) => [feature.name, feature] as const),
          ...declaredFacts(ruleset),
        ].map(([name, feature]) => [name, factOf(feature, sheet)]),
      ),
    };
  }
}

const rulesOf = ({ rules }: Evaluation, sheet: FactSheet): TriedRuleView[] =>
  rules.map(({ rule, result, effect, points }) => ({
    ruleId: rule.definition.key,
    version: rule.definition.version,
    applies: ruleApplies(rule, sheet),
    result,
    effect,
    points,
    explanation: explainRule(rule, sheet).leaves,
  }));

function factOf(feature: Feature, sheet: FactSheet): TriedFactView {
  const fact = sheet.factAt(feature);
  if (fact.state !== 'KNOWN') return { state: fact.state, reason: fact.reason };
  return {
    state: 'KNOWN',
    value: formatValue(feature, fact.value),
    ...(fact.saturated ? { saturated: true } : {}),
  };
}

const formatValue = (feature: Feature, value: FactValue): FactValue =>
  feature.type === 'time' && typeof value === 'number' && !feature.personal
    ? new Date(value).toISOString()
    : explainedValue(feature, value);
