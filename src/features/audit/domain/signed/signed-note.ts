import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

/**
 * Signed notes (c2sp.org/signed-note) with Ed25519: a text, an empty line, and a line per signature. Transparency logs
 * use this format for checkpoints, so standard witnesses and tools can read them.
 */

/** The public half of a signing key. `name` has no spaces and no plus sign. */
export interface NoteVerifier {
  readonly name: string;
  readonly keyId: Buffer;
  readonly publicKey: KeyObject;
}

export interface NoteSigner extends NoteVerifier {
  readonly privateKey: KeyObject;
}

export interface NoteSignature {
  readonly name: string;
  readonly keyId: Buffer;
  readonly signature: Buffer;
}

export interface SignedNote {
  /** Ends with a newline. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

const ED25519 = 0x01;
const KEY_ID_BYTES = 4;
const SIGNATURE_BYTES = 64;
const DASH = '\u2014 ';
// The DER prefixes of an Ed25519 key (RFC 8410); the 32 bytes of the key follow.
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

const NAME = /^[^\s+]{1,255}$/u;

/** Makes a signer from an Ed25519 seed of 32 bytes. */
export function createSigner(name: string, seed: Buffer): NoteSigner {
  if (seed.length !== 32) throw new Error('an Ed25519 seed has 32 bytes');
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  return { ...verifierFrom(name, createPublicKey(privateKey)), privateKey };
}

function verifierFrom(name: string, publicKey: KeyObject): NoteVerifier {
  if (!NAME.test(name)) throw new Error('the name of a key has no spaces and no plus sign');
  return { name, keyId: keyIdOf(name, ED25519, publicKey), publicKey };
}

/** Returns the key id of c2sp.org/signed-note: four bytes of SHA-256 over name, algorithm and key. */
export const keyIdOf = (name: string, algorithm: number, publicKey: KeyObject): Buffer =>
  createHash('sha256')
    .update(`${name}\n`)
    .update(Buffer.concat([Buffer.from([algorithm]), rawPublicKey(publicKey)]))
    .digest()
    .subarray(0, KEY_ID_BYTES);

function rawPublicKey(publicKey: KeyObject): Buffer {
  return publicKey.export({ format: 'der', type: 'spki' }).subarray(SPKI.length);
}

/** Formats a key as `name+hash+key`, which auditors pin. */
export function formatVerifierKey({ name, keyId, publicKey }: NoteVerifier): string {
  const key = Buffer.concat([Buffer.from([ED25519]), rawPublicKey(publicKey)]).toString('base64');
  return `${name}+${keyId.toString('hex')}+${key}`;
}

/** Reads a verifier key; null if it is malformed, of another algorithm, or its hash does not belong to the key. */
export function parseVerifierKey(vkey: string): NoteVerifier | null {
  const match = /^([^\s+]{1,255})\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/u.exec(vkey);
  const [, name = '', id = '', key = ''] = match ?? [];
  const raw = Buffer.from(key, 'base64');
  if (raw.length !== 33 || raw[0] !== ED25519) return null;
  const publicKey = createPublicKey({
    key: Buffer.concat([SPKI, raw.subarray(1)]),
    format: 'der',
    type: 'spki',
  });
  const verifier = verifierFrom(name, publicKey);
  return verifier.keyId.toString('hex') === id ? verifier : null;
}

/** Signs a text that ends with a newline. Several signers are for a key rotation, or for a witness that cosigns. */
export function signNote(text: string, signers: readonly NoteSigner[]): string {
  if (!text.endsWith('\n') || text.includes('\n\n')) {
    throw new Error('the text of a note ends with a newline and has no empty line');
  }
  const lines = signers.map(({ name, keyId, privateKey }) => {
    const bytes = Buffer.concat([keyId, sign(null, Buffer.from(text), privateKey)]);
    return `${DASH}${name} ${bytes.toString('base64')}\n`;
  });
  return `${text}\n${lines.join('')}`;
}

/** Parses a note; null if it is malformed. Signatures are not checked. */
export function parseNote(note: string): SignedNote | null {
  const split = note.indexOf('\n\n');
  if (split < 0 || !note.endsWith('\n')) return null;
  const signatures = note
    .slice(split + 2, -1)
    .split('\n')
    .map(parseSignature);
  const knownSignatures = signatures.filter((signature) => signature !== null);
  if (knownSignatures.length === 0 || knownSignatures.length !== signatures.length) return null;
  return { text: note.slice(0, split + 1), signatures: knownSignatures };
}

function parseSignature(line: string): NoteSignature | null {
  const match = /^\u2014 ([^\s+]{1,255}) ([A-Za-z0-9+/]+={0,2})$/u.exec(line);
  const [, name = '', encoded = ''] = match ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  // The decoder ignores invalid characters. Without this comparison, two texts would be the same signature.
  if (bytes.length <= KEY_ID_BYTES || bytes.toString('base64') !== encoded) return null;
  return { name, keyId: bytes.subarray(0, KEY_ID_BYTES), signature: bytes.subarray(KEY_ID_BYTES) };
}

/** True when the note carries a valid signature of this verifier. */
export function isSignedBy(note: SignedNote, verifier: NoteVerifier): boolean {
  return note.signatures.some(
    ({ name, keyId, signature }) =>
      name === verifier.name &&
      keyId.equals(verifier.keyId) &&
      signature.length === SIGNATURE_BYTES &&
      verify(null, Buffer.from(note.text), verifier.publicKey, signature),
  );
}
