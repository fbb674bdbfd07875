/** Control bytes that mark a shortened sequence. JSON escapes these characters, so a JSON text never contains them. */
const [HEX, ID, BASE64] = [1, 2, 3] as const;
type Mark = typeof HEX | typeof ID | typeof BASE64;

const MARKED = /[\u0001-\u0003]/g;

const [QUOTE, DASH] = [0x22, 0x2d];
const BASE64_END = Buffer.from('="');
const MIN_DIGITS = 16;
/** The first group of a UUID: the shortest run that matters. */
const MIN_RUN = 8;
const MAX_BYTES = 255;
const ID_BYTES = 16;
const ID_LENGTH = 36;
const ID_DASHES = [8, 13, 18, 23];
/** The number of base64 digits before a single `=`: for 32 bytes (hashes) and 68 bytes (signatures). */
const BASE64_DIGITS = [43, 91];

const NOT_A_DIGIT = 0xff;
const valuesOf = (digits: string): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, code) => digits.indexOf(String.fromCharCode(code)) & NOT_A_DIGIT);
const hexValue = valuesOf('0123456789abcdef');
const base64Value = valuesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const isHex = (code: number | undefined): boolean => code !== undefined && hexValue[code] !== NOT_A_DIGIT;

/**
 * Replaces hexadecimal digits, UUIDs and base64 in a JSON text by their bytes: a mark, the number of bytes (1 byte;
 * absent for a UUID), the bytes. `expandDigits` restores the exact text. Each byte is read a few times at most, because
 * the input may be hostile.
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
  const putBase64 = ({ from, digits }: Base64Run): void => {
    beginBytes(BASE64, from, (digits / 4) * 3 - 1);
    length += short.write(text.toString('latin1', from, from + digits), length, 'base64');
    copied = from + digits;
  };
  let base64 = nextBase64(text, 0);
  // Only runs of eight hexadecimal digits matter, and each of them has a digit at an eighth place.
  for (let at = MIN_RUN - 1; at < text.length; at += MIN_RUN) {
    if (base64 && at >= base64.from) {
      putBase64(base64);
      at = copied - 1;
      base64 = nextBase64(text, copied);
      continue;
    }
    if (!isHex(text[at])) continue;
    let from = at;
    while (from > copied && isHex(text[from - 1])) from -= 1;
    while (isHex(text[at])) at += 1;
    const count = (at - from) / 2;
    if (at - from >= MIN_DIGITS) {
      // Digits of an odd number, or too many, stay text.
      if (Number.isInteger(count) && count <= MAX_BYTES) {
        beginBytes(HEX, from, count);
        putHex(from, at);
      }
    } else if (text[at] === DASH && isIdAt(text, at - MIN_RUN, from)) {
      beginBytes(ID, at - MIN_RUN, ID_BYTES);
      putHex(at - MIN_RUN, (at += ID_LENGTH - MIN_RUN));
    }
    at -= 1;
  }
  for (; base64; base64 = nextBase64(text, copied)) putBase64(base64);
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

interface Base64Run {
  readonly from: number;
  readonly digits: number;
}

/** Finds the next quoted base64 of an expected length, without spare bits, that begins at `least` or later. */
function nextBase64(text: Buffer, least: number): Base64Run | null {
  for (let end = text.indexOf(BASE64_END, least); end >= 0; end = text.indexOf(BASE64_END, end + 1)) {
    const digits = BASE64_DIGITS.find((n) => end - n > least && text[end - n - 1] === QUOTE) ?? 0;
    if (digits > 0 && isBase64(text, end - digits, end)) return { from: end - digits, digits: digits + 1 };
  }
  return null;
}

function isBase64(text: Buffer, from: number, end: number): boolean {
  for (let i = from; i < end; i += 1) if (base64Value[text[i] ?? 0] === NOT_A_DIGIT) return false;
  return (base64Value[text[end - 1] ?? 0] ?? NOT_A_DIGIT) % 4 === 0;
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
