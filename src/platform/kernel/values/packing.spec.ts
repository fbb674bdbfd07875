import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Packing, PackingBrokenError } from './packing.js';

const FIRST = '{"name":"","country":"BR","accountReference":""}';
const packing = new Packing(FIRST);
const TEXT = '{"name":"Ana","country":"BR","accountReference":"1"}';

describe('packed values', () => {
  it('open to what was packed, whatever it was', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
        const plain = Buffer.from(bytes);
        expect(packing.unpack(packing.pack(plain)).equals(plain)).toBe(true);
      }),
    );
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(packing.unpack(packing.pack(text)).toString()).toBe(text);
      }),
    );
  });

  it('are smaller where they are like the dictionary, and one byte longer where nothing helps', () => {
    expect(packing.pack(TEXT).length).toBeLessThan(TEXT.length * 0.6);
    const random = Buffer.from('00e1b2c3d4e5f60718293a4b5c6d7e8f', 'hex');
    expect(packing.pack(random)).toHaveLength(random.length + 1);
  });

  it('were stored as they are before there was packing', () => {
    for (const text of ['{"a":1}', '[]', '\u0001facts']) {
      expect(packing.unpack(Buffer.from(text)).toString()).toBe(text);
    }
  });

  it('open with the dictionary of their time', () => {
    const before = packing.pack(TEXT);
    const later = new Packing(FIRST, '{"other":"words","country":"BR"}');
    expect(later.unpack(before).toString()).toBe(TEXT);
    expect(later.pack(TEXT)[0]).toBe(0x82);
    expect(() => packing.unpack(later.pack(TEXT))).toThrow(PackingBrokenError);
  });

  it('do not open when they are none, and ask for no memory that they only claim to need', () => {
    const huge = Buffer.from([0x81, 0xff, 0xff, 0xff, 0xff, 0]);
    for (const bytes of [Buffer.alloc(0), Buffer.from([0x81]), Buffer.from([0x81, 9, 0, 0, 0]), huge]) {
      expect(() => packing.unpack(bytes)).toThrow(PackingBrokenError);
    }
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 5, maxLength: 60 }), (bytes) => {
        try {
          packing.unpack(Buffer.from([0x81, bytes[0] ?? 0, 0, 0, 0, ...bytes.subarray(4)]));
        } catch (error) {
          expect(error).toBeInstanceOf(PackingBrokenError);
        }
      }),
    );
  });
});
