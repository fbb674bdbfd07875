import { describe, expect, it } from '@jest/globals';
import { brStarter } from '../data/br-starter/index.js';
import { backtestInWords, changesInWords, ruleInWords } from './change-in-words.js';

const [first, second, third] = brStarter.rules;

describe('What a version changes, in words', () => {
  it('is each rule with its mode, points and condition, and each other value by its path', () => {
    const after = {
      ...brStarter,
      rules: [{ ...first!, mode: 'SHADOW' as const, severity: 'LOW' as const }, ...brStarter.rules.slice(2)],
      scoring: { ...brStarter.scoring, reviewAt: 99 },
    };
    const [changed, gone, scoring, ...rest] = changesInWords(brStarter, after);
    expect(changed).toMatchObject({
      what: { en: `${first!.key} · ${first!.name.en}` },
      before: { en: expect.stringMatching(/^live, \d+ points: [a-z]/) },
      after: { 'pt-BR': expect.stringMatching(/^em sombra, \d+ pontos: .* \(gravidade\)$/) },
    });
    expect(gone).toMatchObject({ what: { en: expect.stringContaining(second!.key) }, after: null });
    expect(scoring).toEqual({
      what: { 'pt-BR': 'Pontuação: reviewAt', en: 'Scoring: reviewAt' },
      before: expect.objectContaining({ en: String(brStarter.scoring.reviewAt) }),
      after: { 'pt-BR': '99', en: '99' },
    });
    expect(rest).toEqual([]);
  });

  it.each([
    [
      'a tier',
      { score: { ...first!.score, tiers: [{ when: 'amount > 1', points: 99 }] } },
      'how its points count',
    ],
    ['a flag', { flags: ['REPORT_COE' as const] }, 'flags'],
    ['a parameter', { parameters: {} }, 'parameters'],
    [
      'an aggregate',
      { aggregates: { a: { function: 'count', by: 'customer', window: '1d' } as const } },
      'aggregates',
    ],
  ])('names %s that changes behind an equal sentence', (_, change, named) => {
    const after = { ...brStarter, rules: [{ ...first!, ...change }, ...brStarter.rules.slice(1)] };
    const [line, ...rest] = changesInWords(brStarter, after);
    expect(line?.after?.en).toContain(named);
    expect(rest).toEqual([]);
  });

  it('is nothing between equal versions, and all rules of a first one', () => {
    expect(changesInWords(brStarter, { ...brStarter, version: 2 })).toEqual([]);
    expect(changesInWords(null, { ...brStarter, rules: [first!, third!] })).toMatchObject([
      { before: null, after: ruleInWords(first!) },
      { before: null, after: ruleInWords(third!) },
    ]);
  });

  it('names every rule of the starter in a sentence, without a code of the language', () => {
    for (const rule of brStarter.rules) {
      const { en, 'pt-BR': pt } = ruleInWords(rule);
      expect([en, pt].filter((text) => /undefined|NaN|\[object|==|&&/.test(text))).toEqual([]);
    }
  });

  it('of a back-test is what changes, with alerts before and after', () => {
    const report = {
      snapshots: 400,
      rules: [],
      outcomes: { unchanged: 388, flips: [{ from: 'APPROVED', to: 'REVIEW', count: 12, examples: [] }] },
      scoreHistogram: [],
      alertsPerDay: [
        { day: '2026-11-02', transactions: 200, live: 1, tested: 9 },
        { day: '2026-11-03', transactions: 200, live: 2, tested: 6 },
      ],
      overlap: [],
    };
    expect(backtestInWords(report)).toMatchObject({
      before: { en: '3 alerts' },
      after: { en: '15 alerts; 400 transactions, 12 with another outcome (approved → in review: 12)' },
    });
  });
});
