import { describe, expect, it } from '@jest/globals';
import { sqlArray } from './sql.js';

/** What a binary array says, read back the way PostgreSQL reads it. */
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

describe('array parameters', () => {
  it('carry texts as they are, whatever they hold', () => {
    const texts = ['', 'plain', '"quoted" \\ {brace}, comma', 'ação 🏦', null, 'NULL'];
    expect(decode(sqlArray.text(texts))).toEqual({ elementType: 25, hasNull: true, items: texts });
  });

  it('carry bytes as they are', () => {
    const array = sqlArray.bytes([Buffer.from('a'), Buffer.alloc(0)]);
    expect(decode(array)).toEqual({ elementType: 17, hasNull: false, items: ['a', ''] });
  });

  it('write plain values as an array literal', () => {
    expect(sqlArray.plain([1, null, 'QUEUED', true])).toBe('{1,NULL,QUEUED,true}');
    expect(sqlArray.plain([])).toBe('{}');
  });
});
