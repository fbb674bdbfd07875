import { inflateSync } from 'node:zlib';
import { fileErrorCode } from './file-errors.js';
import { FileRefusedError } from './file-errors.js';
import {
  PdfReader,
  foldReference,
  ValueBudget,
  valuesOf,
  type PdfDictionary,
  type PdfValue,
} from './pdf-syntax.js';
import { readXrefStream, type PlainEntry } from './pdf-xref.js';

// The limit (bytes) of all decompressed streams together. 50 grey A4 pages at 300 dpi are 430 MB as pixels, but
// scanners store JPEG or fax; a document that expands beyond this is a decompression bomb or a poster.
const MAX_EXPANDED = 192 * 1_024 * 1_024;
const MAX_OBJECT_STREAM = 32 * 1_024 * 1_024;

/** One revision of an object, from the file itself or from an object stream. */
export interface PdfObject {
  /** Null if the table of its object stream does not list the value. */
  readonly number: number | null;
  readonly value: PdfValue;
  readonly isStream: boolean;
}

/** All objects and trailers that a PDF reader may use. */
export interface PdfStructure {
  readonly objects: readonly PdfObject[];
  /** The trailers of all revisions, including cross-reference streams. */
  readonly trailers: readonly PdfDictionary[];
}

/**
 * Reads all objects of all revisions of a PDF from its first byte to its last, and checks its cross-reference tables
 * against them: no entry may point into a string, a comment or the content of a stream. Throws FileRefusedError.
 */
export function readPdf(bytes: Buffer): PdfStructure {
  const startxref = startxrefOf(bytes);
  const file = new FileScan(bytes);
  file.scan();
  const { objects, trailers, streams, budget } = file;
  const openedStreams = new Set<number>();
  let remaining = MAX_EXPANDED;
  for (const stream of streams) {
    if (holdsObjects(stream.dictionary)) {
      const plain = plainOf(stream, remaining);
      remaining -= plain.length;
      openedStreams.add(stream.number);
      objects.push(...packedObjects(stream.dictionary, plain, budget));
    } else remaining -= expandedBytes(stream, remaining);
  }
  // PDF readers decompress every object stream that a table entry points to, so this code must have read each.
  if (![...file.containers].every((number) => openedStreams.has(number))) {
    throw new FileRefusedError('MALFORMED');
  }
  if (!file.isIntact(startxref)) file.refuseHiddenObjects();
  return { objects, trailers };
}

/** The `startxref` offset of the last revision. Only white space and comments may follow `%%EOF`. */
function startxrefOf(bytes: Buffer): number {
  const word = bytes.lastIndexOf('startxref');
  if (word === -1 || bytes.lastIndexOf('%%EOF') < word) throw new FileRefusedError('TRUNCATED');
  const reader = new PdfReader(bytes, new ValueBudget(), word + 'startxref'.length);
  const step = reader.next();
  if (step?.kind !== 'value' || step.value.kind !== 'integer') throw new FileRefusedError('MALFORMED');
  if (reader.skip() < bytes.length) throw new FileRefusedError('TRAILING_DATA');
  return step.value.value;
}

interface PdfStream {
  readonly number: number;
  readonly dictionary: PdfDictionary;
  readonly bytes: Buffer;
  /** True if the stream ends at its declared length. */
  readonly isExact: boolean;
}

/** The part of the file that the scan is in. */
interface Part {
  readonly of: 'object' | 'trailer' | 'nothing';
  readonly number: number;
  /** The offset where an object begins. */
  readonly at: number;
  readonly values: PdfValue[];
  isStream: boolean;
}

const MAX_WHITE = 64;
const WHITE = new Set([0, 9, 10, 12, 13, 32]);

class FileScan {
  readonly budget = new ValueBudget();
  readonly objects: PdfObject[] = [];
  readonly streams: PdfStream[] = [];
  readonly trailers: PdfDictionary[] = [];
  /** The object numbers of the object streams that tables refer to. */
  readonly containers = new Set<number>();
  private readonly objectsByOffset = new Map<number, number>();
  /** The offsets of the keyword `obj` of all objects. */
  private readonly objOffsets = new Set<number>();
  private readonly tableOffsets = new Set<number>();
  private readonly entries: PlainEntry[] = [];
  private isWellFormed = true;
  private readonly reader: PdfReader;
  private lengths: ReadonlyMap<number, readonly number[]> | null = null;

  constructor(private readonly bytes: Buffer) {
    this.reader = new PdfReader(bytes, this.budget);
  }

  scan(): void {
    let part: Part = emptyPart();
    const begin = (next: Part): void => {
      this.endPart(part);
      part = next;
    };
    // The offsets of the last two values: if `obj` follows, they are the number and generation of an object.
    let begins: readonly number[] = [];
    for (let step = this.reader.next(); step; step = this.reader.next()) {
      if (step.kind === 'value') {
        part.values.push(step.value);
        begins = [begins.at(-1) ?? step.at, step.at];
        continue;
      }
      switch (step.word) {
        case 'obj': {
          const [number, generation] = part.values.splice(-2);
          const [at = -1] = begins;
          if (number?.kind !== 'integer' || generation?.kind !== 'integer') {
            throw new FileRefusedError('MALFORMED');
          }
          begin({ ...emptyPart(), of: 'object', number: number.value, at });
          this.objectsByOffset.set(at, number.value);
          this.objOffsets.add(step.at);
          break;
        }
        case 'stream':
          this.readStream(part);
          break;
        case 'trailer':
          begin({ ...emptyPart(), of: 'trailer' });
          break;
        case 'xref':
          begin(emptyPart());
          this.tableOffsets.add(step.at);
          this.readTable();
          break;
        case 'startxref':
          begin(emptyPart());
          this.reader.next();
          break;
        case 'endobj':
          begin(emptyPart());
          break;
        case 'R':
          if (!foldReference(part.values)) this.isWellFormed = false;
          break;
        case 'endstream':
          break;
        default:
          this.isWellFormed = false;
      }
    }
    this.endPart(part);
  }

  /** True if all table entries point to objects that this scan has read, so that every PDF reader sees the same. */
  isIntact(startxref: number): boolean {
    const isTable = (offset: number): boolean => this.tableOffsets.has(afterWhite(this.bytes, offset));
    const further = this.trailers.flatMap((trailer) => [
      ...valuesOf(trailer, 'Prev'),
      ...valuesOf(trailer, 'XRefStm'),
    ]);
    return (
      this.isWellFormed &&
      isTable(startxref) &&
      further.every((value) => value.kind === 'integer' && isTable(value.value)) &&
      this.entries.every(
        ({ number, offset }) => this.objectsByOffset.get(afterWhite(this.bytes, offset)) === number,
      )
    );
  }

  /** Throws if an object is hidden: PDF readers search a file with a broken table, each in its own way. */
  refuseHiddenObjects(): void {
    const { bytes, objOffsets } = this;
    for (let at = bytes.indexOf('obj'); at !== -1; at = bytes.indexOf('obj', at + 1)) {
      if (objOffsets.has(at) || !WHITE.has(bytes[at - 1] ?? -1)) continue;
      if (/^[\s\0()<>[\]/%]/.test(bytes.toString('latin1', at + 3, at + 4))) {
        throw new FileRefusedError('MALFORMED');
      }
    }
  }

  private endPart({ of, number, values, isStream }: Part): void {
    for (const value of values) {
      if (of === 'object') this.objects.push({ number, value, isStream });
      else if (of === 'trailer' && value.kind === 'dictionary') this.trailers.push(value);
      else this.isWellFormed = false;
    }
  }

  /** Reads a stream by its length if it ends there, and otherwise up to the next `endstream`. */
  private readStream(part: Part): void {
    const { bytes, reader } = this;
    const dictionary = part.values.at(-1);
    if (part.of !== 'object' || dictionary?.kind !== 'dictionary') throw new FileRefusedError('MALFORMED');
    let from = reader.at;
    if (bytes[from] === 13) from += 1;
    if (bytes[from] === 10) from += 1;
    const ends = this.lengthsOf(dictionary).map((length) => afterWhite(this.bytes, from + length));
    const exact = ends.find((at) => bytes.toString('latin1', at, at + 9) === 'endstream');
    const end = exact ?? bytes.indexOf('endstream', from);
    if (end === -1) throw new FileRefusedError('TRUNCATED');
    reader.at = end;
    part.isStream = true;
    const content = bytes.subarray(from, end);
    this.streams.push({ number: part.number, dictionary, bytes: content, isExact: exact !== undefined });
    if (!valuesOf(dictionary, 'Type').some((type) => type.kind === 'name' && type.name === 'XRef')) return;
    this.trailers.push(dictionary);
    this.tableOffsets.add(part.at);
    const table = readXrefStream(dictionary, content);
    if (!table) this.isWellFormed = false;
    this.entries.push(...(table?.plain ?? []));
    for (const container of table?.containers ?? []) this.containers.add(container);
  }

  /** The possible lengths of a stream: a length in a separate object may have several revisions. */
  private lengthsOf(dictionary: PdfDictionary): number[] {
    const lengths = valuesOf(dictionary, 'Length');
    if (lengths.length > 1) throw new FileRefusedError('MALFORMED');
    return lengths.flatMap((length) => {
      if (length.kind === 'integer') return length.value < 0 ? [] : [length.value];
      if (length.kind !== 'reference') return [];
      this.lengths ??= loneIntegers(this.bytes);
      return this.lengths.get(length.number) ?? [];
    });
  }

  /** Reads a cross-reference table: per section the first number, the count, and that many entries of 20 bytes. */
  private readTable(): void {
    const { reader } = this;
    for (;;) {
      let { at } = reader;
      const [from, count] = [integerOf(reader.next()), integerOf(reader.next())];
      if (from === null || count === null) {
        reader.at = at;
        return;
      }
      for (let number = from; number < from + count; number += 1) {
        ({ at } = reader);
        const [offset, generation] = [integerOf(reader.next()), integerOf(reader.next())];
        const use = reader.next();
        if (offset === null || generation === null || use?.kind !== 'word') {
          this.isWellFormed = false;
          reader.at = at;
          return;
        }
        // No object begins at offset 0: some programs mark free entries this way.
        if (use.word === 'n' && offset > 0) this.entries.push({ number, offset });
      }
    }
  }
}

/** The first offset from `offset` on that is not white space. Stops after MAX_WHITE bytes, more than programs write. */
function afterWhite(bytes: Buffer, offset: number): number {
  let at = offset;
  while (at < offset + MAX_WHITE && WHITE.has(bytes[at] ?? -1)) at += 1;
  return at;
}

const emptyPart = (): Part => ({ of: 'nothing', number: -1, at: -1, values: [], isStream: false });

const integerOf = (step: ReturnType<PdfReader['next']>): number | null =>
  step?.kind === 'value' && step.value.kind === 'integer' ? step.value.value : null;

// Maximum revisions of a length that are tried before the end of the stream is searched for.
const MAX_LENGTHS = 20;

/** The objects that contain only an integer, found before the scan because a length may follow its stream. */
function loneIntegers(bytes: Buffer): Map<number, number[]> {
  const numbersByObject = new Map<number, number[]>();
  const lone = /(\d{1,10})[\s\0]{1,4}\d{1,5}[\s\0]{1,4}obj[\s\0]{1,4}(\d{1,10})[\s\0]{1,4}endobj/g;
  for (const [, number = '', value = ''] of bytes.toString('latin1').matchAll(lone)) {
    const numbersOfObject = numbersByObject.get(Number(number));
    if (!numbersOfObject) numbersByObject.set(Number(number), [Number(value)]);
    else if (numbersOfObject.length < MAX_LENGTHS) numbersOfObject.push(Number(value));
  }
  return numbersByObject;
}

/** True for an object stream: its `Type` may be an unresolved reference, therefore `First` and `N` are also enough. */
const holdsObjects = (dictionary: PdfDictionary): boolean =>
  valuesOf(dictionary, 'Type').some((type) => type.kind === 'name' && type.name === 'ObjStm') ||
  (valuesOf(dictionary, 'First').length > 0 && valuesOf(dictionary, 'N').length > 0);

/**
 * The decompressed bytes of an object stream. Programs use one Flate filter or none. A PDF reader might see other
 * objects than this code with any other filter, a chain, an indirect filter or parameters, so these are refused.
 */
function plainOf({ dictionary, bytes, isExact }: PdfStream, left: number): Buffer {
  const filters = valuesOf(dictionary, 'Filter');
  const [filter] = filters.map((one) =>
    one.kind === 'array' && one.items.length === 1 ? one.items[0] : one,
  );
  const isFlate = filter?.kind === 'name' && filter.name === 'FlateDecode';
  const unsupportedKeys = ['DecodeParms', 'DP', 'F', 'FFilter', 'FDecodeParms'];
  if (
    filters.length > 1 ||
    (filter ? !isFlate : !isExact) ||
    unsupportedKeys.some((key) => valuesOf(dictionary, key).length > 0)
  ) {
    throw new FileRefusedError('VARIANT_UNSUPPORTED');
  }
  if (!filter) return bytes;
  try {
    // Decompresses to the end: a stream that seems to end earlier hides the rest.
    return inflateSync(bytes, { maxOutputLength: Math.max(1, Math.min(left, MAX_OBJECT_STREAM)) });
  } catch (error) {
    throw new FileRefusedError(isTooLarge(error) ? 'EXPANDS_TOO_MUCH' : 'MALFORMED');
  }
}

/** All objects of an object stream. Throws FileRefusedError if its table points outside the stream. */
function packedObjects(dictionary: PdfDictionary, plain: Buffer, budget: ValueBudget): PdfObject[] {
  const [[count, ...counts], [first, ...firsts]] = [valuesOf(dictionary, 'N'), valuesOf(dictionary, 'First')];
  const isPlain = count?.kind === 'integer' && first?.kind === 'integer' && first.value >= 0;
  if (!isPlain || counts.length + firsts.length > 0) throw new FileRefusedError('VARIANT_UNSUPPORTED');
  const reader = new PdfReader(plain, budget, first.value);
  const values: PdfValue[] = [];
  const begins: number[] = [];
  for (let step = reader.next(); step; step = reader.next()) {
    if (step.kind === 'word') {
      if (step.word !== 'R' || !foldReference(values)) throw new FileRefusedError('MALFORMED');
      begins.splice(-1);
    } else {
      values.push(step.value);
      begins.push(step.at);
    }
  }
  const packedNumbers = new Set(begins);
  const head = new PdfReader(plain.subarray(0, first.value), budget);
  const numbers = new Map<number, number[]>();
  for (let i = 0; i < count.value; i += 1) {
    const [number, offset] = [integerOf(head.next()), integerOf(head.next())];
    if (number === null || offset === null) throw new FileRefusedError('MALFORMED');
    const at = afterWhite(plain, first.value + offset);
    // The last object may be empty.
    if (at < plain.length && !packedNumbers.has(at)) throw new FileRefusedError('MALFORMED');
    const same = numbers.get(at);
    if (same) same.push(number);
    else numbers.set(at, [number]);
  }
  return values.flatMap((value, i) =>
    (numbers.get(begins[i] ?? -1) ?? [null]).map((number) => ({ number, value, isStream: false })),
  );
}

/** The decompressed size of a stream that has no objects. */
function expandedBytes({ dictionary, bytes }: PdfStream, left: number): number {
  const filters = valuesOf(dictionary, 'Filter')
    .flatMap((filter) => (filter.kind === 'array' ? filter.items : [filter]))
    .flatMap((filter) => (filter.kind === 'name' ? [filter.name] : []))
    .filter((name) => EXPANDING.has(name));
  // Two chained compression filters only serve to multiply the size.
  if (filters.length > 1) throw new FileRefusedError('EXPANDS_TOO_MUCH');
  if (filters[0] !== 'FlateDecode' && filters[0] !== 'Fl') return 0;
  try {
    return inflateSync(bytes, { maxOutputLength: Math.max(1, left), finishFlush: 2 }).length;
  } catch (error) {
    if (isTooLarge(error)) throw new FileRefusedError('EXPANDS_TOO_MUCH');
    return 0; // not compressed as it says, which a viewer shows as nothing
  }
}

const isTooLarge = (error: unknown): boolean => fileErrorCode(error) === 'ERR_BUFFER_TOO_LARGE';

const EXPANDING = new Set(['FlateDecode', 'Fl', 'LZWDecode', 'LZW', 'RunLengthDecode', 'RL']);
