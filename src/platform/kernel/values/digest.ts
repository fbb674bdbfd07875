import { hash } from 'node:crypto';

// The one-shot `hash` creates no object; creating one costs as much as hashing a kilobyte.

/** Returns the SHA-256 as 32 bytes. */
export const sha256 = (content: Buffer | string): Buffer => hash('sha256', content, 'buffer');

/** Returns the SHA-256 as 64 hexadecimal digits. */
export const digestOf = (content: Buffer | string): string => hash('sha256', content);
