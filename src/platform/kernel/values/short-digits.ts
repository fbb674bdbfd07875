/** Control bytes that mark a shortened sequence. JSON escapes these characters, so a JSON text never contains them. */
const [HEX, ID, BASE64] = [1, 2, 3] as const;
type Mark = typeof HEX | typeof ID | typeof BASE64;

const MARKED = /[\u0001-\u0003]/g;

const [QUOTE, DASH, EQUALS] = [0x22, 0x2d, 0x3d];
const MIN_DIGITS = 16;
const MAX_BYTES = 255;
const ID_BYTES = 16;
const ID_LENGTH = 36;
const ID_DASHES = [8, 13, 18, 23];
/** The number of base64 digits before a single `=`: for 32 bytes (hashes) and 68 bytes (signatures). */
const BASE64_DIGITS = [43, 91];

const NONE = 0xff;
const valuesOf = (digits: string): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, code) => digits.indexOf(String.fromCharCode(code)) & NONE);
const hexValue = valuesOf('0123456789abcdef');
const base64Value = valuesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const isHex = (code: number | undefined): boolean => code !== undefined && hexValue[code] !== NONE;

/**
 * Replaces hexadecimal digits, UUIDs and base64 in a JSON text by their bytes: a mark, the number of bytes (1 byte;
 * absent for a UUID), the bytes. `expandDigits` restores the exact text. Each byte is read at most twice, because the
 * input may be hostile.
 */
export function compressDigits(text: Buffer): Buffer {
  const short = Buffer.allocUnsafe(text.length);
  let [copied, length] = [0, 0];
  const beginBytes = (mark: Mark, from: number, count: number): void => {
    length += text.copy(short, length, copied, from);
    short[length++] = mark;
    if (mark !== ID) short[length++] = count;
  };
  const putHex = (from: number, to: number): void => {
    for (let at = from; at < to; at += 2) {
      if (text[at] === DASH) at += 1;
      short[length++] = ((hexValue[text[at] ?? 0] ?? 0) << 4) | (hexValue[text[at + 1] ?? 0] ?? 0);
    }
    copied = to;
  };
  for (let at = 0; at < text.length;) {
    const code = text[at];
    if (!isHex(code)) {
      at += 1;
      const digits = code === QUOTE ? base64At(text, at) : 0;
      if (digits === 0) continue;
      beginBytes(BASE64, at, (digits / 4) * 3 - 1);
      length += short.write(text.toString('latin1', at, at + digits), length, 'base64');
      copied = at += digits;
      continue;
    }
    const from = at;
    while (isHex(text[at])) at += 1;
    const count = (at - from) / 2;
    if (at - from >= MIN_DIGITS) {
      // Digits of an odd number, or too many, stay text.
      if (!Number.isInteger(count) || count > MAX_BYTES) continue;
      beginBytes(HEX, from, count);
      putHex(from, at);
    } else if (text[at] === DASH && isIdAt(text, at - 8, from)) {
      beginBytes(ID, at - 8, ID_BYTES);
      putHex(at - 8, (at += ID_LENGTH - 8));
    }
  }
  length += text.copy(short, length, copied);
  return short.subarray(0, length);
}

/** Restores the text; null for bytes that `compressDigits` did not make. */
export function expandDigits(bytes: Buffer): Buffer | null {
  // Latin-1 gives one character per byte: the engine finds a mark faster by regular expression than a loop does.
  const characters = bytes.toString('latin1');
  const parts: string[] = [];
  let from = 0;
  for (MARKED.lastIndex = 0; ;) {
    const marked = MARKED.exec(characters);
    if (!marked) break;
    const mark = characters.charCodeAt(marked.index) as Mark;
    const start = marked.index + (mark === ID ? 1 : 2);
    const end = start + (mark === ID ? ID_BYTES : characters.charCodeAt(start - 1));
    if (!(end <= bytes.length)) return null;
    parts.push(characters.slice(from, marked.index), textOf(mark, bytes.subarray(start, end)));
    MARKED.lastIndex = from = end;
  }
  return Buffer.from(parts.join('') + characters.slice(from), 'latin1');
}

/** Returns the length of the quoted base64 at `from`; 0 if there is none of an expected length, or it has spare bits. */
function base64At(text: Buffer, from: number): number {
  const digits = BASE64_DIGITS.find((n) => text[from + n] === EQUALS && text[from + n + 1] === QUOTE) ?? 0;
  for (let i = from; i < from + digits; i += 1) if (base64Value[text[i] ?? 0] === NONE) return 0;
  const last = base64Value[text[from + digits - 1] ?? 0] ?? NONE;
  return digits > 0 && last % 4 === 0 ? digits + 1 : 0;
}

/** True if a UUID begins at `from`. The caller has read a run of hexadecimal digits that begins at `least`. */
function isIdAt(text: Buffer, from: number, least: number): boolean {
  if (from < least) return false;
  for (let i = 8; i < ID_LENGTH; i += 1) {
    const code = text[from + i];
    if (ID_DASHES.includes(i) ? code !== DASH : !isHex(code)) return false;
  }
  return true;
}

function textOf(mark: Mark, bytes: Buffer): string {
  if (mark === BASE64) return bytes.toString('base64');
  const hex = bytes.toString('hex');
  if (mark === HEX) return hex;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
