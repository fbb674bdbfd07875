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

const among = (characters: string): readonly boolean[] =>
  Array.from({ length: 256 }, (_, code) => characters.includes(String.fromCharCode(code)));
const isHex = among('0123456789abcdef');
const isBase64 = among('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');

/**
 * Replaces hexadecimal digits, UUIDs and base64 in a JSON text by their bytes: a mark, the number of bytes (1 byte;
 * absent for a UUID), the bytes. `expandDigits` restores the exact text. Each byte is read at most twice, because the
 * input may be hostile.
 */
export function compressDigits(text: Buffer): Buffer {
  const short = Buffer.allocUnsafe(text.length);
  let [copied, length] = [0, 0];
  const put = (mark: Mark, from: number, to: number): void => {
    const bytes = bytesOf(mark, text.toString('latin1', from, to));
    // Keeps the text if it is too long, has an odd number of digits, or would not decode to the same base64.
    if (bytes.length > MAX_BYTES || textOf(mark, bytes) !== text.toString('latin1', from, to)) return;
    length += text.copy(short, length, copied, from);
    short[length++] = mark;
    if (mark !== ID) short[length++] = bytes.length;
    length += bytes.copy(short, length);
    copied = to;
  };
  for (let at = 0; at < text.length;) {
    const code = text[at] ?? 0;
    if (isHex[code] !== true) {
      at += 1;
      const digits = code === QUOTE ? base64At(text, at) : 0;
      if (digits > 0) put(BASE64, at, (at += digits));
      continue;
    }
    const from = at;
    while (isHex[text[at] ?? 0] === true) at += 1;
    if (at - from >= MIN_DIGITS) put(HEX, from, at);
    else if (text[at] === DASH && isIdAt(text, at - 8, from)) put(ID, at - 8, (at += ID_LENGTH - 8));
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

/** Returns the length of the quoted base64 at `from`; 0 if there is none of an expected length. */
function base64At(text: Buffer, from: number): number {
  const digits = BASE64_DIGITS.find((n) => text[from + n] === EQUALS && text[from + n + 1] === QUOTE) ?? 0;
  for (let i = from; i < from + digits; i += 1) if (isBase64[text[i] ?? 0] !== true) return 0;
  return digits && digits + 1;
}

/** True if a UUID begins at `from`. The caller has read a run of hexadecimal digits that begins at `least`. */
function isIdAt(text: Buffer, from: number, least: number): boolean {
  if (from < least) return false;
  for (let i = 8; i < ID_LENGTH; i += 1) {
    const code = text[from + i] ?? 0;
    if (ID_DASHES.includes(i) ? code !== DASH : isHex[code] !== true) return false;
  }
  return true;
}

const bytesOf = (mark: Mark, text: string): Buffer =>
  mark === BASE64 ? Buffer.from(text, 'base64') : Buffer.from(text.replaceAll('-', ''), 'hex');

function textOf(mark: Mark, bytes: Buffer): string {
  if (mark === BASE64) return bytes.toString('base64');
  const hex = bytes.toString('hex');
  if (mark === HEX) return hex;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
