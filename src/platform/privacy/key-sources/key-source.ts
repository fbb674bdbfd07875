import type { RingKey } from '../../config/index.js';

/** A source of the ring keys. They are read once at startup and kept in memory. */
export abstract class KeySource {
  /** Returns the keys, the current one first. Throws KeySourceFailedError. */
  abstract loadKeys(): Promise<readonly RingKey[]>;
}

/** A key service that decrypts the ring keys. KEY_RING_WRAPPED holds them encrypted, useless without the service. */
export abstract class WrappingSource extends KeySource {
  /**
   * Creates a ring key in the service. Returns it encrypted, as an entry of KEY_RING_WRAPPED; nobody sees its bytes.
   */
  abstract createWrappedKey(id: string): Promise<string>;
}

/** The ring keys could not be read. The message never contains a key, a token or an address with credentials. */
export class KeySourceFailedError extends Error {
  override readonly name = 'KeySourceFailed';
}

export interface WrappedRingKey {
  readonly id: string;
  readonly ciphertext: string;
}

/** Parses `id:ciphertext` entries, newest first. A ciphertext may contain colons. */
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
    throw new KeySourceFailedError(
      'KEY_RING_WRAPPED must be distinct entries id:ciphertext (vigia keys new)',
    );
  }
  return keys;
}

/** Decodes the 32 bytes of a ring key from a key service; throws KeySourceFailedError. */
export function ringKeyOf(id: string, base64: unknown): RingKey {
  const bytes = Buffer.from(typeof base64 === 'string' ? base64 : '', 'base64');
  if (bytes.length !== 32) {
    throw new KeySourceFailedError(`the key service gave no key of 32 bytes for ${id}`);
  }
  return { id, bytes };
}

const TIMEOUT_MS = 5_000;

/** Calls a key service. Throws KeySourceFailedError with the status of a refusal, but never with its content. */
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
    throw new KeySourceFailedError(`${what} gave no answer`);
  }
  throw new KeySourceFailedError(`${what} answered ${answer.status}`);
}
