import { parseNote, signNote, type NoteSigner, type SignedNote } from './signed-note.js';

/**
 * The state of a log at one time (c2sp.org/tlog-checkpoint): its origin, the number of its entries, and the root over
 * all of them. `extensions` are further lines; this service adds the time of signing.
 */
export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
  readonly extensions: readonly string[];
}

export const checkpointText = ({ origin, size, root, extensions }: Checkpoint): string =>
  `${[origin, String(size), root.toString('base64'), ...extensions].join('\n')}\n`;

export const signCheckpoint = (checkpoint: Checkpoint, signers: readonly NoteSigner[]): string =>
  signNote(checkpointText(checkpoint), signers);

/** Parses a signed checkpoint; null if it is malformed. Does not check signatures: `isSignedBy` does that. */
export function parseCheckpoint(signed: string): { checkpoint: Checkpoint; note: SignedNote } | null {
  const note = parseNote(signed);
  if (!note) return null;
  const [origin = '', size = '', root = '', ...extensions] = note.text.slice(0, -1).split('\n');
  const bytes = Buffer.from(root, 'base64');
  const isWhole =
    origin !== '' &&
    /^(0|[1-9]\d{0,15})$/.test(size) &&
    Number.isSafeInteger(Number(size)) &&
    bytes.length === 32 &&
    bytes.toString('base64') === root &&
    extensions.every((line) => line !== '');
  return isWhole ? { checkpoint: { origin, size: Number(size), root: bytes, extensions }, note } : null;
}

/** Returns the name of a log in its checkpoints. A log restart begins the next incarnation, which has another name. */
export const originOf = (
  service: string,
  environment: string,
  organisationId: string,
  incarnation: number,
): string => `${service.toLowerCase()}/${environment}/t/${organisationId}/i/${incarnation}`;
