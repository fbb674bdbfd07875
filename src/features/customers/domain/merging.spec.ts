import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { confirmedRiskOf } from './confirmation.js';
import type { CustomerProfile } from './customer.js';
import { takeStricter, mergeProfiles, type CustomerRiskLevel, type RiskAndRetention } from './merging.js';

const RISKS: readonly (CustomerRiskLevel | null)[] = [null, 'LOW', 'MEDIUM', 'HIGH'];
const record = fc
  .record<RiskAndRetention>({
    externalIndex: fc.constantFrom({}, null),
    riskLevel: fc.constantFrom(...RISKS),
    riskLevelBy: fc.constantFrom('SYSTEM', 'OPERATOR', null),
    riskSingleControl: fc.boolean(),
    riskConfirmed: fc.constantFrom(...RISKS),
    relationshipEndedOn: fc.constantFrom(null, '2015-03-01', '2021-12-31', '2026-01-02'),
    restrictedAt: fc.constantFrom(null, new Date(1), new Date(2)),
  })
  // Nobody stands behind more than the level in force.
  .map((one) => ({
    ...one,
    riskConfirmed: RISKS[Math.min(RISKS.indexOf(one.riskConfirmed), RISKS.indexOf(one.riskLevel))] ?? null,
  }));

const profile = (fields: Partial<CustomerProfile>): CustomerProfile => ({
  name: null,
  document: null,
  documentMasked: null,
  externalCustomerId: null,
  birthDate: null,
  nationalities: [],
  ...fields,
});
const declared = {
  ...{ monthlyIncome: 4_800, monthlyRevenue: null, nightLimit: null, nightStartHour: null, pep: null },
  asOf: '2026-11-20T12:00:00.000Z',
};

describe('two records of one person', () => {
  it('make one that is at least as strict as either', () => {
    fc.assert(
      fc.property(record, record, (from, into) => {
        const one = takeStricter(from, into);
        for (const { riskLevel, riskSingleControl, restrictedAt } of [from, into]) {
          if (riskLevel === one.riskLevel && riskSingleControl) expect(one.riskSingleControl).toBe(true);
          expect(RISKS.indexOf(one.riskLevel)).toBeGreaterThanOrEqual(RISKS.indexOf(riskLevel));
          if (restrictedAt) expect(one.restrictedAt).not.toBeNull();
        }
        const confirmed = [from, into].map((each) => RISKS.indexOf(confirmedRiskOf(each)));
        expect(RISKS.indexOf(confirmedRiskOf(one))).toBe(Math.max(...confirmed));
        // A record that was only made for a link says nothing about a relationship.
        const relationships = [into, from].filter((each) => each === into || each.externalIndex !== null);
        for (const { relationshipEndedOn } of relationships) {
          if (relationshipEndedOn === null) expect(one.relationshipEndedOn).toBeNull();
          else expect((one.relationshipEndedOn ?? '9999') >= relationshipEndedOn).toBe(true);
        }
      }),
    );
  });

  it('keep the mark of a birth date that one operator alone wrote down', () => {
    const marked = profile({ birthDate: '1990-01-02', birthDateUnconfirmed: true });
    expect(mergeProfiles(marked, profile({})).birthDateUnconfirmed).toBe(true);
    expect(mergeProfiles(profile({}), marked).birthDateUnconfirmed).toBe(true);
    const known = profile({ birthDate: '1990-01-02' });
    expect(mergeProfiles(marked, known).birthDateUnconfirmed).toBeUndefined();
  });

  it('keep what only one of them knew, and what the one that stays says of both', () => {
    const from = profile({
      name: 'Nome antigo',
      externalCustomerId: 'c-1',
      birthDate: '1990-01-02',
      declared,
    });
    const into = profile({ name: 'Nome', document: '52998224725' });
    expect(mergeProfiles(from, into)).toEqual({
      ...profile({
        name: 'Nome',
        document: '52998224725',
        externalCustomerId: 'c-1',
        birthDate: '1990-01-02',
      }),
      declared,
    });
    const own = { ...declared, monthlyIncome: 3_000 };
    expect(mergeProfiles(from, { ...into, declared: own }).declared).toEqual(own);
  });

  it('keep of what both declared the value that cannot lower a score, with its statement', () => {
    const amount = fc.option(fc.integer({ min: 0, max: 9 }));
    const values = fc.record({ monthlyIncome: amount, nightLimit: amount, pep: fc.option(fc.boolean()) });
    const said = (by: 'OPERATOR' | 'CLIENT') => ({ by, ref: null, at: declared.asOf });
    const of = (one: object, by: 'OPERATOR' | 'CLIENT') =>
      profile({
        declared: {
          ...declared,
          ...one,
          from: { monthlyIncome: said(by), nightLimit: said(by), pep: said(by) },
        },
      });
    fc.assert(
      fc.property(values, values, (from, into) => {
        const one = mergeProfiles(of(from, 'CLIENT'), of(into, 'OPERATOR')).declared;
        for (const member of ['monthlyIncome', 'nightLimit'] as const) {
          const amounts = [from[member], into[member]].filter((value) => value !== null);
          expect(one?.[member]).toBe(amounts.length === 0 ? null : Math.min(...amounts));
        }
        expect(one?.pep === true).toBe(from.pep === true || into.pep === true);
        if (from.pep === true && into.pep === false) expect(one?.from?.pep?.by).toBe('CLIENT');
      }),
    );
  });
});
