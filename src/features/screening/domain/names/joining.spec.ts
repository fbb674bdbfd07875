import { describe, expect, it } from '@jest/globals';
import { hitStatuses, mergeDispositions, type HitStatus } from '../hit.js';

const hit = (
  status: HitStatus,
  mandatory = true,
  entryHash = 'a',
): Parameters<typeof mergeDispositions>[0] => ({
  ...{ status, mandatory, entryHash },
});

describe('two hits about one person and one entry', () => {
  it.each([
    ['DISMISSED_FALSE_POSITIVE', 'CONFIRMED', 'CONFIRMED'],
    ['DISMISSED_FALSE_POSITIVE', 'ESCALATED', 'ESCALATED'],
    ['ESCALATED', 'CONFIRMED', 'CONFIRMED'],
    ['DISMISSED_FALSE_POSITIVE', 'DISMISSED_FALSE_POSITIVE', 'DISMISSED_FALSE_POSITIVE'],
    ['PENDING', 'CONFIRMED', 'CONFIRMED'],
    ['PENDING', 'DISMISSED_FALSE_POSITIVE', 'DISMISSED_FALSE_POSITIVE'],
    ['PENDING', 'ESCALATED', null],
    ['PENDING', 'PENDING', null],
  ] as const)('%s and %s: %s', (one, other, both) => {
    expect(mergeDispositions(hit(one), hit(other))).toBe(both);
    expect(mergeDispositions(hit(other), hit(one))).toBe(both);
  });

  it('keep what each says when the entry said something else in between', () => {
    for (const one of hitStatuses) {
      for (const other of hitStatuses) expect(mergeDispositions(hit(one), hit(other, true, 'b'))).toBeNull();
    }
  });

  it('keep waiting when what was dismissed forced no decision and this does', () => {
    expect(mergeDispositions(hit('PENDING', true), hit('DISMISSED_FALSE_POSITIVE', false))).toBeNull();
    expect(mergeDispositions(hit('PENDING', false), hit('DISMISSED_FALSE_POSITIVE', true))).toBe(
      'DISMISSED_FALSE_POSITIVE',
    );
  });
});
