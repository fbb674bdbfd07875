import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { evidenceOf, receiptCases, rulesets } from '../../../test/support/receipt-cases.js';
import { compileRuleset } from './compiled-ruleset.js';
import { evaluate } from './compose.js';
import { outlineOf } from './outline.js';
import type { PublishedRuleset } from './ruleset.js';

/** The starter rules with every third one only watched, and a dampener that nearly always hits. */
function mixed(): PublishedRuleset {
  const { content } = rulesets[0];
  const changed = {
    ...content,
    rules: content.rules.map((rule, i) => (i % 3 === 0 ? { ...rule, mode: 'SHADOW' as const } : rule)),
    dampeners: content.dampeners.map((dampener) => ({ ...dampener, when: 'amountBrl > 100' })),
  };
  const compilation = compileRuleset(changed);
  if (!compilation.ok) throw new Error(JSON.stringify(compilation.diagnostics));
  return { ...rulesets[0], content: changed, compiled: compilation.ruleset };
}

it('an outline is what the evaluation comes to: outcome, score, hits, what is watched, what cannot be decided', () => {
  const rulesetsTried = [...rulesets, mixed()];
  const seen = { approved: 0, hits: 0, shadow: 0, indeterminate: 0 };
  fc.assert(
    fc.property(receiptCases, fc.nat(rulesetsTried.length - 1), fc.boolean(), (given, which, isClean) => {
      // Random findings are hardly ever whole together; half of the cases are.
      const base = evidenceOf(
        isClean ? { ...given, facts: given.facts.map(() => ['KNOWN', 0]), contradictions: [] } : given,
      );
      const whole = { state: 'NO_HIT', source: 'test', asOf: '' } as const;
      const evidence = isClean
        ? { ...base, findings: { IDENTITY: whole, COUNTERPARTY: whole, LISTS: whole, VELOCITY: whole } }
        : base;
      const ruleset = rulesetsTried[which] ?? rulesets[0];
      const trailIntact = isClean || given.trailIntact;
      const { outcome, score, rules } = evaluate(evidence, ruleset, { trailIntact, asOf: '' });
      const keysOf = (chosen: (rule: (typeof rules)[number]) => boolean): string[] =>
        rules.filter(chosen).map(({ rule }) => rule.definition.key);
      const expected = {
        outcome,
        score,
        hits: keysOf(({ result, effect }) => result === 'HIT' && effect === 'COUNTED'),
        shadow: keysOf(({ result, effect }) => result === 'HIT' && effect === 'SHADOW'),
        indeterminate: keysOf(({ result }) => result === 'INDETERMINATE'),
      };
      expect(outlineOf(evidence, ruleset.compiled, trailIntact)).toEqual(expected);
      if (outcome === 'APPROVED') seen.approved += 1;
      seen.hits += expected.hits.length;
      seen.shadow += expected.shadow.length;
      seen.indeterminate += expected.indeterminate.length;
    }),
    { numRuns: 1_500 },
  );
  // The generator reaches all of it.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
});
