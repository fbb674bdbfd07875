import { compressSync, uncompressSync } from 'lz4-napi';
import { expanded, shortened } from './short-digits.js';

/** Bytes were packed by a later release, or are not what was packed. */
export class PackingBroken extends Error {
  constructor() {
    super('packed bytes do not open');
    this.name = 'PackingBroken';
  }
}

/** Set in the first byte of what is packed; what was stored before there was packing begins with a smaller one. */
const PACKED = 0x80;
const PLAIN = 0;
const LENGTH = 4;
/** Bytes are believed what they say of their length up to here: whoever writes them could write anything. */
const MOST = 16 * 1024 * 1024;

/**
 * Makes small values smaller, by what values of their kind have in common: LZ4 against a dictionary.
 * Layout: 0x80 plus the number of the dictionary, 0 for none | length (4, little-endian) | LZ4 block; of what does not
 * become smaller, 0x80 | the value. What begins with a byte below 0x80 is taken as it is. A dictionary of text is for JSON:
 * the digits of its hashes and ids are shortened first. A dictionary is never changed: a better one is added behind it.
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

  /** Throws `PackingBroken` where there is nothing that `pack` has made. */
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
