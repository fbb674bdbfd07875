export const METADATA_LIMITS = { size: 16_384, depth: 5, keys: 100 } as const;

export type MetadataProblem = 'METADATA_TOO_LARGE' | 'METADATA_TOO_DEEP' | 'METADATA_TOO_MANY_KEYS';

/** Returns the limit that free-form metadata exceeds, or null. The object itself is the first level. */
export function findMetadataProblem(metadata: object): MetadataProblem | null {
  const extent: Extent = { keys: 0, size: 2 };
  const problem = measure(metadata, 1, extent);
  if (problem !== null) return problem;
  if (extent.size <= METADATA_LIMITS.size) return null;
  // The estimate is an upper bound; only metadata that may be too large is serialised.
  return Buffer.byteLength(JSON.stringify(metadata)) > METADATA_LIMITS.size ? 'METADATA_TOO_LARGE' : null;
}

interface Extent {
  keys: number;
  /** An upper bound of the bytes of the JSON text so far. */
  size: number;
}

// A control character becomes \u0000, any other UTF-16 unit at most three bytes.
const MAX_BYTES_PER_UNIT = 6;
const QUOTES_COLON_COMMA = 4;
// The longest scalar is -1.7976931348623157e+308 with 24 bytes; one more for the comma.
const MAX_SCALAR_BYTES = 25;

function measure(container: object, depth: number, extent: Extent): MetadataProblem | null {
  if (depth > METADATA_LIMITS.depth) return 'METADATA_TOO_DEEP';
  if (Array.isArray(container)) {
    for (const item of container as readonly unknown[]) {
      const problem = measureValue(item, depth, extent);
      if (problem !== null) return problem;
    }
    return null;
  }
  const members = container as Readonly<Record<string, unknown>>;
  for (const key in members) {
    extent.keys += 1;
    if (extent.keys > METADATA_LIMITS.keys) return 'METADATA_TOO_MANY_KEYS';
    extent.size += key.length * MAX_BYTES_PER_UNIT + QUOTES_COLON_COMMA;
    const problem = measureValue(members[key], depth, extent);
    if (problem !== null) return problem;
  }
  return null;
}

function measureValue(value: unknown, depth: number, extent: Extent): MetadataProblem | null {
  if (typeof value === 'string') {
    extent.size += value.length * MAX_BYTES_PER_UNIT + QUOTES_COLON_COMMA;
    return null;
  }
  extent.size += MAX_SCALAR_BYTES;
  return typeof value === 'object' && value !== null ? measure(value, depth + 1, extent) : null;
}
