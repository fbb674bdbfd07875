import { customerEventTypes } from '../../../platform/kernel/reference/customer-events.js';
import { Field, createFault } from '../../../platform/http/index.js';
import { aggregateFunctions, LIMITS, type AggregateDefinition } from '../language/index.js';
import { LocalisedBody } from './localised.dto.js';

/** One aggregate of a rule; the check of the rule reports its faults. */
export class AggregateBody {
  @Field.enum(aggregateFunctions, 'What is made of the transactions of the window.', { example: 'sum' })
  function: (typeof aggregateFunctions)[number];

  @Field.text('What is added up, compared or told apart; of a ratio, the names of its two aggregates.', {
    max: 64,
    optional: true,
    example: 'amountBrl',
  })
  of?: string;

  @Field.texts('Types of events: the figure is over these events in the place of transactions.', {
    maxItems: customerEventTypes.length,
    optional: true,
    example: ['PASSWORD_CHANGED'],
  })
  events?: string[];

  @Field.number('Only of a percentile.', { min: 0, max: 100, optional: true, example: 95 })
  percentile?: number;

  @Field.text(
    'Whose transactions: customer, document, account, counterparty, device, ip, pair, card, or custom.NAME.',
    { max: 64, optional: true, example: 'customer' },
  )
  by?: string;

  @Field.text('30m, 24h, 90d, 5bd (business days) or day (the local day).', {
    max: 16,
    optional: true,
    example: '30d',
  })
  window?: string;

  @Field.text('The window ends so long before the transaction.', { max: 16, optional: true, example: '1d' })
  offset?: string;

  @Field.text('Which transactions count: a condition over a row.', {
    max: LIMITS.text,
    optional: true,
    example: 'direction == "IN" && cash',
  })
  where?: string;

  @Field.flag('Whether the transaction itself counts, where it fits.', { optional: true, default: true })
  current?: boolean;

  @Field.object(() => LocalisedBody, 'How it is called in sentences; else it is described.', {
    optional: true,
  })
  label?: LocalisedBody;
}

export const AGGREGATES = createFault(
  'VALUE_NOT_ALLOWED',
  `At most ${LIMITS.aggregates} aggregates by name, each with a function and what it is of, by, and over.`,
);

const isText = (value: unknown): boolean => typeof value === 'string' && value.length <= LIMITS.text;
const isLabel = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).sort().join() === 'en,pt-BR' &&
  Object.values(value).every((text) => isText(text));

const MEMBER_TESTS: Readonly<Record<keyof AggregateDefinition, (value: unknown) => boolean>> = {
  function: isText,
  of: (value) => isText(value) || (Array.isArray(value) && value.length === 2 && value.every(isText)),
  events: (value) => Array.isArray(value) && value.length <= customerEventTypes.length && value.every(isText),
  percentile: (value) => typeof value === 'number',
  by: isText,
  window: isText,
  offset: isText,
  where: isText,
  current: (value) => typeof value === 'boolean',
  label: isLabel,
};

/** True if each field has its type; the check of the rule reports unknown fields. */
const isAggregate = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  'function' in value &&
  Object.entries(value).every(([name, member]) =>
    Object.hasOwn(MEMBER_TESTS, name)
      ? MEMBER_TESTS[name as keyof AggregateDefinition](member)
      : isText(member),
  );

export const areAggregates = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length <= LIMITS.aggregates &&
  Object.values(value).every(isAggregate);
