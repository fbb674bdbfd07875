import { createHash, randomBytes } from 'node:crypto';

/** Secret scanners and the log redaction recognise leaked tokens by these prefixes. */
export type TokenPrefix = 'vrt' | 'vit' | 'vst' | 'vdt';

const sha256 = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Generates a token of 256 random bits. It is shown once; only its hash is stored. */
export function newOpaqueToken(prefix: TokenPrefix): { readonly token: string; readonly hash: Buffer } {
  const token = `${prefix}_${randomBytes(32).toString('base64url')}`;
  return { token, hash: sha256(token) };
}

const FORM = /^v(?:rt|it|st|dt)_[A-Za-z0-9_-]{43}$/;

/**
 * Returns the SHA-256 of a token: 256 random bits need no slow hash. Null if the text does not have the token's format.
 */
export const hashOpaqueToken = (prefix: TokenPrefix, token: string): Buffer | null =>
  FORM.test(token) && token.startsWith(`${prefix}_`) ? sha256(token) : null;
