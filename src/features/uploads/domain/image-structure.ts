import { crc32 } from 'node:zlib';
import type { ArtifactMimeType } from './artifact.js';
import { FileRefusedError } from './file-errors.js';

/** The size of an image in pixels, from its headers. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Maximum length of a side, in pixels. */
export const MAX_SIDE = 8_000;
/** Maximum pixels of an image that decoders read row by row: 8,000 x 6,250, enough for 48-megapixel phones. */
export const MAX_PIXELS = 50_000_000;
/** Maximum pixels of an image that decoders hold in memory whole (progressive JPEG, interlaced PNG, WebP): 100 MB. */
export const MAX_PIXELS_AT_ONCE = 25_000_000;

/** Parses an image from its first to its last byte and returns its size; throws FileRefusedError. */
export function parseImageShape(
  bytes: Buffer,
  type: Exclude<ArtifactMimeType, 'application/pdf'>,
): ImageSize {
  switch (type) {
    case 'image/jpeg':
      return parseJpeg(bytes);
    case 'image/png':
      return parsePng(bytes);
    case 'image/webp':
      return parseWebp(bytes);
  }
}

function checkSize(width: number, height: number, atOnce: boolean): ImageSize {
  if (width === 0 || height === 0) throw new FileRefusedError('MALFORMED');
  const pixels = width * height;
  if (width > MAX_SIDE || height > MAX_SIDE || pixels > (atOnce ? MAX_PIXELS_AT_ONCE : MAX_PIXELS)) {
    throw new FileRefusedError('TOO_MANY_PIXELS');
  }
  return { width, height };
}

// --- JPEG (ITU-T T.81) ---------------------------------------------------------------------------------------

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const TEM = 0x01;
const APP0 = 0xe0;
const BASELINE = 0xc0;
const EXTENDED = 0xc1;
const PROGRESSIVE = 0xc2;
// True for a marker that begins a frame (SOF). DHT, JPG and DAC are in the same range but begin none.
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7;

function parseJpeg(bytes: Buffer): ImageSize {
  const { shape, end } = parseOneJpeg(bytes, 0);
  requireNoTrailingData(bytes, end);
  return shape;
}

/** Parses the JPEG at an offset; returns its size and the offset at which it ends. */
function parseOneJpeg(bytes: Buffer, from: number): { readonly shape: ImageSize; readonly end: number } {
  let at = from + 2;
  let shape: ImageSize | null = null;
  let scans = 0;
  for (;;) {
    const marker = markerAt(bytes, at);
    at = marker.end;
    if (marker.code === EOI) break;
    if (marker.code === TEM || isRestart(marker.code)) continue;
    if (marker.code === SOI || marker.code === 0) throw new FileRefusedError('MALFORMED');
    if (at + 2 > bytes.length) throw new FileRefusedError('TRUNCATED');
    const length = bytes.readUInt16BE(at);
    if (length < 2) throw new FileRefusedError('MALFORMED');
    if (at + length > bytes.length) throw new FileRefusedError('TRUNCATED');
    const body = bytes.subarray(at + 2, at + length);
    if (isFrame(marker.code)) {
      if (shape) throw new FileRefusedError('MALFORMED');
      shape = parseFrame(marker.code, body);
    }
    if (marker.code === APP0) requireExactJfif(body);
    at += length;
    if (marker.code === SOS) {
      if (!shape) throw new FileRefusedError('MALFORMED');
      // A small progressive file with many scans can occupy a decoder for minutes (libjpeg-turbo stops at 500 scans).
      scans += 1;
      if (scans > 100) throw new FileRefusedError('EXPANDS_TOO_MUCH');
      at = afterScan(bytes, at);
    }
  }
  if (!shape || scans === 0) throw new FileRefusedError('MALFORMED');
  return { shape, end: at };
}

function markerAt(bytes: Buffer, at: number): { readonly code: number; readonly end: number } {
  if (at >= bytes.length) throw new FileRefusedError('TRUNCATED');
  if (bytes[at] !== 0xff) throw new FileRefusedError('MALFORMED');
  let next = at;
  while (bytes[next] === 0xff) next += 1; // fill bytes
  const code = bytes[next];
  if (code === undefined) throw new FileRefusedError('TRUNCATED');
  return { code, end: next + 1 };
}

/** Returns the offset after entropy-coded data: the next marker that is neither a stuffed zero nor a restart. */
function afterScan(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    at = bytes.indexOf(0xff, at);
    if (at === -1 || at + 1 >= bytes.length) throw new FileRefusedError('TRUNCATED');
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && !isRestart(next)) return at;
    at += next === 0xff ? 1 : 2;
  }
}

function parseFrame(code: number, body: Buffer): ImageSize {
  if (code !== BASELINE && code !== EXTENDED && code !== PROGRESSIVE) {
    throw new FileRefusedError('VARIANT_UNSUPPORTED');
  }
  if (body.length < 6) throw new FileRefusedError('MALFORMED');
  const components = body[5] ?? 0;
  if (body.length !== 6 + 3 * components) throw new FileRefusedError('MALFORMED');
  return checkSize(body.readUInt16BE(3), body.readUInt16BE(1), code === PROGRESSIVE);
}

/**
 * Refuses a JFIF header that is not exactly as long as its thumbnail requires: JPEG/JavaScript polyglots use a longer
 * header.
 */
function requireExactJfif(body: Buffer): void {
  const name = body.toString('latin1', 0, 5);
  if (name === 'JFIF\0') {
    if (body.length < 14 || body.length !== 14 + 3 * (body[12] ?? 0) * (body[13] ?? 0)) {
      throw new FileRefusedError('SECOND_FORMAT');
    }
  } else if (name !== 'JFXX\0') throw new FileRefusedError('SECOND_FORMAT');
}

/**
 * Throws if an image is followed by anything but padding, further whole JPEGs (the preview or gain map of a phone: CIPA
 * DC-007 Multi-Picture Format), or the data that Samsung cameras append, which ends in SEFT.
 */
function requireNoTrailingData(bytes: Buffer, end: number): void {
  let at = end;
  for (let images = 0; at < bytes.length; images += 1) {
    if (bytes.subarray(at).every((byte) => byte === 0 || byte === 0x0a || byte === 0x0d)) return;
    const another = bytes.indexOf(JPEG_START, at);
    if (another !== -1 && images < 4 && bytes.subarray(at, another).every((byte) => byte === 0)) {
      at = parseOneJpeg(bytes, another).end;
      continue;
    }
    if (bytes.toString('latin1', bytes.length - 4) === 'SEFT' && bytes.includes('SEFH', at)) return;
    throw new FileRefusedError('TRAILING_DATA');
  }
}

const JPEG_START = Buffer.from([0xff, 0xd8, 0xff]);

// --- PNG (W3C, third edition) --------------------------------------------------------------------------------

// The bit depths allowed for each colour type.
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
const CRITICAL_CHUNKS = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND']);
const MAX_CHUNKS = 20_000;

function parsePng(bytes: Buffer): ImageSize {
  let at = 8;
  let shape: ImageSize | null = null;
  let data = 0;
  for (let chunks = 0; chunks < MAX_CHUNKS; chunks += 1) {
    if (at + 12 > bytes.length) throw new FileRefusedError('TRUNCATED');
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (!/^[A-Za-z]{4}$/.test(name)) throw new FileRefusedError('MALFORMED');
    const end = at + 12 + length;
    if (end > bytes.length) throw new FileRefusedError('TRUNCATED');
    const body = bytes.subarray(at + 8, end - 4);
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) {
      throw new FileRefusedError('MALFORMED');
    }
    if ((chunks === 0) !== (name === 'IHDR')) throw new FileRefusedError('MALFORMED');
    if (name === 'IHDR') shape = parseHeader(body);
    else if (name === 'acTL' || name === 'fcTL' || name === 'fdAT') throw new FileRefusedError('ANIMATED');
    else if (name === 'IDAT') data += length;
    else if (name.startsWith(name.charAt(0).toUpperCase()) && !CRITICAL_CHUNKS.has(name)) {
      throw new FileRefusedError('VARIANT_UNSUPPORTED');
    }
    at = end;
    if (name !== 'IEND') continue;
    if (length !== 0 || data === 0 || !shape) throw new FileRefusedError('MALFORMED');
    if (at !== bytes.length) throw new FileRefusedError('TRAILING_DATA');
    return shape;
  }
  throw new FileRefusedError('EXPANDS_TOO_MUCH');
}

function parseHeader(body: Buffer): ImageSize {
  if (body.length !== 13) throw new FileRefusedError('MALFORMED');
  const [depth = 0, colour = 0, compression, filter, interlace = 0] = body.subarray(8);
  const isSupported = DEPTHS[colour]?.includes(depth) === true && compression === 0 && filter === 0;
  if (!isSupported || interlace > 1) throw new FileRefusedError('MALFORMED');
  return checkSize(body.readUInt32BE(0), body.readUInt32BE(4), interlace === 1);
}

// --- WebP (RFC 9649) -----------------------------------------------------------------------------------------

function parseWebp(bytes: Buffer): ImageSize {
  const size = bytes.readUInt32LE(4) + 8;
  if (size > bytes.length) throw new FileRefusedError('TRUNCATED');
  if (size < bytes.length) throw new FileRefusedError('TRAILING_DATA');
  let at = 12;
  let canvas: ImageSize | null = null;
  let image: ImageSize | null = null;
  while (at < bytes.length) {
    if (at + 8 > bytes.length) throw new FileRefusedError('TRUNCATED');
    const name = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    if (at + 8 + length > bytes.length) throw new FileRefusedError('TRUNCATED');
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (name === 'VP8X') canvas = extendedSize(body, at);
    else if (name === 'ANIM' || name === 'ANMF') throw new FileRefusedError('ANIMATED');
    else if (name === 'VP8 ' || name === 'VP8L') {
      if (image) throw new FileRefusedError('MALFORMED');
      image = name === 'VP8 ' ? lossySize(body) : losslessSize(body);
    } else if (!['ALPH', 'ICCP', 'EXIF', 'XMP '].includes(name)) {
      throw new FileRefusedError('VARIANT_UNSUPPORTED');
    }
    at += 8 + length + (length % 2);
  }
  if (!image || at !== bytes.length) throw new FileRefusedError('MALFORMED');
  if (canvas && (canvas.width !== image.width || canvas.height !== image.height)) {
    throw new FileRefusedError('MALFORMED');
  }
  return image;
}

function extendedSize(body: Buffer, at: number): ImageSize {
  if (at !== 12 || body.length !== 10) throw new FileRefusedError('MALFORMED');
  if (((body[0] ?? 0) & 0b10) !== 0) throw new FileRefusedError('ANIMATED');
  return checkSize(body.readUIntLE(4, 3) + 1, body.readUIntLE(7, 3) + 1, true);
}

function lossySize(body: Buffer): ImageSize {
  // RFC 6386, 9.1: a key frame with its start code, then width and height of 14 bits each.
  if (body.length < 10 || body.readUIntBE(3, 3) !== 0x9d012a || ((body[0] ?? 1) & 1) !== 0) {
    throw new FileRefusedError('MALFORMED');
  }
  return checkSize(body.readUInt16LE(6) & 0x3fff, body.readUInt16LE(8) & 0x3fff, true);
}

function losslessSize(body: Buffer): ImageSize {
  if (body.length < 5 || body[0] !== 0x2f) throw new FileRefusedError('MALFORMED');
  const bits = body.readUInt32LE(1);
  if (bits >>> 29 !== 0) throw new FileRefusedError('VARIANT_UNSUPPORTED');
  return checkSize((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1, true);
}
