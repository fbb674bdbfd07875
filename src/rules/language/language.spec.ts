import { describe, expect, it } from '@jest/globals';
import { check, compileRule, FactSheet, featureSchema, type RuleDefinition } from './index.js';

const rule = (changes: Partial<RuleDefinition>): RuleDefinition => ({
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

const compiled = (changes: Partial<RuleDefinition>): ReturnType<typeof compileRule> =>
  compileRule(rule(changes), { schema: featureSchema });

describe('a rule', () => {
  it('hits, misses, or says that it cannot tell', () => {
    const result = compiled({
      when: 'amountBrl > param.limit && outgoing.sum24h / incoming.sum24h >= 0.8',
      parameters: { limit: { value: 1000, unit: 'BRL', label: { 'pt-BR': 'limite', en: 'limit' } } },
    });
    if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
    const sheet = new FactSheet(featureSchema);
    expect(result.rule.evaluate(sheet)).toMatchObject({ verdict: 'INDETERMINATE', points: 0 });
    sheet.set('amountBrl', 1000);
    expect(result.rule.evaluate(sheet)).toMatchObject({ verdict: 'NO_HIT', explanation: null });
    sheet.set('amountBrl', 1000.01).set('outgoing.sum24h', 17900).set('incoming.sum24h', 18400);
    expect(result.rule.evaluate(sheet)).toMatchObject({ verdict: 'HIT', points: 10 });
    expect(result.rule.message(sheet, 'pt-BR')).toBe('Valor R$ 1.000,01.');
  });

  it('is refused with place and suggestion', () => {
    expect(check('outgoing.sum24 >= 5', { schema: featureSchema })).toMatchObject({
      ok: false,
      diagnostics: [
        { code: 'UNKNOWN_FIELD', start: 0, end: 14, line: 1, column: 1, suggestion: 'outgoing.sum24h' },
      ],
    });
  });
});
