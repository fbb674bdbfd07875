import { describe, expect, it } from '@jest/globals';
import { applyRules, type RuleVerdict } from './evaluate.js';
import { known, unknown, type Facts } from './facts.js';
import type { Condition, Rule } from './ruleset.js';

const aRule = (when: Condition): Rule => ({
  id: 'R-1',
  version: 1,
  family: 'F',
  component: 'RULES',
  when,
  points: 10,
  minOutcome: null,
  recommend: 'NONE',
  onIndeterminate: 'RECORD',
  message: { 'pt-BR': '', en: '' },
  legalBasis: [],
});

const facts = (changes: Partial<Facts> = {}): Facts => ({
  type: 'PIX_TRANSFER',
  amount: known('100'),
  currency: 'BRL',
  countries: known(['BR', 'KP']),
  customerCount24h: known(4),
  ...changes,
});

const verdictOn = (when: Condition, changes: Partial<Facts> = {}): RuleVerdict =>
  applyRules([aRule(when)], facts(changes))[0]!;

describe('a condition over the amount', () => {
  const when: Condition = { fact: 'amount', currency: 'BRL', atLeast: '50000' };

  it.each([
    ['50000', 'HIT'],
    ['50000.01', 'HIT'],
    ['999999999999.99', 'HIT'],
    ['49999.99', 'NO_HIT'],
    // As text it would be the larger one.
    ['9', 'NO_HIT'],
  ])('%s is a %s', (amount, result) => {
    expect(verdictOn(when, { amount: known(amount) })).toMatchObject({
      result,
      observed: `${amount} BRL`,
      threshold: '50000 BRL',
      window: null,
      reason: null,
    });
  });

  it('in another currency it is neither hit nor miss', () => {
    expect(verdictOn(when, { currency: 'EUR', amount: known('60000') })).toMatchObject({
      result: 'INDETERMINATE',
      observed: null,
      reason: 'CURRENCY_NOT_CONVERTIBLE',
    });
  });
});

describe('a condition over countries', () => {
  const when: Condition = { fact: 'countries', anyOf: ['KP', 'IR'] };

  it('shows which of them it hit', () => {
    expect(verdictOn(when)).toMatchObject({ result: 'HIT', observed: 'KP', threshold: 'KP, IR' });
  });

  it('shows what it saw when it hit none', () => {
    expect(verdictOn(when, { countries: known(['BR', 'PT']) })).toMatchObject({
      result: 'NO_HIT',
      observed: 'BR, PT',
    });
  });

  it('cannot be decided when nobody names a country', () => {
    expect(verdictOn(when, { countries: unknown('NO_COUNTRY_GIVEN') })).toMatchObject({
      result: 'INDETERMINATE',
      reason: 'NO_COUNTRY_GIVEN',
    });
  });
});

describe('a condition over the count of 24 hours', () => {
  const when: Condition = { fact: 'customerCount24h', atLeast: 5 };

  it.each([
    [3, 'NO_HIT', '4'],
    [4, 'HIT', '5'],
    [0, 'NO_HIT', '1'],
  ])('after %d others it is a %s, this one counted', (earlier, result, observed) => {
    expect(verdictOn(when, { customerCount24h: known(earlier) })).toMatchObject({
      result,
      observed,
      window: '24h',
    });
  });

  it('a count that was cut off says so', () => {
    expect(verdictOn(when, { customerCount24h: known(2_000, true) })).toMatchObject({
      result: 'HIT',
      saturated: true,
    });
    expect(verdictOn(when)).toMatchObject({ saturated: false });
  });

  it('an unknown count is not a zero', () => {
    expect(verdictOn(when, { customerCount24h: unknown('NO_CUSTOMER_KEY') })).toMatchObject({
      result: 'INDETERMINATE',
      reason: 'NO_CUSTOMER_KEY',
    });
  });
});

it('every rule gets its verdict, in order', () => {
  const rules = [
    aRule({ fact: 'countries', anyOf: ['KP'] }),
    aRule({ fact: 'amount', currency: 'BRL', atLeast: '1000' }),
    aRule({ fact: 'customerCount24h', atLeast: 5 }),
  ];
  const verdicts = applyRules(rules, facts());
  expect(verdicts.map(({ rule }) => rule)).toEqual(rules);
  expect(verdicts.map(({ result }) => result)).toEqual(['HIT', 'NO_HIT', 'HIT']);
});
