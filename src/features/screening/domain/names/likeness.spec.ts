import { describe, expect, it } from '@jest/globals';
import { tokenOf } from './name-token.js';
import { compareTokens, editCost } from './token-similarity.js';

/** Numbers below `n`, the same in every run. */
function numbers(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * n);
  };
}

const LETTERS = 'abcdehimnorst';

describe('what is turned away before two words are compared letter by letter', () => {
  const below = numbers(28);
  const letter = (): string => LETTERS.charAt(below(LETTERS.length));
  const word = (): string => Array.from({ length: 4 + below(6) }, letter).join('');
  const changed = (text: string): string => {
    const at = below(text.length);
    const rest = text.slice(at + 1);
    return (
      text.slice(0, at) +
      (['', letter(), text.charAt(at) + letter(), letter() + letter()][below(4)] ?? '') +
      rest
    );
  };
  const pairs = Array.from({ length: 5_000 }, () => {
    const one = word();
    return [one, below(2) === 0 ? changed(one) : changed(changed(one))] as const;
  }).filter(([, other]) => other.length > 1);

  it('is no spelling of the other word', () => {
    const lost = pairs.filter(([one, other]) => {
      const cost = editCost(one, other, 9);
      // Words that sound the same have no more, however like they are written.
      const likeness = Math.min(0.95, 1 - (0.75 * cost) / Math.max(one.length, other.length));
      const [a, b] = [tokenOf(`N${one}`), tokenOf(`N${other}`)];
      if (cost > 0.9 || Math.abs(one.length - other.length) > 3 || (a.own && b.own)) return false;
      return (compareTokens(a, b)?.similarity ?? 0) < likeness - 1e-9;
    });
    expect(lost).toEqual([]);
  });

  it('has no likeness that was asked for', () => {
    const differing = pairs.filter(([one, other]) => {
      const [a, b] = [tokenOf(`N${one}`), tokenOf(`N${other}`)];
      const whole = compareTokens(a, b)?.similarity ?? 0;
      return whole >= 0.7 && compareTokens(a, b, 0.7)?.similarity !== whole;
    });
    expect(differing).toEqual([]);
  });
});
