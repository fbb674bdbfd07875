import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compareUnconfirmed, confirmedRiskOf } from './confirmation.js';
import type { CustomerProfile, Declaration, DeclaredProfile } from './customer.js';
import {
  applyDeclaration,
  applyNewerValues,
  mergeDeclarations,
  removeWeakeningMembers,
  withoutUnconfirmed,
} from './declarations.js';
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

  it('keep behind the word of one operator what either would have said without it', () => {
    const amount = fc.option(fc.integer({ min: 0, max: 9 }));
    const values = fc.record({ monthlyIncome: amount, nightLimit: amount, pep: fc.option(fc.boolean()) });
    const client = { by: 'CLIENT', ref: null, at: declared.asOf } as const;
    const changed = fc.tuple(values, fc.option(values), fc.option(values)).map(([known, ...changes]) => {
      const first = applyNewerValues(undefined, known, client)?.profile;
      return changes.reduce(
        (one, change) => (change ? applyDeclaration(one, change, '2026-11-21T12:00:00.000Z') : one),
        first,
      );
    });
    const confirmed = (one: DeclaredProfile | undefined) => one && withoutUnconfirmed(one);
    fc.assert(
      fc.property(changed, changed, (from, into) => {
        const one = confirmed(mergeDeclarations(into, from));
        const without = mergeDeclarations(confirmed(into), confirmed(from));
        for (const member of ['monthlyIncome', 'nightLimit', 'pep'] as const) {
          expect([member, one?.[member] ?? null]).toEqual([member, without?.[member] ?? null]);
        }
      }),
    );
  });
});

describe('What is declared after one operator alone wrote something down', () => {
  const on = (by: 'SESSION' | 'CLIENT', day: string) => ({
    by,
    ref: null,
    at: `2026-11-${day}T12:00:00.000Z`,
  });
  const written = (known: Declaration, change: Declaration) =>
    applyDeclaration(
      applyNewerValues(undefined, known, on('CLIENT', '10'))?.profile,
      change,
      '2026-11-20T12:00:00.000Z',
    );
  const both = (one: DeclaredProfile | undefined, member: 'monthlyIncome' | 'pep') =>
    one && [one[member], withoutUnconfirmed(one)[member]];

  it('of a day between both takes the place of what was known before', () => {
    const one = written({ monthlyIncome: 3_000 }, { monthlyIncome: 9_000 });
    const said = (amount: number, day: string) =>
      both(applyNewerValues(one, { monthlyIncome: amount }, on('CLIENT', day))?.profile, 'monthlyIncome');
    expect(said(2_000, '15')).toEqual([9_000, 2_000]);
    expect(said(2_000, '05')).toBeUndefined();
    expect(said(2_000, '25')).toEqual([2_000, 2_000]);
    expect(said(9_000, '15')).toEqual([9_000, 9_000]);
  });

  it('by the person in a session ends no exposure that one operator has taken out', () => {
    const one = written({ pep: true }, { pep: false });
    expect(both(one, 'pep')).toEqual([false, true]);
    expect(applyNewerValues(one, { pep: false }, on('SESSION', '25'))).toBeNull();
    expect(removeWeakeningMembers(one, { pep: false })).toEqual({});
  });

  it('as it was before is as it was before: the record is not newer by it', () => {
    const known = applyNewerValues(undefined, { monthlyIncome: 3_000 }, on('CLIENT', '10'))?.profile;
    const back = applyDeclaration(
      written({ monthlyIncome: 3_000 }, { monthlyIncome: 9_000 }),
      { monthlyIncome: 3_000 },
      '2026-11-22T12:00:00.000Z',
    );
    expect(back).toEqual(known);
  });
});

it('values that wait for a second person are shown with e-mail and phone masked', () => {
  const said = (before: string) => ({
    ...({ by: 'SESSION', ref: 'kys_1', at: declared.asOf } as const),
    unconfirmed: { before },
  });
  const own = {
    ...{ ...declared, email: 'maria@example.com', phone: '+55 11 98765-4321' },
    from: { email: said('joana@example.com'), phone: said('+55 11 98765-0000') },
  };
  const risk = { riskLevel: null, riskLevelBy: null, riskConfirmed: null };
  expect(compareUnconfirmed(profile({ declared: own }), risk)).toEqual([
    { field: 'email', before: 'j***@example.com', after: 'm***@example.com', session: 'kys_1' },
    { field: 'phone', before: '***0000', after: '***4321', session: 'kys_1' },
  ]);
});
