import { hash } from 'node:crypto';

// `hash` in one call: an object for each hash costs as much as hashing a kilobyte.

/** SHA-256 as 32 bytes. */
export const sha256 = (content: Buffer | string): Buffer => hash('sha256', content, 'buffer');

/** SHA-256 as 64 hexadecimal digits. */
export const digestOf = (content: Buffer | string): string => hash('sha256', content);
