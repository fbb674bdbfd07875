import { compressSync, uncompressSync } from 'lz4-napi';
import { expandDigits, compressDigits } from './short-digits.js';

/** Packed bytes cannot be unpacked: a later release packed them, or they were changed. */
export class PackingBrokenError extends Error {
  constructor() {
    super('packed bytes do not open');
    this.name = 'PackingBroken';
  }
}

/**
 * The high bit of the first byte marks a packed value. Values stored before packing existed begin with a smaller byte.
 */
const PACKED = 0x80;
const PLAIN = 0;
const LENGTH = 4;
/** The largest unpacked length in bytes. Stored bytes state their length, and an attacker may have written them. */
const MAX_UNPACKED_BYTES = 16 * 1024 * 1024;

/**
 * Compresses small values with LZ4 and a dictionary for values of their kind.
 * Layout: 0x80 plus the dictionary number | length (4, little-endian) | LZ4 block. A value that would not become
 * smaller is stored as 0x80 | the value. `unpack` returns bytes that begin below 0x80 as they are. A text dictionary is
 * for JSON: hashes and ids are shortened before compression. Stored values depend on their dictionary, so a dictionary
 * never changes; a better dictionary is appended.
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
    const unpacked = typeof value === 'string' ? Buffer.from(value) : value;
    const number = this.dictionaries.length;
    const dictionary = this.dictionaries[number - 1];
    const short = dictionary?.isText === true ? compressDigits(unpacked) : unpacked;
    const packed = compressSync(short, dictionary?.bytes);
    const isSmaller = packed.length < unpacked.length;
    const bytes = Buffer.allocUnsafe(1 + Math.min(packed.length, unpacked.length));
    bytes[0] = PACKED | (isSmaller ? number : PLAIN);
    (isSmaller ? packed : unpacked).copy(bytes, 1);
    return bytes;
  }

  /** Throws `PackingBrokenError` for bytes that `pack` did not make. */
  unpack(bytes: Buffer): Buffer {
    const first = bytes[0] ?? PACKED;
    if (first < PACKED) return bytes;
    const number = first ^ PACKED;
    const packed = bytes.subarray(1);
    if (number === PLAIN && bytes.length > 0) return packed;
    const dictionary = this.dictionaries[number - 1];
    if (!dictionary || packed.length < LENGTH || packed.readUInt32LE(0) > MAX_UNPACKED_BYTES) {
      throw new PackingBrokenError();
    }
    const short = uncompress(packed, dictionary.bytes);
    const expanded = dictionary.isText ? expandDigits(short) : short;
    if (expanded === null || short.length !== packed.readUInt32LE(0)) throw new PackingBrokenError();
    return expanded;
  }
}

interface Dictionary {
  readonly bytes: Buffer;
  readonly isText: boolean;
}

function uncompress(packed: Buffer, dictionary: Buffer): Buffer {
  try {
    return uncompressSync(packed, dictionary);
  } catch {
    // The library's message adds nothing, and could quote the bytes.
    throw new PackingBrokenError();
  }
}
