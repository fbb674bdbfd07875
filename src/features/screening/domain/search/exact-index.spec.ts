import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { runsInPart } from '../../../../../test/support/needs.js';
import { spellings } from '../../../../../test/support/spellings.js';
import { kindOfListed, valueTypes, type ListedValue, type ValueType } from '../lists/list-entry.js';
import { parseListedValue } from '../lists/list-values.js';
import { ExactIndex } from './exact-index.js';

const DAY = '2026-11-20';
const indexOf = (...values: readonly ListedValue[]): ExactIndex => {
  const index = new ExactIndex();
  values.forEach((value, i) => {
    index.add(`entry-${i}`, 'hash', { values: [value], validFrom: null, validUntil: null });
  });
  return index;
};

describe('ExactIndex', () => {
  // An event has one address, of which networks are a matter of their own.
  const eventKind = (type: ValueType): keyof typeof spellings => (type === 'IP' ? 'IP' : kindOfListed[type]);

  it.each(valueTypes)(
    '%s: however a list and an event spell a value, they meet, and no others do',
    (type) => {
      const pairs = fc.tuple(spellings[eventKind(type)], spellings[eventKind(type)]);
      fc.assert(
        fc.property(pairs, spellings[eventKind(type)], ([one, another], { value, spelling }) => {
          const read = parseListedValue(type, one.spelling);
          // As it comes from an importer that does not read its values.
          const raw: ListedValue = { type, value: one.spelling };
          for (const entry of read === null ? [raw] : [read, raw]) {
            const index = indexOf(entry);
            const found = (text: string): boolean => index.find({ type, value: text }, DAY).length > 0;
            expect(read).not.toBeNull();
            expect(found(one.value)).toBe(true);
            expect(found(one.spelling)).toBe(true);
            expect(index.has(one.spelling, DAY)).toBe(true);
            expect(found(another.spelling)).toBe(one.value === another.value);
            expect(found(spelling)).toBe(one.value === value);
          }
        }),
        { numRuns: runsInPart(1_000) },
      );
    },
  );

  it('finds an address in the networks that hold it, in both families and however it is written', () => {
    const networks = ['10.9.9.9/8', '10.1.0.0/16', '2001:DB8::/32', '::ffff:192.0.2.0/120'];
    const index = indexOf(...networks.map((network) => parseListedValue('IP', network)!));
    const found = (text: string): string[] =>
      index
        .find({ type: 'IP', value: text }, DAY)
        .map(({ entryId }) => entryId)
        .sort();
    expect(found('10.1.2.3')).toEqual(['entry-0', 'entry-1']);
    expect(found('::ffff:10.2.2.3')).toEqual(['entry-0']);
    expect(found('10.2.2.3:443')).toEqual(['entry-0']);
    expect(found('[2001:db8:1::1]:443')).toEqual(['entry-2']);
    expect(found('192.0.2.200')).toEqual(['entry-3']);
    for (const other of ['11.0.0.1', '2001:db9::1', '192.0.3.1', '10.1.2', 'a']) {
      expect(found(other)).toEqual([]);
    }
  });

  it('knows an entry no more that was removed, and those of another index that it takes over', () => {
    const index = indexOf({ type: 'PIX_KEY', value: 'A@EXEMPLO.com' }, { type: 'IP', value: '10.0.0.0/8' });
    const larger = new ExactIndex();
    larger.addAll(index);
    expect([larger.has('a@exemplo.com', DAY), larger.has('10.3.2.1', DAY)]).toEqual([true, true]);
    larger.remove('entry-0');
    larger.remove('entry-1');
    expect([larger.has('a@exemplo.com', DAY), larger.has('10.3.2.1', DAY)]).toEqual([false, false]);
  });
});
