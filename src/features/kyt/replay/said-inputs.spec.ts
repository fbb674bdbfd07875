import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inputNames, type Evaluation } from '../../rules/index.js';
import { before, judged, known, standingOf, whole } from '../../../../test/support/missing-inputs.js';
import { withoutInputs } from './left-out.js';

const inputs = fc.subarray([...inputNames]);
const COMPONENTS = { DICT: 'DICT', DEVICE: 'DEVICE_IP', PROFILE: 'PROFILE' } as const;

/** Rules and points: what an application says changes none of them. */
const findingsOf = ({ score, rules, notEvaluated, groups, flags, contradictions }: Evaluation): unknown => ({
  ...{ score, notEvaluated, groups, flags, contradictions },
  verdicts: rules.map(({ rule, result, effect, points }) => [rule.definition.key, result, effect, points]),
});

it('what an application says not to send is named in the result, and hides nothing that was named without it', async () => {
  const seen = { better: 0, same: 0, came: 0 };
  await fc.assert(
    fc.asyncProperty(whole, before, known, inputs, inputs, async (body, past, standing, left, said) => {
      const sent = withoutInputs(body, left) as Record<string, unknown>;
      const profile = left.includes('PROFILE') ? null : standingOf(standing);
      const [silent, spoken] = await Promise.all([
        judged([...past, sent], profile),
        judged([...past, sent], profile, said),
      ]);
      if (!silent || !spoken) return;
      expect(findingsOf(spoken)).toEqual(findingsOf(silent));
      expect(silent.withoutInputs).toEqual([]);
      expect(said).toEqual(expect.arrayContaining([...spoken.withoutInputs]));
      // Each component is still needed, or named as left out, and then its input is as well.
      expect(new Set([...spoken.required, ...spoken.exempt])).toEqual(
        new Set([...silent.required, ...silent.exempt]),
      );
      for (const name of spoken.exempt.filter((one) => !silent.exempt.includes(one))) {
        const input = said.find((one) => one !== 'COUNTERPARTY_DOCUMENT' && COMPONENTS[one] === name);
        expect(input).toBeDefined();
        expect(spoken.withoutInputs).toContain(input);
        expect(['MISSING_INPUT', 'PARTIAL']).toContain(silent.components[name]?.state);
      }
      // Nothing is defended, or passes, that was not, unless the result says what it did without.
      const isBetter = spoken.outcome !== silent.outcome || spoken.defensible !== silent.defensible;
      if (isBetter) {
        expect(spoken.withoutInputs.length).toBeGreaterThan(0);
        if (spoken.outcome !== silent.outcome) expect(silent.judgedByRules).toBe(false);
      } else {
        expect(silent.nonDefensibleReasons).toEqual(expect.arrayContaining([...spoken.nonDefensibleReasons]));
      }
      // An input that came is used. A device may come in part, and a customer may have declared a part.
      const wholly = spoken.withoutInputs.filter((one) => one !== 'DEVICE' && one !== 'PROFILE');
      expect(left).toEqual(expect.arrayContaining(wholly));
      seen[isBetter ? 'better' : 'same'] += 1;
      if (said.some((one) => !left.includes(one))) seen.came += 1;
    }),
    { numRuns: 150 },
  );
  expect(seen.better).toBeGreaterThan(5);
  expect(seen.same).toBeGreaterThan(5);
  expect(seen.came).toBeGreaterThan(5);
});
