import { inflateSync } from 'node:zlib';
import { valuesOf, type PdfDictionary } from './pdf-syntax.js';

/** A cross-reference entry for an object that is in the file itself, not in an object stream. */
export interface PlainEntry {
  readonly number: number;
  readonly offset: number;
}

export interface XrefStream {
  readonly plain: readonly PlainEntry[];
  /** The object numbers of the object streams that entries refer to. */
  readonly containers: readonly number[];
}

const MAX_BYTES = 16 * 1_024 * 1_024;

/**
 * Reads a cross-reference stream (ISO 32000-2, 7.5.8) as programs write it: uncompressed, or with one Flate filter and
 * an optional PNG predictor. Null if the stream has any other form.
 */
export function readXrefStream(dictionary: PdfDictionary, bytes: Buffer): XrefStream | null {
  const rows = decode(dictionary, bytes);
  const [w = 0, x = 0, y = 0, ...more] = integers(dictionary, 'W') ?? [];
  const [size] = integers(dictionary, 'Size') ?? [];
  const index = integers(dictionary, 'Index') ?? [0, size ?? 0];
  const width = w + x + y;
  if (!rows || more.length > 0 || x < 1 || Math.min(w, x, y) < 0 || Math.max(w, x, y) > 6) return null;
  const plainEntries: PlainEntry[] = [];
  const containers = new Set<number>();
  let at = 0;
  for (let i = 0; i < index.length; i += 2) {
    const [first = 0, count = 0] = [index[i], index[i + 1]];
    for (let number = first; number < first + count; number += 1, at += width) {
      if (at + width > rows.length) return null;
      const type = w === 0 ? 1 : rows.readUIntBE(at, w);
      const field = rows.readUIntBE(at + w, x);
      if (type === 1) plainEntries.push({ number, offset: field });
      else if (type === 2) containers.add(field);
    }
  }
  return { plain: plainEntries, containers: [...containers] };
}

function decode(dictionary: PdfDictionary, bytes: Buffer): Buffer | null {
  const filters = valuesOf(dictionary, 'Filter').flatMap((filter) =>
    filter.kind === 'array' ? filter.items : [filter],
  );
  const parameters = valuesOf(dictionary, 'DecodeParms').flatMap((one) =>
    one.kind === 'array' ? one.items : [one],
  );
  const [filter] = filters;
  if (!filter) return bytes;
  if (filters.length > 1 || filter.kind !== 'name' || filter.name !== 'FlateDecode') return null;
  try {
    const inflated = inflateSync(bytes, { maxOutputLength: MAX_BYTES });
    const [parameter] = parameters;
    if (parameter?.kind !== 'dictionary') return parameters.length === 0 ? inflated : null;
    const [predictor = 1] = integers(parameter, 'Predictor') ?? [];
    const [columns = 1] = integers(parameter, 'Columns') ?? [];
    if (predictor === 1) return inflated;
    return predictor >= 10 && columns >= 1 ? reversePredictors(inflated, columns) : null;
  } catch {
    return null; // not what it says: readers look for the objects themselves then
  }
}

/** Reverses the PNG predictors (W3C PNG, 9) for one byte per sample. */
function reversePredictors(bytes: Buffer, columns: number): Buffer {
  const rows = Math.floor(bytes.length / (columns + 1));
  const decodedBytes = Buffer.alloc(rows * columns);
  for (let row = 0; row < rows; row += 1) {
    const type = bytes[row * (columns + 1)] ?? 0;
    for (let i = 0; i < columns; i += 1) {
      const at = row * columns + i;
      const remaining = i === 0 ? 0 : (decodedBytes[at - 1] ?? 0);
      const up = row === 0 ? 0 : (decodedBytes[at - columns] ?? 0);
      const corner = row === 0 || i === 0 ? 0 : (decodedBytes[at - columns - 1] ?? 0);
      const guess = [0, remaining, up, (remaining + up) >> 1, paeth(remaining, up, corner)][type] ?? 0;
      decodedBytes[at] = ((bytes[row * (columns + 1) + 1 + i] ?? 0) + guess) & 0xff;
    }
  }
  return decodedBytes;
}

function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [left, up, corner].map((one) => Math.abs(left + up - corner - one)) as [
    number,
    number,
    number,
  ];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** The integer or integers at a key; null if the key is missing, repeated or has any other value. */
function integers(dictionary: PdfDictionary, key: string): number[] | null {
  const [value, ...more] = valuesOf(dictionary, key);
  if (!value || more.length > 0) return null;
  const items = value.kind === 'array' ? value.items : [value];
  const numbers = items.flatMap((item) => (item.kind === 'integer' ? [item.value] : []));
  return numbers.length === items.length ? numbers : null;
}
