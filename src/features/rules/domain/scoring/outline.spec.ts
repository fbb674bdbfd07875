import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { askingFrom } from '../../../../../test/support/page-flow.js';
import { evidenceOf, receiptCases, rulesets } from '../../../../../test/support/receipt-cases.js';
import { compileRuleset } from '../compiled-ruleset.js';
import { evaluate } from './compose.js';
import { challengeStates, hasUndecidedHit, type ChallengeFlows } from './outcome.js';
import { receiptOutlineOf } from './outline.js';
import type { PublishedRuleset } from '../ruleset.js';
import { runsInPart } from '../../../../../test/support/needs.js';

const flows: fc.Arbitrary<ChallengeFlows | undefined> = fc.option(
  fc.record({
    'step-up': fc.record({
      state: fc.constantFrom('OPEN' as const, 'OPEN' as const, ...challengeStates),
      session: fc.constant(null),
    }),
  }),
  { nil: undefined, freq: 1 },
);

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

/** The first rules with one that has the customer verified from 900 on. */
function asking(): PublishedRuleset {
  const content = askingFrom(900, 'step-up');
  const compilation = compileRuleset(content);
  if (!compilation.ok) throw new Error(JSON.stringify(compilation.diagnostics));
  return { ...rulesets[1], content, compiled: compilation.ruleset };
}
const ASKING = 3;

it('an outline is what the evaluation comes to: outcome, score, hits, what is watched, what cannot be decided', () => {
  const rulesetsTried = [...rulesets, mixed(), asking()];
  const seen = { approved: 0, challenged: 0, undecided: 0, hits: 0, shadow: 0, indeterminate: 0 };
  fc.assert(
    fc.property(
      receiptCases,
      fc.nat(rulesetsTried.length - 1),
      fc.boolean(),
      flows,
      (given, which, isClean, challengeFlows) => {
        // Random findings are hardly ever whole together; half of the cases are.
        const base = evidenceOf(
          isClean ? { ...given, facts: given.facts.map(() => ['KNOWN', 0]), contradictions: [] } : given,
        );
        // The generator's customers of such cases were all verified a moment ago.
        if (which === ASKING) base.sheet.setUnknown('kyc.lastApprovedAt', 'MISSING', 'NEVER_VERIFIED');
        // The generator answers half of all questions with yes, and of this one nothing is approved.
        base.sheet.set('hits.undecided', !isClean && given.trailIntact);
        const whole = { state: 'NO_HIT', source: 'test', asOf: '' } as const;
        const evidence = isClean
          ? { ...base, findings: { IDENTITY: whole, COUNTERPARTY: whole, LISTS: whole, VELOCITY: whole } }
          : base;
        const ruleset = rulesetsTried[which] ?? rulesets[0];
        const trailIntact = isClean || given.trailIntact;
        const { outcome, score, rules } = evaluate(evidence, ruleset, {
          trailIntact,
          asOf: '',
          challengeFlows,
        });
        const keysOf = (chosen: (rule: (typeof rules)[number]) => boolean): string[] =>
          rules.filter(chosen).map(({ rule }) => rule.definition.key);
        const expected = {
          outcome,
          score,
          hits: keysOf(({ result, effect }) => result === 'HIT' && effect === 'COUNTED'),
          shadow: keysOf(({ result, effect }) => result === 'HIT' && effect === 'SHADOW'),
          indeterminate: keysOf(({ result }) => result === 'INDETERMINATE'),
        };
        expect(receiptOutlineOf(evidence, ruleset.compiled, trailIntact, challengeFlows)).toEqual(expected);
        if (outcome === 'APPROVED') seen.approved += 1;
        if (hasUndecidedHit(evidence.sheet)) {
          expect(outcome).toBe('REVIEW');
          seen.undecided += 1;
        }
        if (outcome === 'CHALLENGED') seen.challenged += 1;
        seen.hits += expected.hits.length;
        seen.shadow += expected.shadow.length;
        seen.indeterminate += expected.indeterminate.length;
      },
    ),
    { numRuns: runsInPart(20_000) },
  );
  // The generator reaches all of it.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
});
