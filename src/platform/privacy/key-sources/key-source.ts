import type { RingKey } from '../../config/index.js';

/** The source of the ring keys, which are read once, at the start, and kept in memory. */
export abstract class KeySource {
  /** The keys, the current one first; throws KeySourceFailed. */
  abstract open(): Promise<readonly RingKey[]>;
}

/** A key service keeps the key that wraps the keys of the ring; these stand in KEY_RING_WRAPPED, useless without it. */
export abstract class WrappingSource extends KeySource {
  /** Returns a new key of this id as an entry of KEY_RING_WRAPPED; nobody has seen its bytes. */
  abstract make(id: string): Promise<string>;
}

/** The ring keys could not be read. Never says a key, a token or an address with credentials. */
export class KeySourceFailed extends Error {
  override readonly name = 'KeySourceFailed';
}

export interface WrappedRingKey {
  readonly id: string;
  readonly ciphertext: string;
}

/** Reads `id:ciphertext` entries, newest first; a ciphertext may have colons of its own. */
export function wrappedRing(text: string | null): WrappedRingKey[] {
  const entries = (text ?? '').split(',').map((entry) => entry.trim());
  const keys = entries
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [, id = '', ciphertext = ''] = /^([a-z0-9][a-z0-9-]{0,30}):(\S+)$/.exec(entry) ?? [];
      return { id, ciphertext };
    });
  if (
    keys.length === 0 ||
    keys.some(({ id }) => id === '') ||
    new Set(keys.map(({ id }) => id)).size < keys.length
  ) {
    throw new KeySourceFailed('KEY_RING_WRAPPED must be distinct entries id:ciphertext (vigia keys new)');
  }
  return keys;
}

/** Decodes the 32 bytes of a ring key from a key service; throws KeySourceFailed. */
export function ringKeyOf(id: string, base64: unknown): RingKey {
  const bytes = Buffer.from(typeof base64 === 'string' ? base64 : '', 'base64');
  if (bytes.length !== 32) throw new KeySourceFailed(`the key service gave no key of 32 bytes for ${id}`);
  return { id, bytes };
}

const TIMEOUT_MS = 5_000;

/** Asks a key service. Throws KeySourceFailed with the status of a refusal, never with its content. */
export async function requestKeyService(
  what: string,
  send: (signal: AbortSignal) => Promise<Response>,
): Promise<Readonly<Record<string, unknown>>> {
  let answer: Response;
  try {
    answer = await send(AbortSignal.timeout(TIMEOUT_MS));
    if (answer.ok) return (await answer.json()) as Readonly<Record<string, unknown>>;
    await answer.arrayBuffer();
  } catch {
    // The cause may quote the address.
    throw new KeySourceFailed(`${what} gave no answer`);
  }
  throw new KeySourceFailed(`${what} answered ${answer.status}`);
}
