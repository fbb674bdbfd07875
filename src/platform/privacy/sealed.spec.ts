import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { keyIdOf, seal, SealBrokenError, unseal, type DataKey } from './sealed.js';

const aKey = (): DataKey => ({ id: randomUUID(), bytes: randomBytes(32) });
const CONTEXT = 'kyt_transactions|row-1|organisation-1';
const HEADER = 45;

describe('sealed values', () => {
  it('open to what was sealed, whatever it was', () => {
    // ASVS 11.3.1, 11.4.1
    const key = aKey();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (bytes, context) => {
        const plain = Buffer.from(bytes);
        expect(unseal(seal(plain, key, context), key, context).equals(plain)).toBe(true);
      }),
    );
    expect(unseal(seal('São Paulo 😀', key, CONTEXT), key, CONTEXT).toString()).toBe('São Paulo 😀');
  });

  it('name the key that opens them and show nothing else', () => {
    const key = aKey();
    const sealed = seal('Maria Exemplo', key, CONTEXT);
    expect(keyIdOf(sealed)).toBe(key.id);
    expect(sealed).toHaveLength(HEADER + 'Maria Exemplo'.length);
    expect(sealed.includes('Maria')).toBe(false);
  });

  it('differ each time, because no nonce comes twice', () => {
    // ASVS 11.3.2
    const key = aKey();
    // More than the pool of nonces holds.
    const sealed = Array.from({ length: 1_200 }, () => seal('same', key, CONTEXT));
    expect(new Set(sealed.map((value) => value.toString('hex', 17, 29))).size).toBe(1_200);
    expect(new Set(sealed.map((value) => value.toString('hex', HEADER))).size).toBe(1_200);
  });

  it('do not open in another place', () => {
    // ASVS 11.3.3
    const key = aKey();
    const sealed = seal('x', key, CONTEXT);
    for (const context of [
      'kyt_transactions|row-2|organisation-1',
      'events|row-1|organisation-1',
      CONTEXT + ' ',
      '',
    ]) {
      expect(() => unseal(sealed, key, context)).toThrow(SealBrokenError);
    }
  });

  it('do not open with another key, even under the same id', () => {
    const key = aKey();
    const sealed = seal('x', key, CONTEXT);
    expect(() => unseal(sealed, aKey(), CONTEXT)).toThrow(SealBrokenError);
    expect(() => unseal(sealed, { ...aKey(), id: key.id }, CONTEXT)).toThrow(SealBrokenError);
  });

  it('do not open when any bit was changed', () => {
    // ASVS 11.3.3
    const key = aKey();
    const sealed = seal('Maria Exemplo', key, CONTEXT);
    for (let place = 0; place < sealed.length; place += 1) {
      const changed = Buffer.from(sealed);
      changed[place]! ^= 1 << (place % 8);
      expect(() => unseal(changed, key, CONTEXT)).toThrow(SealBrokenError);
    }
  });

  it.each([0, 1, HEADER - 1])('do not open when cut to %d bytes', (length) => {
    const key = aKey();
    const cut = seal('Maria Exemplo', key, CONTEXT).subarray(0, length);
    expect(() => unseal(cut, key, CONTEXT)).toThrow(SealBrokenError);
    expect(() => keyIdOf(cut)).toThrow(SealBrokenError);
  });

  it('the error says nothing of what is inside', () => {
    const key = aKey();
    const sealed = seal('Maria Exemplo', key, CONTEXT);
    const broken = new SealBrokenError();
    expect(() => unseal(sealed, key, 'elsewhere')).toThrow(broken);
    expect([broken.name, broken.cause]).toEqual(['SealBroken', undefined]);
  });
});
