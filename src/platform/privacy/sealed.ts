import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto';

/** A data key. Encrypted values store its id. */
export interface DataKey {
  readonly id: string;
  readonly bytes: Buffer;
}

// Layout of a sealed value: version (1) | key id (16) | nonce (12) | tag (16) | ciphertext.
const VERSION = 1;
const HEADER_BYTES = 1 + 16 + 12 + 16;

// The first bytes of every value encrypted under a key: version and key id.
const beginnings = new WeakMap<DataKey, Buffer>();

function beginningOf(key: DataKey): Buffer {
  let beginning = beginnings.get(key);
  if (!beginning) {
    beginning = Buffer.concat([Buffer.from([VERSION]), Buffer.from(key.id.replaceAll('-', ''), 'hex')]);
    beginnings.set(key, beginning);
  }
  return beginning;
}

const noncePool = Buffer.alloc(12 * 512);
let usedBytes = noncePool.length;

/** Returns a random nonce from a pool: one system call per 512 nonces. */
function nextNonce(): Buffer {
  if (usedBytes === noncePool.length) {
    randomFillSync(noncePool);
    usedBytes = 0;
  }
  const nonce = noncePool.subarray(usedBytes, usedBytes + 12);
  usedBytes += 12;
  return nonce;
}

/**
 * Encrypts with AES-256-GCM. `context` (table, row, organisation) is authenticated but not stored: a ciphertext that
 * was moved to another row or organisation cannot be decrypted.
 */
export function seal(plain: Buffer | string, key: DataKey, context: string): Buffer {
  const nonce = nextNonce();
  const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce);
  cipher.setAAD(Buffer.from(context));
  const body = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain);
  cipher.final();
  const out = Buffer.allocUnsafe(HEADER_BYTES + body.length);
  beginningOf(key).copy(out);
  nonce.copy(out, 17);
  cipher.getAuthTag().copy(out, 29);
  body.copy(out, HEADER_BYTES);
  return out;
}

/** Decryption failed: the bytes were changed or moved, or the key is wrong. The message never holds content. */
export class SealBrokenError extends Error {
  constructor() {
    super('A sealed value did not open: it was changed, moved, or sealed under another key.');
    this.name = 'SealBroken';
  }
}

/** Returns the id of the key that a value is encrypted with. */
export function keyIdOf(sealed: Buffer): string {
  if (sealed.length < HEADER_BYTES || sealed[0] !== VERSION) throw new SealBrokenError();
  const hex = sealed.toString('hex', 1, 17);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Decrypts a value. Throws SealBrokenError if the value or its context was changed. */
export function unseal(sealed: Buffer, key: DataKey, context: string): Buffer {
  const beginning = beginningOf(key);
  if (
    sealed.length < HEADER_BYTES ||
    sealed.compare(beginning, 0, beginning.length, 0, beginning.length) !== 0
  ) {
    throw new SealBrokenError();
  }
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, sealed.subarray(17, 29), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(29, HEADER_BYTES));
  const plaintext = decipher.update(sealed.subarray(HEADER_BYTES));
  try {
    decipher.final();
  } catch {
    // A typed error lets the pipeline distinguish this from a transient fault. The library's message adds nothing.
    throw new SealBrokenError();
  }
  return plaintext;
}
