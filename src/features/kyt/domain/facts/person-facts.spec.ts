import { describe, expect, it } from '@jest/globals';
import type { CustomerRiskProfile } from '../../../customers/index.js';
import { FactSheet, featureSchema, type FactValue, type FeatureName } from '../../../rules/index.js';
import { setPersonFacts } from './person-facts.js';

type Declared = NonNullable<CustomerRiskProfile['declared']>;

/** The facts of somebody, on a day. */
function factsOf(
  standing: Partial<Omit<CustomerRiskProfile, 'declared'>> & { readonly declared?: Partial<Declared> },
  today = '2026-03-01',
): (name: FeatureName) => FactValue | string {
  const sheet = new FactSheet(featureSchema);
  const known = {
    declared: null,
    birthDate: null,
    nationalities: [],
    riskLevel: null,
    riskSingleControl: false,
  };
  setPersonFacts(sheet, { ...known, ...standing } as CustomerRiskProfile, today);
  return (name) => {
    const feature = featureSchema.get(name);
    const { state, reason } = sheet.reasonAt(feature.slot);
    return sheet.valueAt(feature) ?? `${state}:${reason}`;
  };
}

describe('The age of a customer', () => {
  it.each([
    ['on the day before a birthday', '1980-03-02', 45],
    ['on the birthday', '1980-03-01', 46],
    ['of who was born on 29 February', '2008-02-29', 18],
    ['of who was born today', '2026-03-01', 0],
    ['of a year alone', '1980', 'MISSING:NOT_DECLARED'],
    ['of a day to come', '2026-03-02', 'MISSING:NOT_DECLARED'],
  ] as const)('%s', (_when, birthDate, age) => {
    expect(factsOf({ birthDate })('profile.age')).toBe(age);
  });
});

describe('What is known of a customer', () => {
  it('is never zero where nobody said it', () => {
    const told = factsOf({});
    for (const { name, number } of featureSchema.features) {
      if (number < 102 || number > 108) continue;
      expect([name, told(name as FeatureName)]).toEqual([name, 'MISSING:NOT_DECLARED']);
    }
  });

  it('is a category: in small letters, without accents, and short', () => {
    const told = factsOf({ declared: { occupation: 'Médico CIRURGIÃO', segment: 'X'.repeat(80), asOf: '' } });
    expect(told('profile.occupation')).toBe('medico cirurgiao');
    expect(told('profile.segment')).toBe('X'.repeat(64));
  });

  it('is as old as the days between, and never older than the transaction', () => {
    const declared = { relationshipSince: '2026-02-27', asOf: '2026-03-05T01:00:00.000Z' };
    const told = factsOf({ declared, nationalities: ['BR', 'PT'] });
    expect(told('profile.relationshipDays')).toBe(2);
    expect(told('profile.declaredDays')).toBe(0);
    expect(told('profile.nationalities')).toEqual(['BR', 'PT']);
  });

  it('names who said the income, else the revenue', () => {
    const at = '2026-01-01T00:00:00.000Z';
    const from = { monthlyRevenue: { by: 'CLIENT', ref: null, at } } as NonNullable<Declared['from']>;
    expect(factsOf({ declared: { asOf: at, from } })('profile.source')).toBe('CLIENT');
    const both = { ...from, monthlyIncome: { by: 'SESSION', ref: null, at } } as NonNullable<
      Declared['from']
    >;
    expect(factsOf({ declared: { asOf: at, from: both } })('profile.source')).toBe('SESSION');
  });
});
