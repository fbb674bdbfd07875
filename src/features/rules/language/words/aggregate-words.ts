import type { AggregateDefinition } from '../declared/aggregate-definition.js';
import { eventRowSchema, rowSchema } from '../declared/row-schema.js';
import type { ParameterDefinition } from '../rule/rule-definition.js';
import type { Expression } from '../syntax/ast.js';
import type { Language } from '../vocabulary.js';
import { printPlainLanguage } from './plain-language.js';

type Words = Readonly<Record<string, string>>;

interface Phrases {
  readonly functions: Readonly<
    Record<Exclude<AggregateDefinition['function'], 'ratio'>, (of: ValueNames, rank: number) => string>
  >;
  readonly eventFunctions: Readonly<
    Partial<Record<AggregateDefinition['function'], (of: ValueNames, types: string) => string>>
  >;
  readonly measured: Words;
  readonly plural: Words;
  readonly single: Words;
  readonly field: (name: string) => ValueNames;
  readonly by: Words;
  readonly byField: (name: string) => string;
  readonly units: Words;
  readonly within: (n: string, unit: string) => string;
  readonly today: string;
  readonly before: (n: string, unit: string) => string;
  readonly without: string;
  readonly where: (filter: string) => string;
}

/** The name of a function's value, in the forms that sentences need. */
interface ValueNames {
  readonly measured: string;
  readonly plural: string;
  readonly single: string;
}

const PT: Phrases = {
  functions: {
    count: () => 'a quantidade de transações',
    sum: ({ measured }) => `a soma ${measured} das transações`,
    min: ({ measured }) => `o menor ${measured} das transações`,
    max: ({ measured }) => `o maior ${measured} das transações`,
    mean: ({ measured }) => `a média ${measured} das transações`,
    sd: ({ measured }) => `o desvio padrão ${measured} das transações`,
    percentile: ({ measured }, rank) => `o percentil ${rank} ${measured} das transações`,
    distinct: ({ plural }) => `a quantidade de ${plural} diferentes nas transações`,
    first: ({ single }) => `${single} da primeira transação`,
    last: ({ single }) => `${single} da última transação`,
  },
  eventFunctions: {
    count: (_, types) => `a quantidade de eventos ${types}`,
    distinct: ({ plural }, types) => `a quantidade de ${plural} diferentes nos eventos ${types}`,
    first: ({ single }, types) => `${single} do primeiro evento ${types}`,
    last: ({ single }, types) => `${single} do último evento ${types}`,
  },
  measured: { amountBrl: 'dos valores em reais' },
  plural: {
    counterparty: 'contrapartes',
    customer: 'clientes',
    device: 'dispositivos',
    ip: 'endereços IP',
    account: 'contas',
    card: 'cartões',
    type: 'tipos',
    channel: 'canais',
    currency: 'moedas',
    'origin.country': 'países de origem',
    'destination.country': 'países de destino',
    day: 'dias',
  },
  single: {
    occurredAt: 'o momento',
    amountBrl: 'o valor em reais',
    type: 'o tipo',
    channel: 'o canal',
    currency: 'a moeda',
    'origin.country': 'o país da origem',
    'destination.country': 'o país do destino',
  },
  field: (name) => ({
    measured: `do campo ${name}`,
    plural: `valores de ${name}`,
    single: `o campo ${name}`,
  }),
  by: {
    customer: 'do cliente',
    document: 'do documento do cliente',
    account: 'da conta',
    counterparty: 'com a contraparte',
    device: 'do dispositivo',
    ip: 'do endereço IP',
    pair: 'do cliente com a contraparte',
    card: 'do cartão',
  },
  byField: (name) => `com o mesmo ${name}`,
  units: { m: 'minutos', h: 'horas', d: 'dias', bd: 'dias úteis' },
  within: (n, unit) => `em ${n} ${unit}`,
  today: 'no dia',
  before: (n, unit) => `até ${n} ${unit} antes`,
  without: 'sem contar esta',
  where: (filter) => `em que ${filter}`,
};

const EN: Phrases = {
  functions: {
    count: () => 'the number of transactions',
    sum: ({ measured }) => `the sum ${measured} of transactions`,
    min: ({ measured }) => `the least ${measured} of transactions`,
    max: ({ measured }) => `the largest ${measured} of transactions`,
    mean: ({ measured }) => `the mean ${measured} of transactions`,
    sd: ({ measured }) => `the standard deviation ${measured} of transactions`,
    percentile: ({ measured }, rank) => `percentile ${rank} ${measured} of transactions`,
    distinct: ({ plural }) => `the number of different ${plural} in transactions`,
    first: ({ single }) => `${single} of the first transaction`,
    last: ({ single }) => `${single} of the last transaction`,
  },
  eventFunctions: {
    count: (_, types) => `the number of events ${types}`,
    distinct: ({ plural }, types) => `the number of different ${plural} in events ${types}`,
    first: ({ single }, types) => `${single} of the first event ${types}`,
    last: ({ single }, types) => `${single} of the last event ${types}`,
  },
  measured: { amountBrl: 'of the amounts in reais' },
  plural: {
    counterparty: 'counterparties',
    customer: 'customers',
    device: 'devices',
    ip: 'IP addresses',
    account: 'accounts',
    card: 'cards',
    type: 'types',
    channel: 'channels',
    currency: 'currencies',
    'origin.country': 'countries of origin',
    'destination.country': 'countries of destination',
    day: 'days',
  },
  single: {
    occurredAt: 'the moment',
    amountBrl: 'the amount in reais',
    type: 'the type',
    channel: 'the channel',
    currency: 'the currency',
    'origin.country': 'the country of the origin',
    'destination.country': 'the country of the destination',
  },
  field: (name) => ({ measured: `of ${name}`, plural: `values of ${name}`, single: `the field ${name}` }),
  by: {
    customer: 'of the customer',
    document: "of the customer's document",
    account: 'of the account',
    counterparty: 'with the counterparty',
    device: 'of the device',
    ip: 'of the IP address',
    pair: 'of the customer with the counterparty',
    card: 'of the card',
  },
  byField: (name) => `with the same ${name}`,
  units: { m: 'minutes', h: 'hours', d: 'days', bd: 'business days' },
  within: (n, unit) => `within ${n} ${unit}`,
  today: 'on the day',
  before: (n, unit) => `up to ${n} ${unit} before`,
  without: 'not counting this one',
  where: (filter) => `for which ${filter}`,
};

const PHRASES: Readonly<Record<Language, Phrases>> = { 'pt-BR': PT, en: EN };
const SPAN = /^(\d+)(m|h|d|bd)$/;

/** Describes an aggregate of a window: `a soma dos valores em reais das transações do cliente em 30 dias`. */
export function describeAggregate(
  { function: fn, of, events, by = '', window = '', offset, percentile, current }: AggregateDefinition,
  language: Language,
  where: Expression | null,
  parameters: Readonly<Record<string, ParameterDefinition>>,
): string {
  if (fn === 'ratio') return '';
  const say = PHRASES[language];
  const spanOf = (text: string, write: (n: string, unit: string) => string): string => {
    const match = SPAN.exec(text);
    return match ? write(match[1] ?? '', say.units[match[2] ?? ''] ?? '') : say.today;
  };
  const name = typeof of === 'string' ? of : events ? 'occurredAt' : 'amountBrl';
  const field = say.field(name);
  const chosenNames: ValueNames = {
    measured: say.measured[name] ?? field.measured,
    plural: say.plural[name] ?? field.plural,
    single: say.single[name] ?? field.single,
  };
  return [
    events
      ? (say.eventFunctions[fn]?.(chosenNames, events.join(', ')) ?? '')
      : say.functions[fn](chosenNames, percentile ?? 0),
    say.by[by] ?? say.byField(by),
    spanOf(window, say.within),
    ...(offset === undefined ? [] : [spanOf(offset, say.before)]),
    ...(current === false ? [say.without] : []),
    ...(where === null
      ? []
      : [
          say.where(
            printPlainLanguage(where, language, { schema: events ? eventRowSchema : rowSchema, parameters }),
          ),
        ]),
  ].join(' ');
}
