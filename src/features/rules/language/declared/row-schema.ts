import { FeatureSchema } from '../schema.js';
import type { FeatureDefinition, FeatureType, Unit } from '../vocabulary.js';

type Row<Name extends string> = readonly [
  name: Name,
  type: FeatureType,
  labelPt: string,
  labelEn: string,
  extra?: { readonly unit?: Unit; readonly nullable?: boolean },
];

const rowsOf = <const Name extends string>(rows: readonly Row<Name>[]): readonly Row<Name>[] => rows;

/** Columns that are stored in clear for each transaction, so that a filter may read them. */
const storedColumns = rowsOf([
  ['type', 'string', 'o tipo', 'the type'],
  ['instrument', 'string', 'o instrumento', 'the instrument'],
  ['cash', 'bool', 'é em espécie', 'it is in cash'],
  ['channel', 'string', 'o canal', 'the channel'],
  ['currency', 'string', 'a moeda', 'the currency'],
  ['amount', 'number', 'o valor na sua moeda', 'the amount in its currency', { unit: 'MONEY' }],
  ['amountBrl', 'number', 'o valor em reais', 'the amount in reais', { unit: 'BRL', nullable: true }],
  ['occurredAt', 'time', 'o seu momento', 'its moment'],
  ['direction', 'string', 'a direção', 'the direction', { nullable: true }],
  ['origin.country', 'string', 'o país da origem', 'the country of the origin', { nullable: true }],
  [
    'destination.country',
    'string',
    'o país do destino',
    'the country of the destination',
    { nullable: true },
  ],
  [
    'ownAccount',
    'bool',
    'a contraparte é o próprio cliente',
    'the counterparty is the customer',
    { nullable: true },
  ],
  ['outcome', 'string', 'o resultado que tinha', 'the outcome that it had'],
]);

/** True if a row has the same key as the evaluated transaction; MISSING when that transaction has no such key. */
const sameKeyColumns = rowsOf([
  ['same.customer', 'bool', 'é do mesmo cliente', 'it is of the same customer', { nullable: true }],
  [
    'same.counterparty',
    'bool',
    'tem a mesma contraparte',
    'it has the same counterparty',
    { nullable: true },
  ],
  ['same.account', 'bool', 'usa a mesma conta', 'it uses the same account', { nullable: true }],
  ['same.device', 'bool', 'usa o mesmo dispositivo', 'it uses the same device', { nullable: true }],
  ['same.ip', 'bool', 'vem do mesmo endereço IP', 'it comes from the same IP address', { nullable: true }],
  ['same.card', 'bool', 'usa o mesmo cartão', 'it uses the same card', { nullable: true }],
]);

/** Columns of the evaluated transaction, which a filter may compare with those of the row. */
const currentColumns = rowsOf([
  ['now.type', 'string', 'o tipo desta transação', 'the type of this transaction'],
  ['now.channel', 'string', 'o canal desta transação', 'the channel of this transaction'],
  ['now.currency', 'string', 'a moeda desta transação', 'the currency of this transaction'],
  [
    'now.amount',
    'number',
    'o valor desta transação na sua moeda',
    'the amount of this transaction in its currency',
    { unit: 'MONEY' },
  ],
  [
    'now.amountBrl',
    'number',
    'o valor desta transação em reais',
    'the amount of this transaction in reais',
    { unit: 'BRL', nullable: true },
  ],
  ['now.occurredAt', 'time', 'o momento desta transação', 'the moment of this transaction'],
  [
    'now.direction',
    'string',
    'a direção desta transação',
    'the direction of this transaction',
    { nullable: true },
  ],
]);

export const rowColumns = [...storedColumns, ...sameKeyColumns, ...currentColumns];
export type RowColumn = (typeof rowColumns)[number][0];

const definitionOf = (
  [name, type, pt, en, extra]: Row<RowColumn>,
  number: number,
): FeatureDefinition<RowColumn> => ({
  number,
  name,
  type,
  source: 'TRANSACTION',
  component: 'VELOCITY',
  window: null,
  unit: extra?.unit ?? null,
  nullable: extra?.nullable ?? false,
  personal: false,
  capped: false,
  includesCurrent: true,
  description: en,
  label: { 'pt-BR': pt, en },
});

/** Everything that a filter of an aggregate may read: a transaction of its window, and the evaluated transaction. */
export const rowSchema = new FeatureSchema<RowColumn>(1, rowColumns.map(definitionOf));

const eventColumns: readonly RowColumn[] = [
  ...(['type', 'channel', 'occurredAt'] as const),
  ...(['same.customer', 'same.account', 'same.device', 'same.ip'] as const),
  ...currentColumns.map(([name]) => name),
];

/** The same for a window of events: the event, and the evaluated transaction. */
export const eventRowSchema = new FeatureSchema<RowColumn>(
  1,
  rowColumns.filter(([name]) => eventColumns.includes(name)).map(definitionOf),
);
