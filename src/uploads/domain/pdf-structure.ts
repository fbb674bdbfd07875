import { inflateSync } from 'node:zlib';
import { FileRefused } from './file-refused.js';

/** Pages of a document. */
export const MAX_PAGES = 50;
// All compressed streams of a document together: 50 scanned pages of A4 at 300 dpi in grey are 430 MB as pictures, but
// scanners store JPEG or fax; what expands beyond this is a bomb or a poster.
const MAX_EXPANDED = 192 * 1_024 * 1_024;
const MAX_OBJECT_STREAM = 32 * 1_024 * 1_024;

// Names that make a document do something or carry something (ISO 32000-2): whoever looks at proof of an address needs
// none of them.
const ACTIVE = new Set([
  'JavaScript',
  'JS',
  'Launch',
  'ImportData',
  'SubmitForm',
  'GoToE',
  'GoToR',
  'RichMedia',
  'XFA',
  'Movie',
  'Rendition',
  // Whatever they lead to runs without anybody's click.
  'OpenAction',
  'AA',
]);
const ATTACHED = new Set(['EmbeddedFile', 'EmbeddedFiles', 'EF', 'Collection']);

/** How many pages a PDF has, found without rendering; throws FileRefused. */
export function pdfPages(bytes: Buffer): number {
  const text = bytes.toString('latin1');
  // After the last end-of-file mark stands nothing but white space, so that nothing hides behind it.
  const end = text.lastIndexOf('%%EOF');
  if (end === -1) throw new FileRefused('TRUNCATED');
  if (!/^%%EOF[\s\0]*$/.test(text.slice(end))) throw new FileRefused('TRAILING_DATA');
  if (!/startxref\s+\d+\s+%%EOF/.test(text.slice(Math.max(0, end - 64), end + 5))) {
    throw new FileRefused('MALFORMED');
  }
  refuseLongNames(text);
  const { outside, streams } = separate(bytes, text);
  // One that is not found as a stream is not looked into either.
  const named = outside.match(/\/ObjStm/g)?.length ?? 0;
  if (named !== streams.filter(({ dictionary }) => dictionary.includes('/ObjStm')).length) {
    throw new FileRefused('MALFORMED');
  }
  const parts = [outside, ...expanded(streams)];
  let pages = 0;
  for (const part of parts) {
    refuseNames(part);
    pages += part.match(/\/Type\s*\/Page(?![A-Za-z])/g)?.length ?? 0;
  }
  if (pages === 0) throw new FileRefused('MALFORMED');
  if (pages > MAX_PAGES) throw new FileRefused('TOO_MANY_PAGES');
  return pages;
}

interface Stream {
  readonly dictionary: string;
  readonly bytes: Buffer;
}

/** Separates the text outside of streams from the streams. */
function separate(
  bytes: Buffer,
  text: string,
): { readonly outside: string; readonly streams: readonly Stream[] } {
  const streams: Stream[] = [];
  const outside: string[] = [];
  const begin = />>\s*stream(\r\n|\n|\r)/g;
  let at = 0;
  for (let found = begin.exec(text); found; found = begin.exec(text)) {
    const from = found.index + found[0].length;
    const to = text.indexOf('endstream', from);
    if (to === -1) throw new FileRefused('TRUNCATED');
    outside.push(text.slice(at, from));
    const opening = Math.max(text.lastIndexOf(' obj', found.index), at);
    streams.push({ dictionary: decoded(text.slice(opening, from)), bytes: bytes.subarray(from, to) });
    at = to;
    begin.lastIndex = to;
  }
  outside.push(text.slice(at));
  return { outside: decoded(outside.join('\n')), streams };
}

/**
 * Object streams, opened: they hold objects as the file does. All other compressed streams are opened too, for their
 * size alone.
 */
function expanded(streams: readonly Stream[]): string[] {
  const objects: string[] = [];
  let left = MAX_EXPANDED;
  for (const { dictionary, bytes } of streams) {
    if (holdsObjects(dictionary)) {
      const plain = objectsIn(dictionary, bytes, Math.min(left, MAX_OBJECT_STREAM));
      left -= plain.length;
      objects.push(decoded(plain.toString('latin1')));
      continue;
    }
    const filters = dictionary.match(/\/(FlateDecode|Fl|LZWDecode|RunLengthDecode)(?![A-Za-z])/g) ?? [];
    // A filter upon a filter of the same kind serves nothing but to multiply.
    if (filters.length > 1) throw new FileRefused('EXPANDS_TOO_MUCH');
    if (filters[0] !== '/FlateDecode' && filters[0] !== '/Fl') continue;
    left -= inflated(bytes, left)?.length ?? 0;
  }
  return objects;
}

/** Told by what a reader needs of it as well: its type may stand elsewhere in the file. */
const holdsObjects = (dictionary: string): boolean =>
  dictionary.includes('/ObjStm') ||
  (/\/First(?![A-Za-z])/.test(dictionary) && /\/N(?![A-Za-z])/.test(dictionary));

/**
 * Programs write object streams with one Flate and nothing else. Any other filter, a chain of them, none, one that is
 * named elsewhere, or parameters for it would show a reader other objects than were looked at here.
 */
function objectsIn(dictionary: string, bytes: Buffer, most: number): Buffer {
  const filters = [
    ...dictionary.matchAll(/\/(?:F|Filter)(?![A-Za-z])\s*(\[\s*\/[^\]]*\]|\/[A-Za-z0-9]+|.)/g),
  ];
  const [only] = filters;
  const plainly = /^(?:\/FlateDecode|\[\s*\/FlateDecode\s*\])$/.test(only?.[1] ?? '');
  const parameters = /\/(?:DecodeParms|DP|FDecodeParms|FFilter)(?![A-Za-z])/.test(dictionary);
  if (filters.length !== 1 || !plainly || parameters || dictionary.includes('%')) {
    throw new FileRefused('VARIANT_UNSUPPORTED');
  }
  try {
    // To its very end: one that seems to end before it does hides the rest.
    return inflateSync(bytes, { maxOutputLength: Math.max(1, most) });
  } catch (error) {
    throw new FileRefused(error instanceof RangeError ? 'EXPANDS_TOO_MUCH' : 'MALFORMED');
  }
}

/** The plain bytes; null when they are not compressed as they say, which a viewer shows as nothing. */
function inflated(bytes: Buffer, most: number): Buffer | null {
  try {
    return inflateSync(bytes, { maxOutputLength: Math.max(1, most), finishFlush: 2 });
  } catch (error) {
    if (error instanceof RangeError) throw new FileRefused('EXPANDS_TOO_MUCH');
    return null;
  }
}

/** Names may be written with hexadecimal escapes: /J#53 is /JS. */
const decoded = (text: string): string =>
  text.includes('#')
    ? text.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;

function refuseNames(text: string): void {
  for (const [, name = ''] of text.matchAll(/\/([A-Za-z]{2,13})(?![A-Za-z])/g)) {
    if (ACTIVE.has(name)) throw new FileRefused('ACTIVE_CONTENT');
    if (ATTACHED.has(name)) throw new FileRefused('ATTACHMENTS');
    if (name === 'Encrypt') throw new FileRefused('ENCRYPTED');
  }
}

/** Anywhere in the file, also where a stream only seems to be: long enough not to be there by chance. */
function refuseLongNames(text: string): void {
  if (/\/(JavaScript|ImportData|SubmitForm|RichMedia)(?![A-Za-z])/.test(text)) {
    throw new FileRefused('ACTIVE_CONTENT');
  }
  if (/\/EmbeddedFiles?(?![A-Za-z])/.test(text)) throw new FileRefused('ATTACHMENTS');
}
