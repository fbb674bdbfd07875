import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

// 256 random bits; the prefix lets secret scanners and our own log redaction find one that leaked.
const PREFIX = 'vsk_';

/** Makes a client secret. It is shown once and stored only as its hash. */
export const newClientSecret = (): string => PREFIX + randomBytes(32).toString('base64url');

/**
 * HMAC-SHA-256 under the server's pepper. Slow hashing protects guessable passwords; a secret of 256 random bits
 * cannot be guessed, and this runs on every request.
 */
export const hashClientSecret = (secret: string, pepper: Buffer): Buffer =>
  createHmac('sha256', pepper).update(secret).digest();

/** Compares in constant time against every live hash, so that their number and order show in no timing. */
export function matchesAny(hash: Buffer, stored: readonly Buffer[]): boolean {
  let matched = false;
  for (const candidate of stored) matched = timingSafeEqual(hash, candidate) || matched;
  return matched;
}
