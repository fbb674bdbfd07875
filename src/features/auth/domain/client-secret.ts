import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

// Secret scanners and the log redaction recognise a leaked secret by this prefix.
const PREFIX = 'vsk_';

/** Generates a client secret of 256 random bits. It is shown once; only its hash is stored. */
export const newClientSecret = (): string => PREFIX + randomBytes(32).toString('base64url');

/**
 * Hashes a secret by HMAC-SHA-256 with the pepper of the server. Slow hashing is for guessable passwords; 256 random
 * bits cannot be guessed, and this runs on every request.
 */
export const hashClientSecret = (secret: string, pepper: Buffer): Buffer =>
  createHmac('sha256', pepper).update(secret).digest();

/**
 * Compares with every valid hash in constant time, so that the time does not reveal which one matches. Returns the
 * index of the match, or -1.
 */
export function findMatchingSecret(hash: Buffer, stored: readonly Buffer[]): number {
  let matchingIndex = -1;
  for (let i = 0; i < stored.length; i += 1) {
    const candidate = stored[i];
    if (candidate && timingSafeEqual(hash, candidate)) matchingIndex = i;
  }
  return matchingIndex;
}

/** Maximum number of valid secrets: a rotation needs two, and more would be forgotten somewhere. */
export const MAX_LIVE_SECRETS = 2;

export interface ValidSecret {
  readonly id: string;
  readonly createdAt: Date;
}

/** Selects the secrets that a rotation ends: the newest after the overlap, all others immediately. */
export function secretsEndedByRotation(live: readonly ValidSecret[]): {
  readonly atOnce: readonly string[];
  readonly afterOverlap: string | null;
} {
  const newestFirst = [...live].sort(
    (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1),
  );
  const liveSecrets = newestFirst.slice(0, MAX_LIVE_SECRETS - 1);
  return {
    atOnce: newestFirst.slice(MAX_LIVE_SECRETS - 1).map(({ id }) => id),
    afterOverlap: liveSecrets[0]?.id ?? null,
  };
}
