import { sign, verify } from 'node:crypto';
import { parseCheckpoint, type Checkpoint } from './checkpoint.js';
import { isConsistent } from '../merkle.js';
import { isSignedBy, keyIdOf, type NoteSigner, type NoteVerifier, type SignedNote } from './signed-note.js';

/** The newest checkpoint of a log that a witness has accepted. */
export interface AcceptedCheckpoint {
  readonly origin: string;
  readonly size: number;
  /** Base64. */
  readonly root: string;
}

/** The verdict of a witness on a checkpoint, by the rules of c2sp.org/tlog-witness. */
export type WitnessVerdict =
  | { readonly kind: 'ACCEPTED'; readonly seen: AcceptedCheckpoint; readonly isFirst: boolean }
  | { readonly kind: 'REFUSED'; readonly why: string };

const COSIGNATURE = 0x04;
const DASH = '\u2014 ';

/** Returns the checkpoint in a note; null unless one of the pinned keys has signed it. */
export function pinnedCheckpoint(note: string, pins: readonly NoteVerifier[]): Checkpoint | null {
  const parsed = parseCheckpoint(note);
  return parsed && pins.some((pin) => isSignedBy(parsed.note, pin)) ? parsed.checkpoint : null;
}

/** Accepts any first checkpoint; a later checkpoint only if `proof` shows that its log extends the `known` log. */
export function witnessCheckpoint(
  known: AcceptedCheckpoint | null,
  checkpoint: Checkpoint,
  proof: readonly Buffer[],
): WitnessVerdict {
  const { origin, size, root } = checkpoint;
  const signedCheckpoint = { origin, size, root: root.toString('base64') };
  if (!known) return { kind: 'ACCEPTED', seen: signedCheckpoint, isFirst: true };
  if (known.origin !== origin) {
    return { kind: 'REFUSED', why: `this is the log ${origin}, not ${known.origin}` };
  }
  if (size < known.size) {
    return { kind: 'REFUSED', why: `the log was shortened: ${known.size} entries were signed, now ${size}` };
  }
  const before = { size: known.size, root: Buffer.from(known.root, 'base64') };
  if (!isConsistent(before, { size, root }, proof)) {
    return { kind: 'REFUSED', why: `the first ${known.size} entries are not what they were` };
  }
  return { kind: 'ACCEPTED', seen: signedCheckpoint, isFirst: false };
}

/** Cosigns a note and returns the signature line (c2sp.org/tlog-cosignature). `at` is in seconds since 1970. */
export function cosignatureLine(
  noteText: string,
  { name, publicKey, privateKey }: NoteSigner,
  at: number,
): string {
  const id = keyIdOf(name, COSIGNATURE, publicKey);
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(BigInt(at));
  const signature = sign(null, cosignedBytes(noteText, at), privateKey);
  return `${DASH}${name} ${Buffer.concat([id, time, signature]).toString('base64')}\n`;
}

const cosignedBytes = (noteText: string, at: number | bigint): Buffer =>
  Buffer.from(`cosignature/v1\ntime ${at}\n${noteText}`);

const COSIGNATURE_BYTES = 8 + 64;

/** Returns the time of a valid cosignature of the witness; null if the note has none. */
export function cosignedAt({ text, signatures }: SignedNote, { name, publicKey }: NoteVerifier): Date | null {
  const id = keyIdOf(name, COSIGNATURE, publicKey);
  for (const one of signatures) {
    const { keyId, signature } = one;
    if (one.name !== name || !keyId.equals(id) || signature.length !== COSIGNATURE_BYTES) continue;
    const at = signature.readBigUInt64BE(0);
    if (!verify(null, cosignedBytes(text, at), publicKey, signature.subarray(8))) continue;
    const time = new Date(Number(at) * 1_000);
    return Number.isNaN(time.getTime()) ? null : time;
  }
  return null;
}
