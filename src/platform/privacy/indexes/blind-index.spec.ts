import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { spellings } from '../../../../test/support/spellings.js';
import { BlindIndex } from './blind-index.js';
import { IndexKey, IndexKeys } from './index-keys.js';
import { runsInPart } from '../../../../test/support/needs.js';

const index = new BlindIndex(new IndexKeys([new IndexKey(1, randomBytes(32), null)]));
const hex = (kind: Parameters<BlindIndex['computeIndex']>[1], value: string): string =>
  index.computeIndex('organisation', kind, value).toString('hex');

describe('BlindIndex', () => {
  it.each([
    ['document', 'DOCUMENT'],
    ['account', 'ACCOUNT'],
    ['device', 'DEVICE'],
    ['ip', 'IP'],
  ] as const)('%s: all spellings of a value have one index, and no other value has it', (kind, of) => {
    fc.assert(
      fc.property(spellings[of], spellings[of], (one, other) => {
        expect(hex(kind, one.spelling)).toBe(hex(kind, one.value));
        expect(hex(kind, one.spelling) === hex(kind, other.spelling)).toBe(one.value === other.value);
      }),
      { numRuns: runsInPart(2_000) },
    );
  });

  it('of another kind takes a composed and a decomposed text for one, and nothing else', () => {
    expect(hex('customer', 'joão'.normalize('NFD'))).toBe(hex('customer', 'joão'.normalize('NFC')));
    expect(hex('customer', 'Joao')).not.toBe(hex('customer', 'joao'));
  });
});
