/** A file, piece by piece. */
export type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

const HEAD = 4;
const BLOCK = 64 * 1024;

/**
 * Decodes a file: UTF-16 if its first bytes look like it, else UTF-8. A run of bytes that is not UTF-8 is read as
 * Windows-1252, which has all letters of ISO-8859-1; a run that is neither becomes U+FFFD.
 */
export async function* decodeText(bytes: Bytes): AsyncGenerator<string> {
  let carried: Buffer = Buffer.alloc(0);
  let wide: TextDecoder | null = null;
  let isBegun = false;
  for await (const chunk of bytes) {
    carried = Buffer.concat([carried, chunk]);
    if (!isBegun && carried.length < HEAD) continue;
    if (!isBegun) wide = wideDecoder(carried);
    isBegun = true;
    if (wide) {
      const text = wide.decode(carried, { stream: true });
      carried = Buffer.alloc(0);
      if (text !== '') yield text;
      continue;
    }
    // A cut after an ASCII byte never splits a multi-byte character.
    const end =
      carried.findLastIndex((byte) => byte < 0x80) + 1 || (carried.length > BLOCK ? carried.length : 0);
    if (end > 0) yield decodeBlock(carried.subarray(0, end));
    carried = carried.subarray(end);
  }
  const rest = wide ? wide.decode(carried) : decodeBlock(carried);
  if (rest !== '') yield rest;
}

/**
 * Returns the decoder of a UTF-16 text, which begins with a byte order mark or has a zero in each of its first letters;
 * null for other texts.
 */
function wideDecoder([a, b, c, d]: Buffer): TextDecoder | null {
  if ((a === 0xff && b === 0xfe) || (a !== 0 && b === 0 && c !== 0 && d === 0)) {
    return new TextDecoder('utf-16le');
  }
  if ((a === 0xfe && b === 0xff) || (a === 0 && b !== 0 && c === 0 && d !== 0)) {
    return new TextDecoder('utf-16be');
  }
  return null;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });
const WINDOWS = new TextDecoder('windows-1252');
// Maximum number of accented letters in a row in the languages of Windows-1252: a longer run is another alphabet.
const MAX_ACCENTS = 3;

function decodeBlock(block: Buffer): string {
  try {
    return UTF8.decode(block);
  } catch {
    return block.toString('latin1').replace(/[\u0080-\u00ff]+/g, (run) => {
      const bytes = Buffer.from(run, 'latin1');
      try {
        return UTF8.decode(bytes);
      } catch {
        return run.length > MAX_ACCENTS ? '\ufffd'.repeat(run.length) : WINDOWS.decode(bytes);
      }
    });
  }
}
