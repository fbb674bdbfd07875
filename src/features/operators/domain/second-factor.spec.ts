import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.js';
import { codeAt, newTotpSeed, timeStepOfCode, totpUri } from './totp.js';

// RFC 6238, appendix B: the secret "12345678901234567890" of the SHA-1 vectors, here with six digits.
const RFC_SEED = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('TOTP', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
  ])('at %i s the code of RFC 6238 is %s', (seconds, code) => {
    expect(codeAt(RFC_SEED, seconds * 1_000)).toBe(code);
    expect(timeStepOfCode(RFC_SEED, code, seconds * 1_000)).toBe(Math.floor(seconds / 30));
  });

  it('accepts the step before and the one after, and says which one it was', () => {
    // ASVS 6.5.5
    const now = 1_763_650_000_000;
    const step = Math.floor(now / 30_000);
    const steps = [-2, -1, 0, 1, 2].map((delta) =>
      timeStepOfCode(RFC_SEED, codeAt(RFC_SEED, now + delta * 30_000), now),
    );
    expect(steps).toEqual([null, step - 1, step, step + 1, null]);
  });

  it('a code of two minutes ago is refused', () => {
    const now = 1_763_650_000_000;
    expect(timeStepOfCode(RFC_SEED, codeAt(RFC_SEED, now - 120_000), now)).toBeNull();
  });

  it.each(['', '12345', '1234567', 'abcdef', '١٢٣٤٥٦', ' 287082', '287082 '])('%j is no code', (text) => {
    expect(timeStepOfCode(RFC_SEED, text, 59_000)).toBeNull();
  });

  it('whatever the seed and the moment, the code of now is accepted for now', () => {
    fc.assert(
      fc.property(fc.integer({ min: 60_000, max: 4_000_000_000_000 }), (now) => {
        const seed = newTotpSeed();
        expect(timeStepOfCode(seed, codeAt(seed, now), now)).toBe(Math.floor(now / 30_000));
      }),
      { numRuns: 50 },
    );
  });

  it('the address for authenticator apps names the service, the account and the seed', () => {
    const uri = new URL(totpUri(RFC_SEED, 'Vigia', 'ana@example.com'));
    expect(uri.href).toMatch(/^otpauth:\/\/totp\/Vigia:ana%40example\.com\?/);
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({
      issuer: 'Vigia',
      secret: RFC_SEED,
      digits: '6',
    });
  });
});

describe('recovery codes', () => {
  it('are ten, all different, and can be typed carelessly', () => {
    // ASVS 6.5.3, 6.5.4
    const codes = newRecoveryCodes();
    expect([codes.length, new Set(codes).size]).toEqual([10, 10]);
    for (const code of codes) {
      expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){3}[0-9A-HJKMNP-TV-Z]{5}$/);
      const careless = ` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')}`;
      expect(hashRecoveryCode('a', careless)).toEqual(hashRecoveryCode('a', code));
    }
  });

  it('the code of one operator is nothing to another', () => {
    // ASVS 6.5.2
    const [code = ''] = newRecoveryCodes();
    expect(hashRecoveryCode('a', code)).not.toEqual(hashRecoveryCode('b', code));
  });
});
