import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { brFirst } from '../../../../../test/support/br-first.js';
import { brStarter } from '../../data/br-starter/index.js';
import {
  FactSheet,
  featureSchema,
  type FeatureName,
  type DampenerDefinition,
  type FactValue,
  type RequiredComponents,
  type RuleDefinition,
  type RulesetDefinition,
} from '../../language/index.js';
import { compileRuleset } from '../compiled-ruleset.js';
import { evaluate, type EvaluationContext, type Evaluation, type Evidence } from './compose.js';
import type { ComponentName, ComponentState, ComponentFinding } from './component.js';
import { millisOf } from './requested-action.js';
import type { PublishedRuleset } from '../ruleset.js';

const NOW = '2026-11-20T12:00:00.000Z';
const FACTS: Readonly<Record<string, FactValue>> = {
  type: 'PIX_TRANSFER',
  channel: 'MOBILE_APP',
  currency: 'BRL',
  direction: 'OUT',
  amountBrl: 100,
  occurredAt: Date.parse(NOW),
  countries: [],
  'outgoing.count24h': 1,
  'incoming.count24h': 0,
};

interface Case {
  readonly facts?: Readonly<Record<string, FactValue | null>>;
  readonly components?: Partial<Record<ComponentName, ComponentState>>;
  readonly contradictions?: readonly string[];
}

const found = (state: ComponentState): ComponentFinding => ({ state, source: 'test', asOf: NOW });

function evidence({ facts = {}, components = {}, contradictions = [] }: Case = {}): Evidence {
  const sheet = new FactSheet(featureSchema);
  for (const [key, value] of Object.entries({ ...FACTS, ...facts })) {
    const name = key as FeatureName;
    if (value === null) sheet.setUnknown(name, 'MISSING', 'TEST');
    else sheet.set(name, value);
  }
  const whole = { IDENTITY: 'NO_HIT', COUNTERPARTY: 'NO_HIT', VELOCITY: 'NO_HIT' } as const;
  const states: Partial<Record<ComponentName, ComponentState>> = { ...whole, ...components };
  return {
    sheet,
    findings: Object.fromEntries(Object.entries(states).map(([name, state]) => [name, found(state)])),
    contradictions,
  };
}

function published(changes: Partial<RulesetDefinition> = {}): PublishedRuleset {
  const content = { ...brFirst, ...changes };
  const compiled = compileRuleset(content);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
  return { id: 'ruleset-1', contentHash: 'hash', content, compiled: compiled.ruleset };
}

const intact: EvaluationContext = { trailIntact: true, asOf: NOW };
const evaluated = (given: Case = {}, changes: Partial<RulesetDefinition> = {}): Evaluation =>
  evaluate(evidence(given), published(changes), intact);

const rule = (key: string, changes: Partial<RuleDefinition> = {}): RuleDefinition => ({
  ...brFirst.rules[0]!,
  key,
  when: 'true',
  parameters: {},
  evidence: [],
  message: { 'pt-BR': 'Sempre.', en: 'Always.' },
  effect: { minOutcome: null, recommend: 'NONE', reasonCode: 'TEST' },
  onIndeterminate: 'RECORD',
  ...changes,
});
const worth = (key: string, points: number, group = key): RuleDefinition =>
  rule(key, { score: { points, group, groupMax: null } });
const needs = (...components: ComponentName[]): Pick<RulesetDefinition, 'composition'> => ({
  composition: { requiredComponents: [{ types: ['*'], components }] },
});

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

  it('a component that nobody looked at is MISSING_INPUT when it is required and SKIPPED when not', () => {
    const { components } = evaluated({}, needs('RULES', 'PROFILE'));
    expect(components).toMatchObject({
      PROFILE: { state: 'MISSING_INPUT', reason: 'NO_PROVIDER' },
      DICT: { state: 'SKIPPED', reason: 'NO_PROVIDER' },
    });
  });

  it('without any look at the lists that it requires there is no composition: MISSING', () => {
    expect(evaluated({}, needs('RULES', 'LISTS'))).toMatchObject({
      composition: 'MISSING',
      defensible: false,
      nonDefensibleReasons: ['LISTS_MISSING_INPUT'],
      outcome: 'REVIEW',
    });
    const looked = { components: { LISTS: 'STALE_SOURCE' } } as const;
    expect(evaluated(looked, needs('RULES', 'LISTS')).composition).toBe('PARTIAL');
  });

  it('a rule that cannot be decided makes RULES partial', () => {
    expect(evaluated({ facts: { amountBrl: null } })).toMatchObject({
      composition: 'PARTIAL',
      outcome: 'REVIEW',
      nonDefensibleReasons: ['RULES_PARTIAL'],
      components: { RULES: { state: 'PARTIAL', reason: 'BR-AMOUNT-01:TEST' } },
    });
  });

  it('a hit whose graver points cannot be excluded is not certain', () => {
    const tiered = rule('R-1', {
      onIndeterminate: 'PARTIAL',
      score: { points: 10, group: 'G', groupMax: null, tiers: [{ when: 'incoming.sum7d > 5', points: 50 }] },
    });
    expect(evaluated({}, { rules: [tiered], ...needs('RULES') })).toMatchObject({
      score: 10,
      composition: 'PARTIAL',
      components: { RULES: { reason: 'R-1:POINTS_UNCERTAIN' } },
    });
    const known = { facts: { 'incoming.sum7d': 6 } };
    expect(evaluated(known, { rules: [tiered], ...needs('RULES') })).toMatchObject({
      score: 50,
      defensible: true,
    });
  });

  it('a feature that throws makes its component ERROR, whatever its provider says', () => {
    const given = evidence();
    given.sheet.setFrom('outgoing.sum24h', () => {
      throw new Error('CANARY');
    });
    const result = evaluate(given, published(), intact);
    expect(result).toMatchObject({
      composition: 'PARTIAL',
      defensible: false,
      nonDefensibleReasons: ['VELOCITY_ERROR'],
      outcome: 'REVIEW',
      components: { VELOCITY: { state: 'ERROR', reason: 'outgoing.sum24h:FEATURE_FAILED' } },
    });
    expect(JSON.stringify(result)).not.toContain('CANARY');
  });

  it('a fact from a source that is too old makes its component STALE_SOURCE', () => {
    const given = evidence({ components: { FX: 'NO_HIT' } });
    given.sheet.setUnknown('amountUsd', 'STALE', 'FX_RATE_STALE');
    const result = evaluate(given, published(needs('FX', 'RULES')), intact);
    expect(result.components.FX).toMatchObject({ state: 'STALE_SOURCE', reason: 'amountUsd:FX_RATE_STALE' });
    expect(result.composition).toBe('PARTIAL');
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
    expect(evaluate(evidence(), published(), { ...intact, trailIntact: false })).toMatchObject({
      composition: 'COMPLETE',
      defensible: false,
      nonDefensibleReasons: ['AUDIT_TRAIL_INCOMPLETE'],
      outcome: 'REVIEW',
    });
  });

  it('without a ruleset there is no score, and what was found is kept', () => {
    expect(evaluate(evidence({ components: { IDENTITY: 'PARTIAL' } }), null, intact)).toMatchObject({
      score: null,
      level: null,
      composition: 'MISSING',
      defensible: false,
      nonDefensibleReasons: ['RULES_ERROR'],
      outcome: 'REVIEW',
      components: { IDENTITY: { state: 'PARTIAL', points: 0 }, RULES: { state: 'ERROR' } },
    });
  });

  it('a hit shows in its component, with its points, and gives its reason in two languages', () => {
    const { components, reasons } = evaluated({ facts: { 'outgoing.count24h': 30 } });
    expect(components).toMatchObject({
      VELOCITY: { state: 'HIT', points: 30 },
      RULES: { state: 'HIT', points: 0, source: 'br-first@1' },
      IDENTITY: { state: 'NO_HIT', points: 0 },
    });
    expect(reasons).toMatchObject([
      {
        ruleId: 'BR-VEL-01',
        version: 1,
        points: 30,
        observed: expect.stringContaining('outgoing.count24h = 30'),
        threshold: 'count = 30',
        window: '24h',
        saturated: false,
        message: {
          'pt-BR': '30 saídas e 0 entradas do cliente em 24 horas.',
          en: '30 outgoing and 0 incoming transactions of the customer in 24 hours.',
        },
        legalBasis: [{ siscoafCode: 1056 }],
      },
    ]);
  });

  it('a component that was not whole does not become whole by a hit', () => {
    const given = { facts: { 'outgoing.count24h': 30 }, components: { VELOCITY: 'PARTIAL' } } as const;
    expect(evaluated(given)).toMatchObject({
      outcome: 'REVIEW',
      components: { VELOCITY: { state: 'PARTIAL', points: 30 } },
    });
  });

  it('the strongest action is recommended', () => {
    const rules = (['STEP_UP', 'DECLINE', 'HOLD', 'NONE'] as const).map((recommend, i) =>
      rule(`R-${i}`, { effect: { minOutcome: null, recommend, reasonCode: 'TEST' } }),
    );
    expect(evaluated({}, { rules }).recommendedAction).toBe('DECLINE');
  });

  it('a rule may ask for a review whatever the score', () => {
    const effect = { minOutcome: 'REVIEW', recommend: 'NONE', reasonCode: 'TEST' } as const;
    const rules = [rule('R-1', { effect, score: { points: 0, group: 'G', groupMax: null } })];
    expect(evaluated({}, { rules })).toMatchObject({ score: 0, defensible: true, outcome: 'REVIEW' });
  });

  it('a step-up is requested, unless the customer was verified lately', () => {
    const action = {
      type: 'STEP_UP_SESSION',
      flowKey: 'step-up',
      onlyIfNoneWithin: 'PT12H',
      expiresIn: 'PT30M',
      expiresInAtNight: 'PT60M',
    } as const;
    const rules = [rule('R-1', { actions: [action] }), rule('R-2', { actions: [action] })];
    expect(evaluated({}, { rules }).actions).toEqual([{ ruleId: 'R-1', action, status: 'REQUESTED' }]);
    const verified = (ago: number): Case => ({ facts: { 'kyc.lastApprovedAt': Date.parse(NOW) - ago } });
    expect(evaluated(verified(12 * 3_600_000), { rules }).actions).toMatchObject([{ status: 'NOT_NEEDED' }]);
    expect(evaluated(verified(12 * 3_600_000 + 1), { rules }).actions).toMatchObject([
      { status: 'REQUESTED' },
    ]);
  });

  it('reads ISO 8601 durations of days and less', () => {
    expect(['PT30M', 'PT12H', 'P1D', 'P1DT1H', 'PT45S'].map(millisOf)).toEqual([
      1_800_000, 43_200_000, 86_400_000, 90_000_000, 45_000,
    ]);
    expect(['P', 'PT', 'P1M', '12H', ''].map(millisOf)).toEqual([NaN, NaN, NaN, NaN, NaN]);
  });
});

describe('what does not count', () => {
  const review = { minOutcome: 'REVIEW', recommend: 'HOLD', reasonCode: 'TEST' } as const;

  it('a rule in SHADOW is judged and recorded, and changes nothing', () => {
    const rules = [rule('R-1', { mode: 'SHADOW', effect: review, actions: [] })];
    const result = evaluated({}, { rules });
    expect(result).toMatchObject({ score: 0, outcome: 'APPROVED', recommendedAction: 'NONE', reasons: [] });
    expect(result.rules).toMatchObject([{ result: 'HIT', effect: 'SHADOW', points: 60 }]);
  });

  it('a rule in SHADOW that cannot be decided does not make the composition partial', () => {
    const rules = [rule('R-1', { mode: 'SHADOW', when: 'amountUsd > 1', onIndeterminate: 'PARTIAL' })];
    expect(evaluated({}, { rules }).composition).toBe('COMPLETE');
  });

  it('a DISABLED rule is not asked', () => {
    expect(evaluated({}, { rules: [rule('R-1', { mode: 'DISABLED' })] }).rules).toEqual([]);
  });

  it.each(['SNOOZED', 'COOLDOWN'] as const)('a rule that is silenced (%s) is recorded as such', (why) => {
    const silenced = new Map([['R-1', why]]);
    const result = evaluate(evidence(), published({ rules: [rule('R-1', { effect: review })] }), {
      ...intact,
      silenced,
    });
    expect(result).toMatchObject({ score: 0, outcome: 'APPROVED', rules: [{ result: 'HIT', effect: why }] });
  });
});

describe('a dampener', () => {
  const dampener = (changes: Partial<DampenerDefinition> = {}): DampenerDefinition => ({
    ...brStarter.dampeners[0]!,
    suppresses: ['R-1'],
    ...changes,
  });
  const sameHolder = { facts: { sameHolder: true } } as const;

  it('takes its points away and silences the rules that it names', () => {
    const forced = { minOutcome: 'REVIEW', recommend: 'NONE', reasonCode: 'TEST' } as const;
    const rules = [{ ...worth('R-1', 45), effect: forced }, worth('R-2', 50)];
    const result = evaluated(sameHolder, { rules, dampeners: [dampener()] });
    expect(result).toMatchObject({ score: 30, dampening: -20, outcome: 'APPROVED' });
    expect(result.reasons.map(({ ruleId, points }) => [ruleId, points])).toEqual([
      ['R-2', 50],
      ['BR-DAMP-01', -20],
    ]);
    expect(result.rules).toMatchObject([{ effect: 'SUPPRESSED', points: 45 }, { effect: 'COUNTED' }]);
  });

  it('never takes the score below zero, and never undoes the review that another rule asks for', () => {
    const forced = { minOutcome: 'REVIEW', recommend: 'NONE', reasonCode: 'TEST' } as const;
    const rules = [{ ...worth('R-2', 10), effect: forced }];
    expect(evaluated(sameHolder, { rules, dampeners: [dampener({ suppresses: [] })] })).toMatchObject({
      score: 0,
      outcome: 'REVIEW',
    });
  });

  it('does nothing when it cannot be decided, or only in SHADOW', () => {
    const rules = [worth('R-1', 45)];
    expect(evaluated({}, { rules, dampeners: [dampener()] }).score).toBe(45);
    expect(evaluated(sameHolder, { rules, dampeners: [dampener({ mode: 'SHADOW' })] }).score).toBe(45);
  });
});

describe('the score', () => {
  const scored = (points: readonly number[], groups: readonly string[] = []): Evaluation =>
    evaluated(
      {},
      {
        rules: points.map((one, i) => worth(`R-${i}`, one, groups[i] ?? `F-${i}`)),
        scoring: { ...brFirst.scoring, caps: { default: 60, SMALL: 10 } },
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
  ])('%j of different groups give %d, %s', (points, score, level) => {
    expect(scored(points)).toMatchObject({ score, level });
  });

  it('a group counts up to its cap, or to the lower one of a rule of it', () => {
    expect(scored([50, 50], ['A', 'A']).score).toBe(60);
    expect(scored([50, 50], ['SMALL', 'SMALL']).score).toBe(10);
    expect(scored([50, 50], ['SMALL', 'A']).score).toBe(60);
    const rules = [
      { ...worth('R-1', 50, 'A'), score: { points: 50, group: 'A', groupMax: 30 } },
      worth('R-2', 5, 'A'),
    ];
    expect(evaluated({}, { rules })).toMatchObject({
      score: 30,
      groups: [{ group: 'A', points: 55, cap: 30, counted: 30 }],
    });
  });

  it('is between 0 and 100, and more hits never make it less', () => {
    const points = fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 8 });
    const groups = fc.array(fc.constantFrom('A', 'B', 'SMALL'), { minLength: 9, maxLength: 9 });
    fc.assert(
      fc.property(points, fc.integer({ min: 0, max: 100 }), groups, (some, more, of) => {
        const [before, after] = [scored(some, of).score!, scored([...some, more], [...of]).score!];
        expect(before).toBeGreaterThanOrEqual(0);
        expect(after).toBeLessThanOrEqual(100);
        expect(after).toBeGreaterThanOrEqual(before);
      }),
      { numRuns: 50 },
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
      amountBrl: fc.constantFrom(1, 49_999.99, 50_000, null),
      count: fc.option(fc.integer({ min: 0, max: 60 })),
      contradicts: fc.boolean(),
      trailIntact: fc.boolean(),
      hasRuleset: fc.boolean(),
    });
    const ruleset = published();
    fc.assert(
      fc.property(cases, ({ amountBrl, count, contradicts, trailIntact, hasRuleset, ...components }) => {
        const given = evidence({
          facts: { amountBrl, 'outgoing.count24h': count },
          components,
          contradictions: contradicts ? ['X'] : [],
        });
        const result = evaluate(given, hasRuleset ? ruleset : null, { ...intact, trailIntact });
        expect(result.defensible).toBe(result.nonDefensibleReasons.length === 0);
        if (!result.defensible) expect(result.outcome).toBe('REVIEW');
        if (result.outcome === 'APPROVED') {
          expect(result.composition).toBe('COMPLETE');
          expect(result.score).toBeLessThan(60);
        }
        if (result.composition !== 'COMPLETE') expect(result.defensible).toBe(false);
      }),
    );
  });
});

describe('what a type requires', () => {
  const required = (
    facts: Case['facts'],
    requiredComponents: readonly RequiredComponents[],
  ): readonly string[] =>
    evaluated({ ...(facts ? { facts } : {}) }, { composition: { requiredComponents } }).required;

  it('is said by the first entry that fits the type', () => {
    const entries: RequiredComponents[] = [
      { types: ['PIX_*'], components: ['RULES', 'DICT'] },
      { types: ['*'], components: ['RULES'] },
    ];
    expect(required({}, entries)).toEqual(['RULES', 'DICT']);
    expect(required({ type: 'OTHER' }, entries)).toEqual(['RULES']);
  });

  it('is everything when the ruleset forgets to say', () => {
    expect(required({}, [])).toContain('LISTS');
    expect(required({}, [])).toContain('DEVICE_IP');
  });

  it('is more from an amount on, also when the amount cannot be told', () => {
    const entries: RequiredComponents[] = [
      { types: ['*'], components: ['RULES'], fromAmountBrl: { amount: 10_000, components: ['PROFILE'] } },
    ];
    expect(required({ amountBrl: 9_999.99 }, entries)).toEqual(['RULES']);
    expect(required({ amountBrl: 10_000 }, entries)).toEqual(['RULES', 'PROFILE']);
    expect(required({ amountBrl: null }, entries)).toEqual(['RULES', 'PROFILE']);
  });

  it('is more in a foreign currency', () => {
    const entries: RequiredComponents[] = [
      { types: ['*'], components: ['RULES'], inForeignCurrency: ['FX'] },
    ];
    expect(required({}, entries)).toEqual(['RULES']);
    expect(required({ currency: 'EUR' }, entries)).toEqual(['RULES', 'FX']);
  });

  it('in br-starter is what domain knowledge says', () => {
    const needed = (facts: Record<string, FactValue | null>): readonly string[] =>
      compiledStarter.ruleset.requiredFor(evidence({ facts }).sheet).required;
    const base = ['IDENTITY', 'COUNTERPARTY', 'LISTS', 'VELOCITY', 'RULES'];
    expect(needed({ type: 'CARD_PURCHASE' })).toEqual(['IDENTITY', 'LISTS', 'VELOCITY', 'RULES']);
    expect(needed({ type: 'CASH_DEPOSIT', amountBrl: 10_000 })).toContain('PROFILE');
    expect(needed({})).toEqual([...base, 'DEVICE_IP', 'DICT']);
    expect(needed({ type: 'PIX_REFUND' })).toEqual([...base, 'DEVICE_IP']);
    expect(needed({ type: 'BET_DEPOSIT', direction: 'IN' })).toContain('DEVICE_IP');
    expect(needed({ direction: 'IN' })).toEqual(base);
    expect(needed({ direction: null })).toContain('DEVICE_IP');
    expect(needed({ type: 'FX_OUTBOUND' })).toContain('FX');
    expect(needed({ currency: 'EUR', amountBrl: null })).toEqual(expect.arrayContaining(['FX', 'PROFILE']));
  });

  it('is less on a channel that the ruleset exempts, and the result names what was left out', () => {
    const { required: needed, exempt } = compiledStarter.ruleset.requiredFor(
      evidence({ facts: { channel: 'BRANCH' } }).sheet,
    );
    expect(needed).not.toContain('DEVICE_IP');
    expect(exempt).toEqual(['DEVICE_IP']);
    const exemptions = [{ channels: ['MOBILE_*'], components: ['VELOCITY', 'FX'] as const }];
    const result = evaluated(
      { components: { VELOCITY: 'ERROR' } },
      {
        composition: {
          requiredComponents: [{ types: ['*'], components: ['RULES', 'VELOCITY'], exemptions }],
        },
      },
    );
    expect(result).toMatchObject({ required: ['RULES'], exempt: ['VELOCITY'], defensible: true });
  });
});

describe('what nobody looked at costs the defence', () => {
  const approved = { outcome: 'APPROVED', defensible: true, composition: 'COMPLETE' };

  it('a type that neither the catalogue nor the ruleset names', () => {
    const requiredComponents: RequiredComponents[] = [{ types: ['*'], components: ['RULES'] }];
    const unknown = { type: 'VOUCHER', typeKnown: false };
    expect(evaluated({ facts: unknown }, { rules: [], composition: { requiredComponents } })).toMatchObject({
      outcome: 'REVIEW',
      composition: 'PARTIAL',
      nonDefensibleReasons: ['RULES_PARTIAL', 'UNKNOWN_TYPE'],
      components: { RULES: { state: 'PARTIAL', reason: 'UNKNOWN_TYPE' } },
    });
    const named: RequiredComponents[] = [
      { types: ['VOUCHER'], components: ['RULES'] },
      ...requiredComponents,
    ];
    expect(
      evaluated({ facts: unknown }, { rules: [], composition: { requiredComponents: named } }),
    ).toMatchObject(approved);
  });

  it('metadata that was meant for the rules and cannot be read', () => {
    expect(
      evaluated({ facts: { 'metadata.ignored': ['deviceId', 'declines'] } }, { rules: [] }),
    ).toMatchObject({
      outcome: 'REVIEW',
      nonDefensibleReasons: ['RULES_PARTIAL', 'METADATA_IGNORED'],
      components: { RULES: { reason: 'METADATA_IGNORED:deviceId+declines' } },
    });
    expect(evaluated({ facts: { 'metadata.ignored': [] } }, { rules: [] })).toMatchObject(approved);
  });

  it('a payee who cannot be compared with the lists, where there has to be one', () => {
    const facts = { 'destination.nameGiven': false };
    const components = { LISTS: 'NO_HIT' } as const;
    const of = (...needed: ComponentName[]): Partial<RulesetDefinition> => ({
      rules: [],
      composition: { requiredComponents: [{ types: ['*'], components: needed }] },
    });
    expect(evaluated({ facts, components }, of('RULES', 'LISTS', 'COUNTERPARTY'))).toMatchObject({
      outcome: 'REVIEW',
      nonDefensibleReasons: ['LISTS_PARTIAL'],
      components: { LISTS: { state: 'PARTIAL', reason: 'COUNTERPARTY_NOT_NAMED' } },
    });
    expect(evaluated({ facts, components }, of('RULES', 'LISTS'))).toMatchObject(approved);
    const own = { ...facts, sameHolder: true };
    expect(evaluated({ facts: own, components }, of('RULES', 'LISTS', 'COUNTERPARTY'))).toMatchObject(
      approved,
    );
  });

  it('a live rule that could not tell, unless its author did without just that input', () => {
    const undecided = (
      changes: Partial<RuleDefinition>,
      facts: Case['facts'] = { 'dict.reportedFrauds30d': null },
    ): Evaluation =>
      evaluated({ facts }, { rules: [rule('R', { when: 'dict.reportedFrauds30d > 1', ...changes })] });
    const waived = { evidence: [{ feature: 'dict.reportedFrauds30d', required: false }] };
    const missing = ['dict.reportedFrauds30d'];
    const gap = {
      outcome: 'REVIEW',
      nonDefensibleReasons: ['RULES_PARTIAL'],
      components: { RULES: { state: 'PARTIAL', reason: 'R:TEST' } },
      notEvaluated: [{ ruleId: 'R', missing }],
    };
    expect(undecided({ onIndeterminate: 'RECORD' })).toMatchObject(gap);
    expect(undecided({ onIndeterminate: 'PARTIAL', ...waived })).toMatchObject(gap);
    expect(undecided({ onIndeterminate: 'RECORD', ...waived })).toMatchObject({
      ...approved,
      notEvaluated: [{ ruleId: 'R', missing }],
    });
    // Nobody does without an input that was sent and cannot be read.
    const malformed = evidence();
    malformed.sheet.setUnknown('dict.reportedFrauds30d', 'ERROR', 'DICT_MALFORMED');
    const ruleset = published({
      rules: [rule('R', { when: 'dict.reportedFrauds30d > 1', onIndeterminate: 'RECORD', ...waived })],
    });
    expect(evaluate(malformed, ruleset, intact).nonDefensibleReasons).toContain('RULES_PARTIAL');
    // A watched rule is only tried.
    expect(undecided({ onIndeterminate: 'RECORD', mode: 'SHADOW' })).toMatchObject({
      ...approved,
      notEvaluated: [],
    });
  });
});

const compiledStarter = ((): { ruleset: PublishedRuleset['compiled'] } => {
  const result = compileRuleset(brStarter);
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  return { ruleset: result.ruleset };
})();

it('the small ruleset asks for what its rules read', () => {
  const [everything] = brFirst.composition.requiredComponents;
  for (const { component, onIndeterminate } of brFirst.rules) {
    if (onIndeterminate === 'PARTIAL') expect(everything?.components).toContain(component);
  }
});
