import { createHash, randomInt } from 'node:crypto';

export const RECOVERY_CODES = 10;
// Crockford's base 32 omits letters that people confuse on paper.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUPS = 4;
const GROUP_LENGTH = 5;

/**
 * Generates ten codes of 100 random bits, in groups that are easy to type. They are shown once; only hashes are stored.
 */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: GROUPS }, () =>
      Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
    ).join('-'),
  );

/** SHA-256 over the operator and the normalised code: case, spaces, and O, I and L typed for digits do not matter. */
export function hashRecoveryCode(operatorId: string, code: string): Buffer {
  const normalised = code
    .toUpperCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  return createHash('sha256').update(`${operatorId}:${normalised}`).digest();
}
