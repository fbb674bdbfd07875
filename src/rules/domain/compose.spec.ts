import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { brFirst } from '../data/br-first.js';
import { evaluate, type Evaluation } from './compose.js';
import { known, unknown, type ComponentName, type ComponentState, type Evidence } from './facts.js';
import type { PublishedRuleset, Rule, RulesetContent } from './ruleset.js';

const NOW = '2026-11-20T12:00:00.000Z';
const found = (state: ComponentState) => ({ state, source: 'test', asOf: NOW });

interface Case {
  readonly facts?: Partial<Evidence['facts']>;
  readonly components?: Partial<Record<ComponentName, ComponentState>>;
  readonly contradictions?: readonly string[];
}

const evidence = ({ facts, components = {}, contradictions = [] }: Case = {}): Evidence => ({
  facts: {
    type: 'PIX_TRANSFER',
    amount: known('100'),
    currency: 'BRL',
    countries: known(['BR']),
    customerCount24h: known(0),
    ...facts,
  },
  components: {
    IDENTITY: found(components.IDENTITY ?? 'NO_HIT'),
    COUNTERPARTY: found(components.COUNTERPARTY ?? 'NO_HIT'),
    VELOCITY: found(components.VELOCITY ?? 'NO_HIT'),
  },
  contradictions,
});

const published = (content: Partial<RulesetContent> = {}): PublishedRuleset => ({
  id: 'ruleset-1',
  contentHash: 'hash',
  content: { ...brFirst, ...content },
});

const evaluated = (given: Case = {}, content: Partial<RulesetContent> = {}): Evaluation =>
  evaluate(evidence(given), published(content), true, NOW);

const rule = (changes: Partial<Rule>): Rule => ({ ...brFirst.rules[0]!, ...changes });
const always = { fact: 'customerCount24h', atLeast: 1 } as const;

describe('evaluate', () => {
  it('approves by itself only what is complete, defensible and low', () => {
    expect(evaluated()).toMatchObject({
      score: 0,
      level: 'LOW',
      composition: 'COMPLETE',
      defensible: true,
      nonDefensibleReasons: [],
      outcome: 'APPROVED',
      recommendedAction: 'NONE',
      reasons: [],
      required: ['IDENTITY', 'VELOCITY', 'RULES'],
    });
  });

  it.each<ComponentState>(['PARTIAL', 'ERROR', 'MISSING_INPUT', 'SKIPPED', 'STALE_SOURCE'])(
    'a required component that is %s makes it PARTIAL, not defensible and REVIEW',
    (state) => {
      expect(evaluated({ components: { IDENTITY: state } })).toMatchObject({
        composition: 'PARTIAL',
        defensible: false,
        nonDefensibleReasons: [`IDENTITY_${state}`],
        outcome: 'REVIEW',
        components: { IDENTITY: { state } },
      });
    },
  );

  it.each<ComponentState>(['PARTIAL', 'ERROR', 'MISSING_INPUT'])(
    'an optional component that is %s is only recorded',
    (state) => {
      expect(evaluated({ components: { COUNTERPARTY: state } })).toMatchObject({
        composition: 'COMPLETE',
        outcome: 'APPROVED',
        components: { COUNTERPARTY: { state } },
      });
    },
  );

  it('what a type needs is said per type', () => {
    const requiredComponents = { '*': ['RULES'], PIX_TRANSFER: ['RULES', 'LISTS'] } as const;
    expect(evaluated({}, { requiredComponents })).toMatchObject({
      composition: 'PARTIAL',
      nonDefensibleReasons: ['LISTS_MISSING'],
    });
    expect(evaluated({ facts: { type: 'OTHER' } }, { requiredComponents })).toMatchObject({
      composition: 'COMPLETE',
    });
  });

  it('a ruleset that forgets to say what is needed needs everything', () => {
    const { nonDefensibleReasons } = evaluated({}, { requiredComponents: {} });
    expect(nonDefensibleReasons).toEqual(expect.arrayContaining(['LISTS_MISSING', 'DEVICE_IP_MISSING']));
  });

  it('a rule that cannot be decided makes RULES partial when it says so, and not otherwise', () => {
    expect(evaluated({ facts: { currency: 'EUR' } })).toMatchObject({
      composition: 'PARTIAL',
      outcome: 'REVIEW',
      nonDefensibleReasons: ['RULES_PARTIAL'],
      components: { RULES: { state: 'PARTIAL', reason: 'BR-AMOUNT-01:CURRENCY_NOT_CONVERTIBLE' } },
    });
    expect(evaluated({ facts: { countries: unknown('NO_COUNTRY_GIVEN') } })).toMatchObject({
      outcome: 'APPROVED',
    });
  });

  it('facts that contradict each other make it INCONSISTENT, before anything else', () => {
    expect(evaluated({ contradictions: ['X'], components: { IDENTITY: 'ERROR' } })).toMatchObject({
      composition: 'INCONSISTENT',
      defensible: false,
      nonDefensibleReasons: ['IDENTITY_ERROR', 'CONTRADICTION_X'],
      outcome: 'REVIEW',
    });
  });

  it('a broken trail is not defensible, however complete the evidence', () => {
    expect(evaluate(evidence(), published(), false, NOW)).toMatchObject({
      composition: 'COMPLETE',
      defensible: false,
      nonDefensibleReasons: ['AUDIT_TRAIL_INCOMPLETE'],
      outcome: 'REVIEW',
    });
  });

  it('without a ruleset there is no score, and what was found is kept', () => {
    expect(evaluate(evidence({ components: { IDENTITY: 'PARTIAL' } }), null, true, NOW)).toMatchObject({
      score: null,
      level: null,
      composition: 'MISSING',
      defensible: false,
      nonDefensibleReasons: ['RULES_ERROR'],
      outcome: 'REVIEW',
      components: { IDENTITY: { state: 'PARTIAL', points: 0 }, RULES: { state: 'ERROR' } },
    });
  });

  it('a hit shows in its component, with its points', () => {
    const { components, reasons } = evaluated({ facts: { customerCount24h: known(29) } });
    expect(components).toMatchObject({
      VELOCITY: { state: 'HIT', points: 30 },
      RULES: { state: 'HIT', points: 0, source: 'br-first@1' },
      IDENTITY: { state: 'NO_HIT', points: 0 },
    });
    expect(reasons).toMatchObject([
      { ruleId: 'BR-VEL-01', version: 1, points: 30, observed: '30', threshold: '30' },
    ]);
  });

  it('a component that was not whole does not become whole by a hit', () => {
    const given = { facts: { customerCount24h: known(29) }, components: { VELOCITY: 'PARTIAL' } } as const;
    expect(evaluated(given)).toMatchObject({
      outcome: 'REVIEW',
      components: { VELOCITY: { state: 'PARTIAL', points: 30 } },
    });
  });

  it('the strongest action is recommended', () => {
    const rules = (['STEP_UP', 'DECLINE', 'HOLD', 'NONE'] as const).map((recommend) =>
      rule({ when: always, recommend }),
    );
    expect(evaluated({}, { rules }).recommendedAction).toBe('DECLINE');
  });

  it('a rule may ask for a review whatever the score', () => {
    const rules = [rule({ when: always, points: 0, minOutcome: 'REVIEW' })];
    expect(evaluated({}, { rules })).toMatchObject({ score: 0, defensible: true, outcome: 'REVIEW' });
  });
});

describe('the score', () => {
  const scored = (points: readonly number[], families: readonly string[] = []): Evaluation =>
    evaluated(
      {},
      {
        rules: points.map((one, i) =>
          rule({
            id: `R-${i}`,
            when: always,
            points: one,
            family: families[i] ?? `F-${i}`,
            minOutcome: null,
          }),
        ),
        scoring: { ...brFirst.scoring, familyCaps: { default: 60, SMALL: 10 } },
      },
    );

  it.each([
    [0, 'LOW', 'APPROVED'],
    [29, 'LOW', 'APPROVED'],
    [30, 'MEDIUM', 'APPROVED'],
    [59, 'MEDIUM', 'APPROVED'],
    [60, 'HIGH', 'REVIEW'],
  ])('%d is %s and %s', (points, level, outcome) => {
    expect(scored([points])).toMatchObject({ score: points, level, outcome });
  });

  it.each([
    [[60, 24], 84, 'HIGH'],
    [[60, 25], 85, 'CRITICAL'],
    [[60, 60], 100, 'CRITICAL'],
  ])('%j of different families give %d, %s', (points, score, level) => {
    expect(scored(points)).toMatchObject({ score, level });
  });

  it('a family counts up to its cap', () => {
    expect(scored([50, 50], ['A', 'A']).score).toBe(60);
    expect(scored([50, 50], ['SMALL', 'SMALL']).score).toBe(10);
    expect(scored([50, 50], ['SMALL', 'A']).score).toBe(60);
  });

  it('is between 0 and 100, and more hits never make it less', () => {
    const points = fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 8 });
    const families = fc.array(fc.constantFrom('A', 'B', 'SMALL'), { minLength: 9, maxLength: 9 });
    fc.assert(
      fc.property(points, fc.integer({ min: 0, max: 100 }), families, (some, more, of) => {
        const [before, after] = [scored(some, of).score!, scored([...some, more], of).score!];
        expect(before).toBeGreaterThanOrEqual(0);
        expect(after).toBeLessThanOrEqual(100);
        expect(after).toBeGreaterThanOrEqual(before);
      }),
    );
  });

  it('nothing that is not defensible is ever approved', () => {
    const states = fc.constantFrom<ComponentState>(
      'HIT',
      'NO_HIT',
      'PARTIAL',
      'ERROR',
      'MISSING_INPUT',
      'SKIPPED',
      'STALE_SOURCE',
    );
    const cases = fc.record({
      IDENTITY: states,
      COUNTERPARTY: states,
      VELOCITY: states,
      currency: fc.constantFrom('BRL', 'EUR'),
      amount: fc.constantFrom('1', '49999.99', '50000'),
      count: fc.option(fc.integer({ min: 0, max: 60 })),
      contradicts: fc.boolean(),
      trailIntact: fc.boolean(),
      hasRuleset: fc.boolean(),
    });
    fc.assert(
      fc.property(
        cases,
        ({ currency, amount, count, contradicts, trailIntact, hasRuleset, ...components }) => {
          const given = evidence({
            facts: {
              currency,
              amount: known(amount),
              customerCount24h: count === null ? unknown('X') : known(count),
            },
            components,
            contradictions: contradicts ? ['X'] : [],
          });
          const result = evaluate(given, hasRuleset ? published() : null, trailIntact, NOW);
          expect(result.defensible).toBe(result.nonDefensibleReasons.length === 0);
          if (!result.defensible) expect(result.outcome).toBe('REVIEW');
          if (result.outcome === 'APPROVED') {
            expect(result.composition).toBe('COMPLETE');
            expect(result.score).toBeLessThan(60);
          }
          if (result.composition !== 'COMPLETE') expect(result.defensible).toBe(false);
        },
      ),
    );
  });
});

it('the first ruleset asks for what its rules read', () => {
  for (const { component, onIndeterminate } of brFirst.rules) {
    if (onIndeterminate === 'PARTIAL') expect(brFirst.requiredComponents['*']).toContain(component);
  }
});
