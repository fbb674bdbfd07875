const PREFIX_BYTES = 4;

/**
 * The set of indexes stored under one key, by their first four bytes. With ten million entries, one in 400 other
 * indexes matches by chance; the person is then indexed under the older key, which is harmless.
 */
export class IndexPrefixFilter {
  private readonly prefixes: Uint32Array;

  /** @param parts concatenated prefixes of four bytes, in any order */
  constructor(parts: readonly Buffer[]) {
    const bytes = Buffer.concat(parts);
    const prefixes = new Uint32Array(bytes.length / PREFIX_BYTES);
    for (let i = 0; i < prefixes.length; i += 1) prefixes[i] = bytes.readUInt32BE(i * PREFIX_BYTES);
    this.prefixes = prefixes.sort();
  }

  has(index: Buffer): boolean {
    const prefix = index.readUInt32BE(0);
    let [low, high] = [0, this.prefixes.length - 1];
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = this.prefixes[middle] ?? 0;
      if (found === prefix) return true;
      if (found < prefix) low = middle + 1;
      else high = middle - 1;
    }
    return false;
  }
}

/** Returns the first four bytes of an index, as `IndexPrefixFilter` stores them. */
export const indexPrefix = (index: Buffer): Buffer => index.subarray(0, PREFIX_BYTES);
