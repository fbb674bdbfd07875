/**
 * A token index over names, in typed arrays only: one thread can build it and transfer it to another without copying. A
 * million names take a few dozen megabytes that the garbage collector never scans.
 */
export interface PackedIndex {
  /** Token keys, concatenated, and the offset of each. */
  readonly vocabulary: Uint8Array;
  readonly vocabularyAt: Uint32Array;
  /** The letters of each token, as bits. */
  readonly letters: Uint32Array;
  /** Open-addressing table from the hash of a token key to the token; -1 where empty. */
  readonly exact: Int32Array;
  /** Tokens by hash bucket of their phonetic key and of their consonants, each with its hash tag (`withHashTag`). */
  readonly soundsAt: Uint32Array;
  readonly sounds: Uint32Array;
  /** Tokens with hash tags, by hash bucket of their text with letters left out. */
  readonly deletesAt: Uint32Array;
  readonly deletes: Uint32Array;
  /** The tokens of each distinct name, in order. */
  readonly nameAt: Uint32Array;
  readonly nameTokens: Uint32Array;
  /** The sum of the weights of a name's tokens that are searched for. */
  readonly nameWeight: Float32Array;
  readonly nameKind: Uint8Array;
  /** The names that hold each token. */
  readonly postingsAt: Uint32Array;
  readonly postings: Uint32Array;
  /** The entries that bear each name. */
  readonly bearersAt: Uint32Array;
  readonly bearers: Uint32Array;
}

export const kindCodes = ['PERSON', 'ORGANISATION', 'OTHER', 'UNKNOWN'] as const;

const HASH_SEED = 0x811c9dc5;
const HASH_PRIME = 0x01000193;

/** Hashes a text: FNV-1a over the characters, with a final mix so that the low bits can be used directly. */
export function hashText(text: string, seed = HASH_SEED): number {
  let hash = seed;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), HASH_PRIME);
  return mix(hash);
}

/** Returns `hashText` of the token key, without building that string. */
export function hashOfKey(code: string, text: string): number {
  let hash = Math.imul(HASH_SEED ^ code.charCodeAt(0), HASH_PRIME);
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), HASH_PRIME);
  return mix(hash);
}

function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const SOUND_SEED = 0x2f1c8a31;
const CONSONANT_SEEDS = { CONSONANTS: 0x5bd1e995, SYLLABLES: 0x27d4eb2f } as const;
const FULL_CONSONANT_SEEDS = { CONSONANTS: 0x1b873593, SYLLABLES: 0x165667b1 } as const;

export const soundHash = (fold: string): number => hashText(fold, SOUND_SEED);
/**
 * Hashes the consonants of a token. `full`: the token is written with vowels. Such tokens have hashes of their own, so
 * two of them never match by their consonants alone.
 */
export const consonantHash = (
  consonants: string,
  script: keyof typeof CONSONANT_SEEDS,
  full: boolean,
): number => hashText(consonants, (full ? FULL_CONSONANT_SEEDS : CONSONANT_SEEDS)[script]);

const ROMAN_SEEDS = { chinese: 0x3c6ef372, korean: 0x510e527f } as const;
const ROMAN_SEEDS_OF_LATIN = { chinese: 0x1f83d9ab, korean: 0x5be0cd19 } as const;
/**
 * Hashes the key that all spellings of Chinese or Korean syllables share. Spellings in Latin letters have other hashes.
 */
export const romanHash = (key: string, language: keyof typeof ROMAN_SEEDS, latin: boolean): number =>
  hashText(key, (latin ? ROMAN_SEEDS_OF_LATIN : ROMAN_SEEDS)[language]);

// Number of letters that are hashed: a typo after the first letters leaves the hash equal.
const PREFIX = 7;
// A short token with a letter left out is the beginning of too many other tokens.
const MIN_LENGTH_WITH_ONE = 4;
const MIN_LENGTH_WITH_TWO = 6;

/**
 * Adds the hashes of a text without up to `letters` of its letters. At most one letter is left out of a text of 4 or 5
 * letters; a shorter text gets no hash.
 */
export function deleteHashes(text: string, into: number[], letters: 1 | 2 = 2): void {
  const n = Math.min(text.length, PREFIX);
  if (text.length < MIN_LENGTH_WITH_ONE) return;
  into.push(hashWithout(text, n, -1, -1));
  for (let i = 0; i < n; i += 1) {
    into.push(hashWithout(text, n, i, -1));
    if (letters < 2 || text.length < MIN_LENGTH_WITH_TWO) continue;
    for (let j = i + 1; j < n; j += 1) into.push(hashWithout(text, n, i, j));
  }
}

function hashWithout(text: string, n: number, one: number, other: number): number {
  let hash = HASH_SEED;
  for (let i = 0; i < n; i += 1) {
    if (i !== one && i !== other) hash = Math.imul(hash ^ text.charCodeAt(i), HASH_PRIME);
  }
  return mix(hash);
}

/** A token number has 24 bits; `withHashTag` uses the other 8. */
export const MAX_TOKENS = 1 << 24;

/** Adds the high 8 bits of the hash to a token number. They rule out nearly all other tokens of the bucket. */
export const withHashTag = (token: number, hash: number): number => ((hash & 0xff000000) | token) >>> 0;
export const hasHashTag = (item: number, hash: number): boolean => ((item ^ hash) & 0xff000000) === 0;
export const tokenIn = (item: number): number => item & 0xffffff;

/** Returns the smallest power of two that is at least `least`. */
export function powerOfTwo(least: number): number {
  let size = 1;
  while (size < least) size *= 2;
  return size;
}

/** Returns the buffers of an index, to transfer it to another thread. */
export function transferableBuffers(index: PackedIndex): ArrayBuffer[] {
  return Object.values(index).map((array: PackedIndex[keyof PackedIndex]) => array.buffer as ArrayBuffer);
}

export const bytesOf = (index: PackedIndex): number =>
  transferableBuffers(index).reduce((sum, buffer) => sum + buffer.byteLength, 0);
