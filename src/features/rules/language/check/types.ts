import { table } from '../../../../platform/kernel/table.js';
import type { FeatureType, ParameterValue } from '../vocabulary.js';

export type Type = FeatureType;
/** `wrong`: a part of the expression has been reported already; no further fault is reported for it. */
export type CheckedType = Type | 'wrong';

export type Parameters = Readonly<Record<string, ParameterValue>>;

export interface MethodSignature {
  readonly receiver: readonly Type[];
  readonly args: readonly Type[];
  readonly result: Type;
  readonly cost: number;
  readonly usage: string;
}

const TEXT_TEST = { receiver: ['string'], args: ['string'], result: 'bool', cost: 2 } as const;

/** Methods of the rule language, keyed by name. A constant argument does not depend on a transaction. */
export const METHODS: Readonly<Record<string, MethodSignature>> = table({
  startsWith: { ...TEXT_TEST, usage: 'text.startsWith("…")' },
  endsWith: { ...TEXT_TEST, usage: 'text.endsWith("…")' },
  contains: { ...TEXT_TEST, usage: 'text.contains("…")' },
  digits: { receiver: ['string'], args: [], result: 'string', cost: 2, usage: 'text.digits()' },
  isRound: { receiver: ['number'], args: ['number'], result: 'bool', cost: 2, usage: 'amount.isRound(1000)' },
  localHour: {
    receiver: ['time'],
    args: ['string'],
    result: 'number',
    cost: 4,
    usage: 'occurredAt.localHour("America/Sao_Paulo")',
  },
  localWeekday: {
    receiver: ['time'],
    args: ['string'],
    result: 'number',
    cost: 4,
    usage: 'occurredAt.localWeekday("America/Sao_Paulo")',
  },
  localDay: {
    receiver: ['time'],
    args: ['string'],
    result: 'number',
    cost: 4,
    usage: 'occurredAt.localDay("America/Sao_Paulo")',
  },
  isBankDay: { receiver: ['time'], args: [], result: 'bool', cost: 4, usage: 'occurredAt.isBankDay()' },
  plain: { receiver: ['string'], args: [], result: 'string', cost: 4, usage: 'text.plain()' },
  size: { receiver: ['numbers', 'strings'], args: [], result: 'number', cost: 1, usage: 'list.size()' },
});
export const METHOD_NAMES = [...Object.keys(METHODS), 'exists', 'all', 'count', 'sum'];
export const FUNCTION_NAMES = ['has', 'hoursBetween', 'distanceKm', 'list'];
/** Methods whose argument is the name of a time zone. */
export const LOCAL_PARTS: Readonly<Record<string, 'hour' | 'weekday' | 'day'>> = table({
  localHour: 'hour',
  localWeekday: 'weekday',
  localDay: 'day',
});
export const LOOKUP_COST = 2;

export const typeOfValue = (value: ParameterValue): Type => {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return 'number';
  return typeof value[0] === 'string' ? 'strings' : 'numbers';
};

export const itemTypeOf = (type: CheckedType): CheckedType =>
  type === 'numbers' ? 'number' : type === 'strings' ? 'string' : 'wrong';

const WORDS: Readonly<Record<string, string>> = table({
  string: 'text',
  bool: 'true or false',
  numbers: 'a list of numbers',
  strings: 'a list of texts',
});

export const typeInWords = (type: string): string => WORDS[type] ?? type;
