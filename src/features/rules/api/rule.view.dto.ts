import { customerEventTypes } from '../../../platform/kernel/reference/customer-events.js';
import { ErrorDetailView, View, viewOf } from '../../../platform/http/index.js';
import { toPublicActor } from '../../../platform/kernel/index.js';
import {
  aggregateFunctions,
  aggregateKeys,
  rowSchema,
  shapes,
  type BuilderNode,
  type FeatureDefinition,
  type Localised,
} from '../language/index.js';
import type { RuleRecord } from '../store/rules.queries.js';
import { LocalisedBody } from './localised.dto.js';
import { RuleBody } from './rule.dto.js';
import type { CheckedAggregate, CheckedRule } from '../domain/checked-rule.js';

/** The stored definition, with its version. */
export class StoredRuleView extends RuleBody {
  @View.integer('The version of the rule.', { example: 1 }) version: number;
}

export class RuleView {
  @View.id('rul', 'The id of the rule.') id: string;
  @View.text('The key of the rule, which never changes.', { example: 'BR-STR-08' }) key: string;
  @View.integer('The version of the rule.', { example: 1 }) version: number;
  @View.enum(['DRAFT', 'RELEASED'], 'The status of the rule.', { example: 'RELEASED' }) status: string;
  @View.integer('Grows with each change of a draft.', { example: 1 }) revision: number;

  @View.text('SHA-256 of the canonical definition.', { example: 'b5bb9d8014a0f9b1d61e21e796d78dcc...' })
  contentHash: string;

  @View.object(StoredRuleView, 'The whole definition of the rule, as it was written.') definition: unknown;
  @View.id('opr', 'Who wrote the rule.') author: string;
  @View.instant('When the rule was last changed.') updatedAt: string;
  @View.instantOrNull('When it was released.') releasedAt: string | null;

  static of(row: RuleRecord): RuleView {
    return viewOf(RuleView, row, {
      contentHash: row.contentHash.toString('hex'),
      definition: row.content,
      author: toPublicActor(row.author),
    });
  }
}

export class CheckedAggregateView implements CheckedAggregate {
  @View.text('The name of the aggregate.', { example: 'aggregate.cashIn30d' }) name: string;
  @View.enum(['number', 'string', 'bool', 'time'], 'The type of the aggregate.', { example: 'number' })
  type: string;
  @View.textOrNull('The unit of the value.', { example: 'BRL' }) unit: string | null;

  @View.object(LocalisedBody, 'What it is, in plain words.', {
    example: {
      'pt-BR': 'a soma dos valores em reais das transações do cliente em 30 dias',
      en: 'the sum of the amounts in reais of transactions of the customer within 30 days',
    },
  })
  words: Localised;

  @View.integer('Steps that it takes for a transaction at most.', { example: 14_000 }) cost: number;
}

export class CheckedRuleView implements CheckedRule {
  @View.flag('Whether nothing is wrong.', { example: false }) ok: boolean;

  @View.list(ErrorDetailView, 'Everything that is wrong, with its place and a suggestion.', {
    example: [
      {
        path: 'when',
        code: 'UNKNOWN_FIELD',
        message: 'There is no such field.',
        position: { start: 0, end: 14, line: 1, column: 1 },
        suggestion: 'outgoing.sum24h',
      },
    ],
  })
  details: readonly ErrorDetailView[];

  @View.list(
    ErrorDetailView,
    'What hardly means what it says, though it runs: comparisons that are always or never true, and texts that a field never holds.',
    {
      example: [
        {
          path: 'when',
          code: 'UNKNOWN_VALUE',
          message: 'The field currency never holds this text.',
          position: { start: 12, end: 18, line: 1, column: 13 },
          found: 'REAL',
        },
      ],
    },
  )
  remarks: readonly ErrorDetailView[];

  @View.texts('Features that are read.', { optional: true, example: ['outgoing.sum24h'] })
  features?: readonly string[];

  @View.integer('Steps that an evaluation takes at most.', { optional: true, example: 3 }) cost?: number;
  @View.texts('Ids of the lists that are asked.', { optional: true, example: [] }) lists?: readonly string[];

  @View.text('The condition as text.', { optional: true, example: 'amountBrl > 1000 && sameHolder' })
  when?: string;

  @View.json('The same condition in the form of the condition builder.', {
    optional: true,
    example: {
      all: [
        { path: 'amountBrl', op: '>', value: 1000 },
        { path: 'sameHolder', op: 'isTrue' },
      ],
    },
  })
  condition?: BuilderNode;

  @View.object(LocalisedBody, 'The same condition in plain words.', {
    optional: true,
    example: {
      'pt-BR': 'o valor em reais é maior que R$ 1.000,00 e origem e destino são do mesmo titular',
      en: 'the amount in reais is more than BRL 1,000.00 and both sides have the same holder',
    },
  })
  words?: Localised;

  @View.list(CheckedAggregateView, 'The aggregates that the rule declares.', { optional: true, example: [] })
  aggregates?: readonly CheckedAggregateView[];
}

export class FeatureView {
  @View.text('The name of the field.', { example: 'outgoing.sum24h' }) name: string;
  @View.enum(['number', 'string', 'bool', 'time', 'numbers', 'strings'], 'The type of the field.', {
    example: 'number',
  })
  type: string;
  @View.text('Where it comes from.', { example: 'VELOCITY' }) source: string;
  @View.text('The component whose evidence it is.', { example: 'VELOCITY' }) component: string;
  @View.textOrNull('The time that is looked at.', { example: '24h' }) window: string | null;
  @View.textOrNull('The unit of the value.', { example: 'BRL' }) unit: string | null;
  @View.flag('Whether there may be none although its source works.', { example: false }) nullable: boolean;

  @View.flag('Personal data: masked in explanations, not kept for back-tests.', { example: false })
  personal: boolean;

  @View.flag('Whether it may be cut off at a cap; then it is a lower bound.', { example: true })
  capped: boolean;

  @View.flag('Whether the transaction itself is counted in.', { example: true }) includesCurrent: boolean;
  @View.text('What the field is for, in words.', { example: 'Sum of outgoing amounts.' }) description: string;
  @View.object(LocalisedBody, 'The label of the field, for people.') label: LocalisedBody;

  static of(feature: FeatureDefinition): FeatureView {
    const { name, type, source, component, window, unit, nullable, personal } = feature;
    const { capped, includesCurrent, description, label } = feature;
    return {
      ...{ name, type, source, component, window, unit, nullable, personal },
      ...{ capped, includesCurrent, description, label },
    };
  }
}

export class RowColumnView {
  @View.text('The name of the column.', { example: 'same.device' }) name: string;
  @View.enum(['number', 'string', 'bool', 'time'], 'The type of the column.', { example: 'bool' })
  type: string;
  @View.object(LocalisedBody, 'The label of the column, for people.') label: LocalisedBody;
}

/** Everything that an aggregate of a rule may use, for auto-completion in editors. */
export class AggregateVocabularyView {
  @View.enums(aggregateFunctions, 'What can be made of the transactions of a window.')
  functions: readonly string[];

  @View.enums(aggregateKeys, 'Whose transactions; a custom field with history KEY is one too.')
  keys: readonly string[];

  @View.json('What each function may be of, the first where none is named.', {
    example: { sum: ['amountBrl'], distinct: ['counterparty', 'device'] },
  })
  of: Readonly<Record<string, readonly string[]>>;

  @View.enums(
    customerEventTypes,
    'Types of events of customers, which may stand in the place of transactions.',
  )
  events: readonly string[];

  @View.list(RowColumnView, 'What a filter may read of a row, and of the transaction beside it.')
  columns: RowColumnView[];

  static now(): AggregateVocabularyView {
    return {
      functions: aggregateFunctions,
      keys: aggregateKeys,
      events: customerEventTypes,
      of: Object.fromEntries(Object.entries(shapes).map(([name, { of }]) => [name, of])),
      columns: rowSchema.features.map(({ name, type, label }) => ({ name, type, label })),
    };
  }
}

export class FeaturesView {
  @View.integer('The version of the list of fields.', { example: 1 }) schemaVersion: number;
  @View.list(FeatureView, 'The fields that rules may read.') features: FeatureView[];

  @View.object(AggregateVocabularyView, 'What a rule may declare over earlier transactions.')
  aggregates: AggregateVocabularyView;
}
