import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { SealBrokenError, type DataKey } from './sealed.js';

// Files are encrypted in segments, so that no file has to fit in memory. The construction is AES-GCM-HKDF streaming as
// Tink defines it (an instance of STREAM by Hoang, Reyhanitabar, Rogaway and Vizar, 2015): each file has its own key,
// and each nonce holds the segment number and a last-segment flag. Segments therefore cannot be moved, dropped,
// repeated or cut off.
//
// Layout: version (1) | key id (16) | salt (32) | nonce prefix (7) | segments of ciphertext, each with its tag (16).
const VERSION = 2;
const PREFIX_BYTES = 7;
const SALT_BYTES = 32;
const HEADER_BYTES = 1 + 16 + SALT_BYTES + PREFIX_BYTES;
const TAG_BYTES = 16;
/** An empty file has one empty segment. */
const EMPTY_FILE = Buffer.alloc(0);
/** Bytes of plain text in a segment. */
export const SEGMENT = 64 * 1_024;

/** Encrypts a stream under a file key that is derived from `key`. `context` is authenticated. */
export async function* sealStream(
  plain: AsyncIterable<Buffer>,
  key: DataKey,
  context: string,
): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES);
  const prefix = randomBytes(PREFIX_BYTES);
  const fileKey = deriveFileKey(key, salt, context);
  yield Buffer.concat([Buffer.from([VERSION]), Buffer.from(key.id.replaceAll('-', ''), 'hex'), salt, prefix]);
  let index = 0;
  // Holds back a full segment until it is known whether it is the last segment.
  let waiting: Buffer | null = null;
  for await (const segment of segmentsOf(plain, SEGMENT)) {
    if (waiting) yield sealSegment(fileKey, nonceOf(prefix, index++, false), waiting);
    waiting = segment;
  }
  yield sealSegment(fileKey, nonceOf(prefix, index, true), waiting ?? EMPTY_FILE);
}

/**
 * Decrypts a stream; `keyOf` finds the key by its id. Throws SealBrokenError if anything was changed, moved or cut off.
 * The caller must then discard the bytes that it has received.
 */
export async function* openStream(
  sealed: AsyncIterable<Buffer>,
  keyOf: (id: string) => Promise<DataKey | null>,
  context: string,
): AsyncGenerator<Buffer> {
  const reader = segmentsOf(sealed, SEGMENT + TAG_BYTES, HEADER_BYTES);
  const first = await reader.next();
  const header = first.done === true ? Buffer.alloc(0) : first.value;
  const key = await keyOf(streamKeyId(header));
  if (!key) throw new SealBrokenError();
  const fileKey = deriveFileKey(key, header.subarray(17, 17 + SALT_BYTES), context);
  const prefix = header.subarray(17 + SALT_BYTES, HEADER_BYTES);
  let index = 0;
  let waiting: Buffer | null = null;
  for await (const segment of reader) {
    if (waiting) yield openSegment(fileKey, nonceOf(prefix, index++, false), waiting);
    waiting = segment;
  }
  if (!waiting) throw new SealBrokenError();
  yield openSegment(fileKey, nonceOf(prefix, index, true), waiting);
}

/** Returns the id of the key of an encrypted stream, from its first bytes. */
export function streamKeyId(header: Buffer): string {
  if (header.length < HEADER_BYTES || header[0] !== VERSION) throw new SealBrokenError();
  const hex = header.toString('hex', 1, 17);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Returns the encrypted length of a stream of `plain` bytes. */
export const sealedLength = (plain: number): number =>
  HEADER_BYTES + plain + TAG_BYTES * Math.max(1, Math.ceil(plain / SEGMENT));

const deriveFileKey = (key: DataKey, salt: Buffer, context: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key.bytes, salt, `vigia:stream:${context}`, 32));

function nonceOf(prefix: Buffer, index: number, last: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  prefix.copy(nonce);
  nonce.writeUInt32BE(index, PREFIX_BYTES);
  nonce[11] = last ? 1 : 0;
  return nonce;
}

function sealSegment(key: Buffer, nonce: Buffer, plain: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const body = cipher.update(plain);
  cipher.final();
  return Buffer.concat([body, cipher.getAuthTag()]);
}

function openSegment(key: Buffer, nonce: Buffer, sealed: Buffer): Buffer {
  if (sealed.length < TAG_BYTES) throw new SealBrokenError();
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  const plaintext = decipher.update(sealed.subarray(0, sealed.length - TAG_BYTES));
  try {
    decipher.final();
  } catch {
    // The library's message adds nothing to the type of the error.
    throw new SealBrokenError();
  }
  return plaintext;
}

/** Regroups chunks of any size: one of `first` bytes, then chunks of `size` bytes; the last chunk may be shorter. */
async function* segmentsOf(
  source: AsyncIterable<Buffer>,
  size: number,
  first: number = size,
): AsyncGenerator<Buffer> {
  let wantedBytes = first;
  let pieces: Buffer[] = [];
  let length = 0;
  for await (const chunk of source) {
    pieces.push(chunk);
    length += chunk.length;
    while (length >= wantedBytes) {
      const all = Buffer.concat(pieces, length);
      yield all.subarray(0, wantedBytes);
      pieces = [all.subarray(wantedBytes)];
      length -= wantedBytes;
      wantedBytes = size;
    }
  }
  if (length > 0) yield Buffer.concat(pieces, length);
}
