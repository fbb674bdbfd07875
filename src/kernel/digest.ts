import { createHash } from 'node:crypto';

/** SHA-256 as 64 hexadecimal digits. */
export const digestOf = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');
