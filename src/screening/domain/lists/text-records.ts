import { csvRecordAt } from '../../../kernel/index.js';

/** Bytes of a file, as they come. */
export type Bytes = AsyncIterable<Uint8Array>;

/** A record of a file, or why there is none on that line. Lines count from 1. */
export type Read<T> =
  { readonly line: number; readonly value: T } | { readonly line: number; readonly problem: string };

// How much is looked at, from the first character that is not ASCII, to tell the encoding.
const SAMPLE = 64 * 1024;

/**
 * The text of a file: UTF-8, or Windows-1252 (which ISO-8859-1 files are read as) when its first accents are not
 * UTF-8. Up to there it is the same in both.
 */
export async function* textOf(bytes: Bytes): AsyncGenerator<string> {
  const chosen: { decoder: TextDecoder | null } = { decoder: null };
  let held: Uint8Array[] = [];
  let size = 0;
  const decide = (): string => {
    const sample = Buffer.concat(held);
    held = [];
    chosen.decoder = new TextDecoder(isUtf8(sample) ? 'utf-8' : 'windows-1252');
    return chosen.decoder.decode(sample, { stream: true });
  };
  for await (const chunk of bytes) {
    let text = '';
    if (chosen.decoder) text = chosen.decoder.decode(chunk, { stream: true });
    else if (size === 0 && isAscii(chunk)) text = Buffer.from(chunk).toString('latin1');
    else {
      held.push(chunk);
      size += chunk.length;
      if (size >= SAMPLE) text = decide();
    }
    if (text !== '') yield text;
  }
  const rest = (chosen.decoder ? '' : decide()) + (chosen.decoder?.decode() ?? '');
  if (rest !== '') yield rest;
}

const isAscii = (chunk: Uint8Array): boolean => chunk.every((byte) => byte < 0x80);

function isUtf8(chunk: Uint8Array): boolean {
  try {
    // Not final: a character cut in two by the end of the chunk is no fault.
    new TextDecoder('utf-8', { fatal: true }).decode(chunk, { stream: true });
    return true;
  } catch {
    return false;
  }
}

// An unclosed quotation mark would make one record of the rest of the file.
const MAX_RECORD_LENGTH = 256 * 1024;

/**
 * Records of a CSV file (RFC 4180, any separator): quoted fields may hold separators, doubled quotes and line breaks.
 * A record that does not end is reported, and reading goes on with the line after its first.
 */
export async function* csvRecords(
  texts: AsyncIterable<string>,
  separator: string,
): AsyncGenerator<Read<string[]>> {
  let rest = '';
  let line = 1;
  let ended = false;
  const source = texts[Symbol.asyncIterator]();
  while (!ended) {
    const next = await source.next();
    if (next.done === true) ended = true;
    else rest += next.value;
    let from = 0;
    while (from < rest.length) {
      const record = csvRecordAt(rest, from, separator, ended);
      if (record === null) {
        if (!ended && rest.length - from <= MAX_RECORD_LENGTH) break;
        const end = endOfLine(rest, from);
        yield { line, problem: 'UNCLOSED_QUOTE' };
        line += 1;
        from = end;
        continue;
      }
      if (record.fields.length > 1 || record.fields[0]?.trim() !== '') yield { line, value: record.fields };
      line += record.lines;
      from = record.end;
    }
    rest = rest.slice(from);
  }
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at < 0 ? text.length : at + 1;
}

/** The objects of a JSON array or of JSON lines, one at a time. */
export async function* jsonRecords(texts: AsyncIterable<string>): AsyncGenerator<Read<unknown>> {
  let line = 1;
  let depth = 0;
  let began = 1;
  let inText = false;
  let escaped = false;
  let object = '';
  for await (const text of texts) {
    let from = 0;
    for (let i = 0; i < text.length; i += 1) {
      const c = text.charAt(i);
      if (c === '\n') line += 1;
      if (depth === 0) {
        if (c === '{') {
          depth = 1;
          began = line;
          from = i;
          object = '';
        }
        continue;
      }
      if (inText) {
        if (escaped) escaped = false;
        else if (c === '\\') escaped = true;
        else if (c === '"') inText = false;
      } else if (c === '"') inText = true;
      else if (c === '{') depth += 1;
      else if (c === '}') {
        depth -= 1;
        if (depth === 0) yield parsed(object + text.slice(from, i + 1), began);
      }
    }
    if (depth > 0) object += text.slice(from);
    if (object.length > MAX_RECORD_LENGTH) {
      yield { line: began, problem: 'RECORD_TOO_LONG' };
      return;
    }
  }
  if (depth > 0) yield { line: began, problem: 'UNFINISHED_OBJECT' };
}

function parsed(text: string, line: number): Read<unknown> {
  try {
    return { line, value: JSON.parse(text) as unknown };
  } catch {
    return { line, problem: 'NOT_JSON' };
  }
}

/** An element of an XML file: its children and its own text. */
export interface XmlElement {
  readonly name: string;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

/** The elements of the given names, wherever they stand, one at a time. Entities of a DTD are never resolved. */
export async function* xmlRecords(
  texts: AsyncIterable<string>,
  names: readonly string[],
): AsyncGenerator<Read<XmlElement>> {
  const opening = new RegExp(`<(${names.join('|')})(?:\\s[^>]*)?>`);
  let rest = '';
  let line = 1;
  for await (const text of texts) {
    rest += text;
    for (;;) {
      const begin = opening.exec(rest);
      if (!begin) {
        // A tag may be cut in two by the end of the chunk.
        const kept = Math.max(0, rest.length - 200);
        line += linesIn(rest.slice(0, kept));
        rest = rest.slice(kept);
        break;
      }
      const close = `</${begin[1] ?? ''}>`;
      const end = rest.indexOf(close, begin.index);
      if (end < 0) {
        if (rest.length - begin.index < 4 * MAX_RECORD_LENGTH) break;
        const skipped = begin.index + begin[0].length;
        yield { line: line + linesIn(rest.slice(0, begin.index)), problem: 'UNFINISHED_ELEMENT' };
        line += linesIn(rest.slice(0, skipped));
        rest = rest.slice(skipped);
        continue;
      }
      const at = line + linesIn(rest.slice(0, begin.index));
      const element = parseElement(rest.slice(begin.index, end + close.length));
      yield element ? { line: at, value: element } : { line: at, problem: 'NOT_WELL_FORMED' };
      line += linesIn(rest.slice(0, end + close.length));
      rest = rest.slice(end + close.length);
    }
  }
  const unfinished = opening.exec(rest);
  if (unfinished) {
    yield { line: line + linesIn(rest.slice(0, unfinished.index)), problem: 'UNFINISHED_ELEMENT' };
  }
}

function linesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

interface OpenElement {
  readonly name: string;
  readonly children: XmlElement[];
  text: string;
}

const MAX_DEPTH = 32;

function parseElement(xml: string): XmlElement | null {
  const open: OpenElement[] = [];
  const tags = /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<(\/?)([A-Za-z_][\w.:-]*)[^<>]*?(\/?)>|([^<]+)/g;
  let at = 0;
  for (let match = tags.exec(xml); match; match = tags.exec(xml)) {
    if (match.index !== at) return null;
    at = match.index + match[0].length;
    const [, cdata, closing, name, selfClosing, text] = match;
    const top = open.at(-1);
    if (cdata !== undefined || text !== undefined) {
      if (top) top.text += cdata ?? unescaped(text ?? '');
    } else if (name !== undefined && closing === '/') {
      const done = open.pop();
      if (done?.name !== name) return null;
      const parent = open.at(-1);
      if (!parent) return at === xml.length ? done : null;
      parent.children.push(done);
    } else if (name !== undefined) {
      if (open.length >= MAX_DEPTH) return null;
      if (selfClosing === '/') top?.children.push({ name, children: [], text: '' });
      else open.push({ name, children: [], text: '' });
    }
  }
  return null;
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const unescaped = (text: string): string =>
  text.replace(
    /&(?:#(\d+)|#x([0-9a-f]+)|(amp|lt|gt|quot|apos));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return named[name.toLowerCase()] ?? whole;
      const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
        ? String.fromCodePoint(code)
        : whole;
    },
  );
