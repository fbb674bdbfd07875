import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sqlArray } from './sql.js';

/** Reads a binary array the way PostgreSQL does. */
function decode(array: Buffer): { elementType: number; hasNull: boolean; items: (string | null)[] } {
  const items: (string | null)[] = [];
  let at = 20;
  for (let i = 0; i < array.readInt32BE(12); i += 1) {
    const size = array.readInt32BE(at);
    at += 4;
    items.push(size === -1 ? null : array.toString('utf8', at, at + size));
    at += Math.max(size, 0);
  }
  expect(at).toBe(array.length);
  return { elementType: array.readInt32BE(8), hasNull: array.readInt32BE(4) === 1, items };
}

function hexOf(array: Buffer): { elementType: number; items: (string | null)[] } {
  const items: (string | null)[] = [];
  for (let at = 20; at < array.length;) {
    const size = Math.max(array.readInt32BE(at), 0);
    items.push(array.readInt32BE(at) === -1 ? null : array.toString('hex', at + 4, at + 4 + size));
    at += 4 + size;
  }
  return { elementType: array.readInt32BE(8), items };
}

describe('array parameters', () => {
  it('carry texts as they are, whatever they hold', () => {
    const texts = ['', 'plain', '"quoted" \\ {brace}, comma', 'ação 🏦', null, 'NULL'];
    expect(decode(sqlArray.text(texts))).toEqual({ elementType: 25, hasNull: true, items: texts });
  });

  it('carry bytes as they are', () => {
    const array = sqlArray.bytes([Buffer.from('a'), Buffer.alloc(0)]);
    expect(decode(array)).toEqual({ elementType: 17, hasNull: false, items: ['a', ''] });
  });

  it('carry UUIDs as their sixteen bytes, in either case and repeated', () => {
    const one = '01a20626-7ba4-734c-8ce8-cdca7c56f345';
    const other = 'FFFFFFFF-0000-4000-8000-00ABCDEF0123';
    expect(hexOf(sqlArray.uuids([one, one, null, one, other]))).toEqual({
      elementType: 2950,
      items: [one, one, null, one, other].map((id) => id?.replaceAll('-', '').toLowerCase() ?? null),
    });
    for (const wrong of [
      '',
      'txn_1',
      one.slice(1),
      `${one}0`,
      one.replace('7', 'g'),
      one.replaceAll('-', '0'),
    ]) {
      expect(() => sqlArray.uuids([wrong])).toThrow(RangeError);
    }
    expect(() => sqlArray.uuids([one.replace('0', '\u0130')])).toThrow(RangeError);
  });

  it('carry points in time as microseconds since 2000', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), (date) => {
        const since = (BigInt(date.getTime()) - 946_684_800_000n) * 1_000n;
        expect(sqlArray.instants([date]).readBigInt64BE(24)).toBe(since);
      }),
    );
    expect(() => sqlArray.instants([new Date(NaN)])).toThrow(RangeError);
  });

  it('write plain values as an array literal', () => {
    expect(sqlArray.plain([1, null, 'QUEUED', true])).toBe('{1,NULL,QUEUED,true}');
    expect(sqlArray.plain([])).toBe('{}');
  });
});
