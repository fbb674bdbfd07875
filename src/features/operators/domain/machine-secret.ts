import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits; the prefix lets secret scanners and our own log redaction find one that leaked. */
export const newMachineSecret = (): string => `vms_${randomBytes(32).toString('base64url')}`;

// Longer ones are never valid; hashing them at full length would be work for an attacker.
const MAX_LENGTH = 256;
const NOBODY = Buffer.alloc(32, 0xff);

/** HMAC-SHA-256 under the server's pepper: 256 random bits need no slow hash. */
export const hashMachineSecret = (secret: string, pepper: Buffer): Buffer =>
  createHmac('sha256', pepper)
    .update(`machine:${secret.slice(0, MAX_LENGTH)}`)
    .digest();

/** Compares in constant time, also where there is nothing to compare with. */
export const isSecretOf = (hash: Buffer, stored: Buffer | null): boolean =>
  timingSafeEqual(hash, stored ?? NOBODY) && stored !== null;
