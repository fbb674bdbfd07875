import { compressSync, uncompressSync } from 'lz4-napi';
import { expanded, shortened } from './short-digits.js';

/** The bytes were packed by a later release, or were changed. */
export class PackingBroken extends Error {
  constructor() {
    super('packed bytes do not open');
    this.name = 'PackingBroken';
  }
}

/** Set in the first byte of packed values; values stored before there was packing begin with a smaller byte. */
const PACKED = 0x80;
const PLAIN = 0;
const LENGTH = 4;
/** The greatest length that packed bytes may claim, in bytes: their writer could write anything. */
const MOST = 16 * 1024 * 1024;

/**
 * Compresses small values with LZ4 against a dictionary of their kind.
 * Layout: 0x80 plus the number of the dictionary, 0 for none | length (4, little-endian) | LZ4 block; a value that does not
 * become smaller is stored as 0x80 | the value. Bytes that begin below 0x80 are returned as they are. A text dictionary is
 * for JSON: hashes and ids are shortened first. A dictionary is never changed: a better one is added behind it.
 */
export class Packing {
  private readonly dictionaries: readonly Dictionary[];

  constructor(...dictionaries: readonly (string | Buffer)[]) {
    this.dictionaries = dictionaries.map((one) => ({
      bytes: Buffer.from(one),
      isText: typeof one === 'string',
    }));
  }

  pack(value: string | Buffer): Buffer {
    const plain = typeof value === 'string' ? Buffer.from(value) : value;
    const number = this.dictionaries.length;
    const dictionary = this.dictionaries[number - 1];
    const short = dictionary?.isText === true ? shortened(plain) : plain;
    const packed = compressSync(short, dictionary?.bytes);
    const isSmaller = packed.length < plain.length;
    const bytes = Buffer.allocUnsafe(1 + Math.min(packed.length, plain.length));
    bytes[0] = PACKED | (isSmaller ? number : PLAIN);
    (isSmaller ? packed : plain).copy(bytes, 1);
    return bytes;
  }

  /** Throws `PackingBroken` for bytes that `pack` did not make. */
  unpack(bytes: Buffer): Buffer {
    const first = bytes[0] ?? PACKED;
    if (first < PACKED) return bytes;
    const number = first ^ PACKED;
    const packed = bytes.subarray(1);
    if (number === PLAIN && bytes.length > 0) return packed;
    const dictionary = this.dictionaries[number - 1];
    if (!dictionary || packed.length < LENGTH || packed.readUInt32LE(0) > MOST) throw new PackingBroken();
    const short = uncompressed(packed, dictionary.bytes);
    const plain = dictionary.isText ? expanded(short) : short;
    if (plain === null || short.length !== packed.readUInt32LE(0)) throw new PackingBroken();
    return plain;
  }
}

interface Dictionary {
  readonly bytes: Buffer;
  readonly isText: boolean;
}

function uncompressed(packed: Buffer, dictionary: Buffer): Buffer {
  try {
    return uncompressSync(packed, dictionary);
  } catch {
    // The library's message adds nothing, and the bytes may be anything.
    throw new PackingBroken();
  }
}
