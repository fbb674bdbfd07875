import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { EvidenceComponent } from './checks/evidence.js';
import { evidenceStates } from './checks/evidence.js';
import { checkNames } from './flow/flow.js';
import { ageOn, namesAgree } from './checks/built-in-checks.js';
import { defaultFlows } from './flow/default-flows.js';
import { validateFlow } from './flow/flow-validation.js';
import { chooseLanguage } from './language.js';
import { checkOwners, type CheckedOwner } from './checks/owners.js';
import { composeResult } from './result.js';
import { sessionFlow, sessionStatuses, type SessionStatus } from './session.js';
import { stepUpLifetimeMs } from './step-up.js';

describe('the states of a session', () => {
  it('are those of the specification, and the way back to steps that are asked for again', () => {
    const allowed = sessionStatuses.flatMap((from) =>
      sessionStatuses.filter((to) => sessionFlow.allows(from, to)).map((to) => `${from}>${to}`),
    );
    expect(allowed.sort()).toEqual([
      'COMPLETED>PENDING',
      'PENDING>EXPIRED',
      'PENDING>PROCESSING',
      'PROCESSING>COMPLETED',
      'PROCESSING>PENDING',
    ]);
  });

  it('unless it is asked for again, every walk ends in at most two steps', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...sessionStatuses), { maxLength: 12 }), (wanted) => {
        let state: SessionStatus = 'PENDING';
        let steps = 0;
        for (const next of wanted) {
          if (next === 'PENDING' || !sessionFlow.allows(state, next)) continue;
          expect(['PENDING>PROCESSING', 'PENDING>EXPIRED', 'PROCESSING>COMPLETED']).toContain(
            `${state}>${next}`,
          );
          state = next;
          steps += 1;
        }
        expect(steps).toBeLessThanOrEqual(2);
        if (steps === 2) expect(state).toBe('COMPLETED');
      }),
    );
  });
});

const component = fc.record({
  name: fc.constantFrom(...checkNames),
  state: fc.constantFrom(...evidenceStates),
  required: fc.boolean(),
  reason: fc.constant(null),
  source: fc.constant('test'),
  asOf: fc.constant('2026-11-20T12:00:00.000Z'),
  points: fc.integer({ min: 0, max: 100 }),
  effect: fc.constantFrom('NONE' as const, 'REVIEW' as const, 'REJECT' as const),
});

describe('the result of a session', () => {
  it('is approved only when every required check has answered and nobody has to look', () => {
    fc.assert(
      fc.property(fc.array(component, { maxLength: 11 }), (evidence: EvidenceComponent[]) => {
        const result = composeResult(evidence);
        const answered = evidence
          .filter(({ required }) => required)
          .every(({ state }) => state === 'HIT' || state === 'NO_HIT');
        if (result.defensible) expect(answered).toBe(true);
        if (result.outcome === 'APPROVED') {
          expect(result.defensible).toBe(true);
          expect(evidence.every(({ effect }) => effect === 'NONE')).toBe(true);
          expect(result.riskScore ?? 100).toBeLessThan(60);
        }
        if (result.riskScore !== null) expect(result.riskScore).toBeLessThanOrEqual(100);
        if (result.composition === 'MISSING') expect(result.riskScore).toBeNull();
      }),
    );
  });
});

it('is never approved by itself through a flow or a provider that one person alone approved', () => {
  fc.assert(
    fc.property(fc.array(component, { minLength: 1, maxLength: 11 }), (evidence: EvidenceComponent[]) => {
      const byOne = evidence.map((one, i) => (i === 0 ? { ...one, remarks: ['SINGLE_CONTROL'] } : one));
      for (const result of [composeResult(evidence, true), composeResult(byOne)]) {
        expect([result.outcome === 'APPROVED', result.defensible]).toEqual([false, false]);
        expect(result.nonDefensibleReasons).toContain('SINGLE_CONTROL');
      }
    }),
  );
});

describe('the built-in flows', () => {
  it.each(Object.entries(defaultFlows))('%s is a flow that an organisation could have written', (_, flow) => {
    expect(validateFlow(flow)).toEqual([]);
  });
});

describe('comparing with what was known', () => {
  it.each([
    ['Maria da Silva Souza', 'MARIA SILVA SOUZA', true],
    ['José Antônio Pereira', 'Jose A. Pereira', true],
    ['Maria Souza', 'Maria Aparecida de Souza', true],
    ['Maria Souza', 'Mariana Souza', false],
    ['Maria Souza', 'Maria Lima', false],
    ['Maria Souza', '', false],
  ])('%s and %s', (known, said, agree) => {
    expect(namesAgree(known, said)).toBe(agree);
    expect(namesAgree(said, known)).toBe(agree);
  });

  it('counts whole years, also of those born on 29 February', () => {
    expect(ageOn('2008-11-20', '2026-11-20')).toBe(18);
    expect(ageOn('2008-11-21', '2026-11-20')).toBe(17);
    expect(ageOn('2008-02-29', '2026-02-28')).toBe(17);
    expect(ageOn('2008-02-29', '2026-03-01')).toBe(18);
  });
});

describe('the language of the page', () => {
  it.each([
    ['en', undefined, 'en'],
    ['pt', undefined, 'pt-BR'],
    [undefined, 'es-AR,es;q=0.9,en;q=0.8', 'es'],
    [undefined, 'fr,en;q=0.5', 'en'],
    [undefined, 'en;q=0,es;q=0.1', 'es'],
    ['xx', 'fr', 'pt-BR'],
    [undefined, undefined, 'pt-BR'],
  ] as const)('%s, %s', (asked, accepted, language) => {
    expect(chooseLanguage(asked, accepted)).toBe(language);
  });
});

describe('the life of a step-up link', () => {
  const wish = { expiresInMs: 30 * 60_000, expiresAtNightMs: 60 * 60_000 };

  it.each([
    [5, 60],
    [6, 30],
    [19, 30],
    [20, 60],
    [0, 60],
  ])('at %i o\u2019clock it is %i minutes', (hour, minutes) => {
    expect(stepUpLifetimeMs(wish, hour) / 60_000).toBe(minutes);
  });

  it('falls back to the norm when the rule says nothing readable', () => {
    expect(stepUpLifetimeMs({ expiresInMs: Number.NaN, expiresAtNightMs: Number.NaN }, 12) / 60_000).toBe(30);
  });
});

describe('the people of a company', () => {
  const owner = (share: number | null, more: Partial<CheckedOwner> = {}): CheckedOwner => ({
    ...{ as: 'OWNER', share, hasTaxId: true, screened: true, hits: 0, session: 'NOT_NEEDED' },
    ...more,
  });
  it.each<[string, readonly CheckedOwner[], string]>([
    ['nobody is named', [], 'MISSING_INPUT NOBODY_NAMED'],
    ['all is accounted for', [owner(60), owner(40)], 'NO_HIT'],
    ['a quarter may be held by somebody else', [owner(75)], 'NO_HIT'],
    ['more than a quarter may be', [owner(74)], 'PARTIAL SHARE_UNACCOUNTED'],
    ['a share is not told', [owner(60), owner(null)], 'PARTIAL SHARE_UNACCOUNTED'],
    ['more than all is held', [owner(60), owner(60)], 'HIT SHARES_EXCEED_100'],
    ['one is on a list', [owner(60), owner(40, { hits: 1 })], 'HIT PERSON_ON_LIST'],
    [
      'one could not be looked for',
      [owner(60), owner(40, { screened: false })],
      'PARTIAL PERSON_NOT_SCREENED',
    ],
    ['one has no tax id', [owner(60), owner(40, { hasTaxId: false })], 'PARTIAL PERSON_WITHOUT_TAX_ID'],
    ['one has not shown who they are', [owner(100, { session: 'OPEN' })], 'PARTIAL PERSON_SESSION_OPEN'],
    ['one was not approved', [owner(100, { session: 'OTHER' })], 'HIT PERSON_NOT_APPROVED'],
  ])('%s', (_, people, expected) => {
    const { state, reason } = checkOwners(people, true);
    expect(`${state} ${reason ?? ''}`.trim()).toBe(expected);
  });
});
