import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decideOutcome, type StepUpsState, type OutcomeInputs, type RecommendedAction } from './outcome.js';

const hit = fc.record({
  effect: fc.record({
    minOutcome: fc.constantFrom(null, 'REVIEW' as const),
    recommend: fc.constantFrom<RecommendedAction>('NONE', 'STEP_UP', 'HOLD', 'DECLINE'),
    reasonCode: fc.constant('TEST'),
  }),
});
const grounds: fc.Arbitrary<OutcomeInputs> = fc.record({
  score: fc.integer({ min: 0, max: 100 }),
  reviewAt: fc.constant(60),
  defensible: fc.boolean(),
  undecidedHit: fc.boolean(),
  counted: fc.array(hit, { maxLength: 3 }),
  challenge: fc.constantFrom<StepUpsState>('NONE', 'COVERED', 'OPEN', 'LOST'),
});

describe('a conclusion', () => {
  it('is one of four pairs, and approves only what nothing speaks against', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(grounds, (given) => {
        const { outcome, recommendedAction } = decideOutcome(given);
        const pair = `${outcome} ${recommendedAction}`;
        seen.set(pair, (seen.get(pair) ?? 0) + 1);
        const against =
          !given.defensible ||
          given.undecidedHit ||
          given.score >= given.reviewAt ||
          given.challenge === 'LOST' ||
          given.counted.some(
            ({ effect }) => effect.minOutcome === 'REVIEW' || ['HOLD', 'DECLINE'].includes(effect.recommend),
          );
        expect(outcome === 'REVIEW').toBe(against);
        expect(outcome === 'CHALLENGED').toBe(!against && given.challenge === 'OPEN');
      }),
      { numRuns: 3_000 },
    );
    expect([...seen.keys()].sort()).toEqual([
      'APPROVED NONE',
      'CHALLENGED STEP_UP',
      'REVIEW DECLINE',
      'REVIEW HOLD',
    ]);
    for (const count of seen.values()) expect(count).toBeGreaterThan(20);
  });

  it('is never an approval while a hit waits for its decision, whatever the rules say', () => {
    const quiet: OutcomeInputs = {
      ...{ score: 0, reviewAt: 60, defensible: true, counted: [] },
      ...{ challenge: 'NONE', undecidedHit: false },
    };
    expect(decideOutcome(quiet).outcome).toBe('APPROVED');
    for (const challenge of ['NONE', 'COVERED', 'OPEN', 'LOST'] as const) {
      expect(decideOutcome({ ...quiet, challenge, undecidedHit: true })).toEqual({
        outcome: 'REVIEW',
        recommendedAction: 'HOLD',
        judgedByRules: true,
      });
    }
  });
});
