import { describe, expect, it } from '@jest/globals';
import { hitStatuses, mergeDispositions, type HitStatus } from '../hit.js';

const hit = (status: HitStatus, entryHash = 'a'): Parameters<typeof mergeDispositions>[0] => ({
  status,
  entryHash,
});

describe('two hits about one person and one entry', () => {
  it.each([
    ['DISMISSED_FALSE_POSITIVE', 'CONFIRMED', 'CONFIRMED'],
    ['DISMISSED_FALSE_POSITIVE', 'ESCALATED', 'ESCALATED'],
    ['ESCALATED', 'CONFIRMED', 'CONFIRMED'],
    ['DISMISSED_FALSE_POSITIVE', 'DISMISSED_FALSE_POSITIVE', null],
    ['PENDING', 'CONFIRMED', 'CONFIRMED'],
    ['PENDING', 'DISMISSED_FALSE_POSITIVE', null],
    ['PENDING', 'ESCALATED', null],
    ['PENDING', 'PENDING', null],
  ] as const)('%s and %s: %s', (one, other, both) => {
    expect(mergeDispositions(hit(one), hit(other))).toBe(both);
    expect(mergeDispositions(hit(other), hit(one))).toBe(both);
  });

  it('keep what each says when the entry said something else in between', () => {
    for (const one of hitStatuses) {
      for (const other of hitStatuses) expect(mergeDispositions(hit(one), hit(other, 'b'))).toBeNull();
    }
  });
});
