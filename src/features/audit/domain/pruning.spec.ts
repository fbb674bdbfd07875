import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isInRanges, retentionStart, formatLeafRanges } from './pruning.js';

describe('The time of keeping', () => {
  it.each([
    ['2026-11-22T12:00:00Z', 10, '2016-01-01T03:00:00.000Z'],
    ['2026-01-01T03:00:00Z', 10, '2016-01-01T03:00:00.000Z'],
    // In Brazil it is still the year before.
    ['2026-01-01T02:59:59Z', 10, '2015-01-01T03:00:00.000Z'],
    ['2026-06-01T00:00:00Z', 5, '2021-01-01T03:00:00.000Z'],
  ])('on %s, of %d years: what was recorded before %s may go', (now, years, before) => {
    expect(retentionStart(new Date(now), years).toISOString()).toBe(before);
  });
});

describe('Ranges of leaves', () => {
  const indices = fc.uniqueArray(fc.nat(60), { maxLength: 40 });

  it('name exactly the leaves that they were made of', () => {
    fc.assert(
      fc.property(indices, (named) => {
        const ranges = formatLeafRanges(named);
        for (let index = 0; index <= 61; index += 1) {
          expect(isInRanges(ranges, index)).toBe(named.includes(index));
        }
      }),
    );
  });

  it('are as few as possible', () => {
    expect(formatLeafRanges([7, 3, 4, 5, 9, 8])).toEqual(['3-5', '7-9']);
    expect(formatLeafRanges([2])).toEqual(['2']);
    expect(formatLeafRanges([])).toEqual([]);
  });

  it.each(['', 'x', '1-', '-1', '1-2-3', '1e3', ' 1'])('%j names nothing', (range) => {
    expect(Array.from({ length: 5_000 }, (_, i) => i).some((index) => isInRanges([range], index))).toBe(
      false,
    );
  });
});
