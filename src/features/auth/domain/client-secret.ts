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

/**
 * Compares in constant time against every live hash, so that their number and order show in no timing. Returns the
 * place of the one that matches, or -1.
 */
export function matching(hash: Buffer, stored: readonly Buffer[]): number {
  let found = -1;
  for (let i = 0; i < stored.length; i += 1) {
    const candidate = stored[i];
    if (candidate && timingSafeEqual(hash, candidate)) found = i;
  }
  return found;
}

/** Two are enough to rotate; more would only be forgotten somewhere. */
export const MAX_LIVE_SECRETS = 2;

export interface LiveSecret {
  readonly id: string;
  readonly createdAt: Date;
}

/**
 * Which of the live secrets end when a new one is made: all but the newest at once, and the newest after the overlap.
 */
export function endedByRotation(live: readonly LiveSecret[]): {
  readonly atOnce: readonly string[];
  readonly afterOverlap: string | null;
} {
  const newestFirst = [...live].sort(
    (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1),
  );
  const kept = newestFirst.slice(0, MAX_LIVE_SECRETS - 1);
  return {
    atOnce: newestFirst.slice(MAX_LIVE_SECRETS - 1).map(({ id }) => id),
    afterOverlap: kept[0]?.id ?? null,
  };
}
