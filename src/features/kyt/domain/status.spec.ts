import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { retryDelayMs } from './retry.js';
import { transactionFlow, type TransactionStatus } from './status.js';

const { states } = transactionFlow;

/** A life: from each state to one that is allowed, as long as there is one. */
function live(choices: readonly number[]): TransactionStatus[] {
  const life: TransactionStatus[] = ['QUEUED'];
  for (const choice of choices) {
    const from = life.at(-1) ?? 'QUEUED';
    const next = states.filter((state) => transactionFlow.allows(from, state));
    const to = next[choice % Math.max(1, next.length)];
    if (to === undefined) break;
    life.push(to);
  }
  return life;
}

const lives = fc.array(fc.nat({ max: 11 }), { maxLength: 40 }).map(live);

describe('the life of a transaction', () => {
  it('ends with COMPLETED and nowhere else', () => {
    expect(states.filter((state) => transactionFlow.isTerminal(state))).toEqual(['COMPLETED']);
    fc.assert(
      fc.property(lives, (life) => {
        expect(life.indexOf('COMPLETED')).toBe(life.includes('COMPLETED') ? life.length - 1 : -1);
      }),
    );
  });

  it('comes to an end or to the dead letters only from a worker, and back from these only to the queue', () => {
    fc.assert(
      fc.property(lives, (life) => {
        life.forEach((state, i) => {
          if (state === 'COMPLETED' || state === 'DEAD_LETTERED') expect(life[i - 1]).toBe('PROCESSING');
          if (state === 'DEAD_LETTERED' && i + 1 < life.length) expect(life[i + 1]).toBe('QUEUED');
        });
      }),
    );
  });

  it('can be completed from wherever it is', () => {
    fc.assert(
      fc.property(lives, (life) => {
        const reachable = new Set<TransactionStatus>(life.slice(-1));
        for (const state of reachable) {
          for (const next of states) if (transactionFlow.allows(state, next)) reachable.add(next);
        }
        expect(reachable).toContain('COMPLETED');
      }),
    );
  });
});

describe('retryDelayMs', () => {
  it('doubles with each attempt up to a minute, and adds at most 30 %', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempt, random) => {
          const base = Math.min(500 * 2 ** (attempt - 1), 60_000);
          expect(retryDelayMs(attempt, random)).toBeGreaterThanOrEqual(base);
          expect(retryDelayMs(attempt, random)).toBeLessThanOrEqual(Math.ceil(1.3 * base));
        },
      ),
    );
  });
});
