import fc from 'fast-check';
import type { Expression } from '../../src/features/rules/language/syntax/ast.js';
import {
  FactSheet,
  featureSchema,
  type FeatureName,
  type FactValue,
  type RuleDefinition,
} from '../../src/features/rules/language/index.js';

/** Without the places of its parts, so that trees from different texts can be compared. */
export function bare(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(bare);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => !['start', 'end', 'nameSpan', 'listSpan'].includes(key))
      .map(([key, value]) => [key, bare(value)]),
  );
}

export const aRule = (changes: Partial<RuleDefinition> = {}): RuleDefinition => ({
  key: 'T-1',
  version: 1,
  name: { 'pt-BR': 'Teste', en: 'Test' },
  description: { 'pt-BR': 'Teste', en: 'Test' },
  severity: 'LOW',
  component: 'RULES',
  category: 'TEST',
  tags: [],
  appliesTo: { types: ['*'], channels: ['*'], currencies: ['*'], directions: ['IN', 'OUT'] },
  parameters: {},
  when: 'true',
  score: { points: 10, group: 'TEST', groupMax: null },
  effect: { minOutcome: null, recommend: 'NONE', reasonCode: 'TEST' },
  onIndeterminate: 'RECORD',
  evidence: [],
  actions: [],
  lists: [],
  flags: [],
  mode: 'LIVE',
  cooldown: null,
  message: { 'pt-BR': 'Valor {amountBrl}.', en: 'Amount {amountBrl}.' },
  legalBasis: [],
  ...changes,
});

const AT = { start: 0, end: 0 };
type ResultType = 'bool' | 'number' | 'string';

const NUMBERS = [
  'amountBrl',
  'outgoing.sum24h',
  'incoming.sum24h',
  'outgoing.count1h',
  'activity.mean90d',
] as const;
const TEXTS = ['type', 'currency', 'origin.country'] as const;
const BOOLS = ['sameHolder', 'counterparty.seenBefore', 'origin.nameGiven'] as const;
const NUMBER_LISTS = ['activity.amounts7d', 'cash.amounts5bd'] as const;
const TEXT_LISTS = ['countries', 'blocklist.matches'] as const;
export const usedFeatures: readonly FeatureName[] = [
  ...NUMBERS,
  ...TEXTS,
  ...BOOLS,
  ...NUMBER_LISTS,
  ...TEXT_LISTS,
  'occurredAt',
];

const node = <T>(value: T): T & typeof AT => ({ ...value, ...AT });
const path = (names: readonly string[]): fc.Arbitrary<Expression> =>
  fc.constantFrom(...names).map((name) => node({ kind: 'path', name } as const));

const cents = fc.integer({ min: -2_000_000, max: 2_000_000 }).map((value) => value / 100);
const number = cents.map((value) => node({ kind: 'number', value: value === 0 ? 0 : value } as const));
const degrees = fc
  .constantFrom(0, -23.55, -46.63, 40.7, 89.9, 100)
  .map((value) => node({ kind: 'number', value } as const));
const words = fc.constantFrom('PIX_TRANSFER', 'BRL', 'BR', 'a "quoted" \\ text\n', 'é', 'São José', '');
const text = words.map((value) => node({ kind: 'string', value } as const));
const bool = fc.boolean().map((value) => node({ kind: 'bool', value } as const));
const listOf = (items: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> =>
  fc.array(items, { minLength: 1, maxLength: 4 }).map((of) => node({ kind: 'list', items: of } as const));

const call = (name: string, receiver: Expression | null, args: readonly Expression[]): Expression =>
  node({ kind: 'call', name, nameSpan: AT, receiver, args } as const);

/** Any well-typed condition, up to a depth; `inside` is the item of the quantifier around, if any. */
export function conditions(
  depth: number,
  inside: 'number' | 'string' | null = null,
): fc.Arbitrary<Expression> {
  return expressions('bool', depth, inside);
}

function expressions(
  wanted: ResultType,
  depth: number,
  inside: 'number' | 'string' | null,
): fc.Arbitrary<Expression> {
  const leaf = leaves(wanted, inside);
  if (depth <= 0) return leaf;
  const of = (type: ResultType): fc.Arbitrary<Expression> => expressions(type, depth - 1, inside);
  const choice = fc
    .tuple(of('bool'), of(wanted), of(wanted))
    .map(([test, then, otherwise]) => node({ kind: 'conditional', test, then, otherwise } as const));
  const ways: Record<ResultType, () => fc.Arbitrary<Expression>[]> = {
    bool: () => [...conditionForms(of, depth, inside), choice],
    number: () => [...numberForms(of, depth, inside), choice],
    string: () => [
      of('string').map((one) => call('digits', one, [])),
      of('string').map((one) => call('plain', one, [])),
      choice,
    ],
  };
  return fc.oneof({ depthSize: 'small' }, leaf, ...ways[wanted]());
}

function leaves(wanted: ResultType, inside: 'number' | 'string' | null): fc.Arbitrary<Expression> {
  const item = path(['item']);
  if (wanted === 'number') return fc.oneof(number, path(NUMBERS), ...(inside === 'number' ? [item] : []));
  if (wanted === 'string') return fc.oneof(text, path(TEXTS), ...(inside === 'string' ? [item] : []));
  return fc.oneof(
    bool,
    path(BOOLS),
    path(usedFeatures).map((one) => call('has', null, [one])),
  );
}

type Of = (type: ResultType) => fc.Arbitrary<Expression>;

function conditionForms(
  of: Of,
  depth: number,
  inside: 'number' | 'string' | null,
): fc.Arbitrary<Expression>[] {
  const group = (kind: 'and' | 'or'): fc.Arbitrary<Expression> =>
    fc.array(of('bool'), { minLength: 2, maxLength: 4 }).map((items) => node({ kind, items } as const));
  const compare = (type: ResultType, ops: readonly string[]): fc.Arbitrary<Expression> =>
    fc
      .tuple(of(type), fc.constantFrom(...ops), of(type))
      .map(([left, op, right]) => node({ kind: 'compare', op, left, right }) as Expression);
  const method = (name: string): fc.Arbitrary<Expression> =>
    fc.tuple(of('string'), of('string')).map(([receiver, arg]) => call(name, receiver, [arg]));
  return [
    group('and'),
    group('or'),
    of('bool').map((operand) => node({ kind: 'not', operand } as const)),
    compare('number', ['==', '!=', '<', '<=', '>', '>=']),
    compare('number', ['<', '<=', '>', '>=']),
    compare('string', ['==', '!=']),
    compare('bool', ['==', '!=']),
    fc
      .tuple(of('number'), fc.oneof(listOf(number), path(NUMBER_LISTS)))
      .map(([left, right]) => node({ kind: 'in', left, right } as const)),
    fc
      .tuple(of('string'), fc.oneof(listOf(text), path(TEXT_LISTS)))
      .map(([left, right]) => node({ kind: 'in', left, right } as const)),
    fc
      .tuple(of('number'), fc.constantFrom(1, 0.05, 1000))
      .map(([receiver, value]) => call('isRound', receiver, [node({ kind: 'number', value } as const)])),
    fc.constant(call('isBankDay', node({ kind: 'path', name: 'occurredAt' } as const), [])),
    method('startsWith'),
    method('contains'),
    of('string').map((value) => node({ kind: 'lookup', list: 'watch', listSpan: AT, value } as const)),
    ...(inside === null ? [quantifiers(['exists', 'all'], depth)] : []),
  ];
}

function numberForms(of: Of, depth: number, inside: 'number' | 'string' | null): fc.Arbitrary<Expression>[] {
  return [
    fc
      .tuple(of('number'), fc.constantFrom('+', '-', '*', '/'), of('number'))
      .map(([left, op, right]) => node({ kind: 'arithmetic', op, left, right }) as Expression),
    // A minus before a number is part of the number.
    of('number')
      .filter((operand) => operand.kind !== 'number')
      .map((operand) => node({ kind: 'negate', operand } as const)),
    path(NUMBER_LISTS).map((one) => call('size', one, [])),
    fc
      .constantFrom('localHour', 'localWeekday', 'localDay')
      .map((name) =>
        call(name, node({ kind: 'path', name: 'occurredAt' } as const), [
          node({ kind: 'string', value: 'America/Sao_Paulo' } as const),
        ]),
      ),
    // Beyond the poles there is no place.
    fc.tuple(degrees, degrees, degrees, degrees).map((places) => call('distanceKm', null, places)),
    ...(inside === null ? [quantifiers(['count', 'sum'], depth)] : []),
  ];
}

function quantifiers(
  names: readonly ('exists' | 'all' | 'count' | 'sum')[],
  depth: number,
): fc.Arbitrary<Expression> {
  const over = (
    lists: fc.Arbitrary<Expression>,
    item: 'number' | 'string',
    of: readonly ('exists' | 'all' | 'count' | 'sum')[],
  ): fc.Arbitrary<Expression> =>
    fc
      .tuple(fc.constantFrom(...of), lists, conditions(Math.min(depth - 1, 2), item))
      .map(([name, list, body]) => node({ kind: 'quantifier', name, list, variable: 'item', body } as const));
  const noSum = names.filter((name) => name !== 'sum');
  return fc.oneof(
    over(fc.oneof(path(NUMBER_LISTS), listOf(number)), 'number', names),
    over(path(TEXT_LISTS), 'string', noSum.length > 0 ? noSum : ['count']),
  );
}

export type Values = Readonly<Record<string, FactValue | null>>;

const amount = fc.integer({ min: 1, max: 3_000_000 }).map((value) => value / 100);
const maybe = <T extends FactValue>(of: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.option(of, { freq: 4, nil: null });

/** Values for the features that generated conditions read; null is unknown. */
export const factValues: fc.Arbitrary<Values> = fc.record({
  ...Object.fromEntries(NUMBERS.map((name) => [name, maybe(fc.oneof(amount, fc.constant(0)))])),
  ...Object.fromEntries(TEXTS.map((name) => [name, maybe(words)])),
  ...Object.fromEntries(BOOLS.map((name) => [name, maybe(fc.boolean())])),
  ...Object.fromEntries(NUMBER_LISTS.map((name) => [name, maybe(fc.array(amount, { maxLength: 6 }))])),
  ...Object.fromEntries(TEXT_LISTS.map((name) => [name, maybe(fc.array(words, { maxLength: 3 }))])),
  occurredAt: maybe(fc.integer({ min: 1_700_000_000_000, max: 1_800_000_000_000 })),
});

/** A sheet of these values; what is null is MISSING or an ERROR, by its name. */
export function sheetWith(values: Values): FactSheet {
  const sheet = new FactSheet(featureSchema, {
    has: (_, value) => (value === 'é' ? undefined : value === 'BR'),
  });
  for (const [key, value] of Object.entries(values)) {
    const name = key as FeatureName;
    if (value === null) sheet.setUnknown(name, unknownAs(name), 'TEST');
    else sheet.set(name, value);
  }
  return sheet;
}

/** Half of the features are MISSING when they are unknown, half are an ERROR. */
export const unknownAs = (name: string): 'MISSING' | 'ERROR' => (name.length % 2 === 0 ? 'MISSING' : 'ERROR');
