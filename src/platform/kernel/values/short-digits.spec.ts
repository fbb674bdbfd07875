import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { expandDigits, compressDigits } from './short-digits.js';

const digits = fc.oneof(
  fc.uint8Array({ maxLength: 600 }).map((bytes) => Buffer.from(bytes).toString('hex')),
  fc.uint8Array({ minLength: 30, maxLength: 70 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  fc.stringMatching(/^[0-9a-f-]{0,60}$/),
  fc.stringMatching(/^[A-Za-z0-9+/]{38,60}={0,2}$/),
  fc.uuid(),
  fc.string({ unit: 'binary' }),
);

describe('shortened digits', () => {
  it('are expanded to exactly the text that they were', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.oneof(digits, fc.array(digits))), (value) => {
        const text = Buffer.from(JSON.stringify(value));
        expect(expandDigits(compressDigits(text))?.equals(text)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('take half of the room of hexadecimal, and three quarters of that of base64', () => {
    const of = (text: string): number => compressDigits(Buffer.from(`"${text}"`)).length - 2;
    expect(of(randomBytes(32).toString('hex'))).toBe(34);
    expect(of(randomUUID())).toBe(17);
    expect(of(`req_${randomUUID().replaceAll('-', '')}`)).toBe(4 + 18);
    expect(of(randomBytes(32).toString('base64'))).toBe(34);
    expect(of(randomBytes(68).toString('base64'))).toBe(70);
  });

  it('are found wherever they stand', () => {
    const made = [
      [randomUUID(), 17],
      [randomBytes(8).toString('hex'), 10],
      [`"${randomBytes(32).toString('base64')}"`, 36],
    ] as const;
    for (const [text, size] of made) {
      for (let before = 0; before < 16; before += 1) {
        for (let after = 0; after < 16; after += 1) {
          const around = [' '.repeat(before), ' '.repeat(after)] as const;
          expect(compressDigits(Buffer.from(around.join(text))).length).toBe(before + size + after);
          expect(compressDigits(Buffer.from(around.join(`${text} ${text}`))).length).toBe(
            before + 2 * size + 1 + after,
          );
        }
      }
    }
  });

  it('are looked for once, however long what somebody sends is', () => {
    const took = (text: string): number => {
      const startedAt = process.cpuUsage();
      compressDigits(Buffer.from(text));
      const { user, system } = process.cpuUsage(startedAt);
      return (user + system) / 1_000;
    };
    for (const one of [
      'a',
      'f0',
      '0123456789abcde',
      'Zz9+/',
      '01234567-',
      '"A',
      '="',
      `"${'A'.repeat(42)}B="`,
    ]) {
      expect(took(one.repeat(Math.ceil(1_000_000 / one.length)))).toBeLessThan(2_000);
    }
  });

  it('that are cut off are no text', () => {
    const short = compressDigits(Buffer.from(`"${randomBytes(32).toString('hex')}"`));
    expect(expandDigits(short.subarray(0, 20))).toBeNull();
    expect(expandDigits(Buffer.from('"\u0001'))).toBeNull();
    expect(expandDigits(Buffer.from('"\u0002aaaa'))).toBeNull();
  });
});
