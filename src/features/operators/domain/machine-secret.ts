import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Generates a secret of 256 random bits. Secret scanners and the log redaction recognise a leaked secret by its prefix.
 */
export const newMachineSecret = (): string => `vms_${randomBytes(32).toString('base64url')}`;

// A longer secret is refused unhashed: an attacker could send long secrets to make hashing expensive.
const MAX_LENGTH = 256;
const DUMMY_HASH = Buffer.alloc(32, 0xff);

/** HMAC-SHA-256 with the pepper of the server: 256 random bits need no slow hash. */
export const hashMachineSecret = (secret: string, pepper: Buffer): Buffer =>
  createHmac('sha256', pepper)
    .update(`machine:${secret.slice(0, MAX_LENGTH)}`)
    .digest();

/** Compares in constant time, even if no hash is stored. */
export const matchesMachineSecret = (hash: Buffer, stored: Buffer | null): boolean =>
  timingSafeEqual(hash, stored ?? DUMMY_HASH) && stored !== null;
