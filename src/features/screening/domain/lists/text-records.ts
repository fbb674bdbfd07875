import { table } from '../../../../platform/kernel/table.js';
import { MAX_RECORD_LENGTH, type ReadRecord } from '../../../../platform/kernel/csv/csv-table.js';

/**
 * Reads the objects of a JSON array or of JSON lines, one at a time, and reports anything else. After an incomplete
 * (torn) object, reading continues on its second line.
 */
export async function* readJsonRecords(texts: AsyncIterable<string>): AsyncGenerator<ReadRecord<unknown>> {
  let rest = '';
  let line = 1;
  let isLastPart = false;
  // Each line in the rest of a torn object is reported once.
  let isTorn = false;
  let reportedLine = 0;
  const source = texts[Symbol.asyncIterator]();
  while (!isLastPart) {
    const next = await source.next();
    if (next.done === true) isLastPart = true;
    else rest += next.value;
    let from = 0;
    while (from < rest.length) {
      const c = rest.charAt(from);
      if (c === '\n') line += 1;
      if (c !== '{') {
        const end = endOfItem(rest, from, isLastPart);
        if (end === null) break;
        if (end > from && !(isTorn && reportedLine === line)) yield { line, problem: 'NOT_AN_OBJECT' };
        if (end > from) reportedLine = line;
        from = Math.max(end, from + 1);
        continue;
      }
      const objectEnd = endOfObject(rest, from);
      if (objectEnd === null && !isLastPart && rest.length - from <= MAX_RECORD_LENGTH) break;
      const end = objectEnd?.end ?? null;
      const value = end === null ? undefined : parseJson(rest.slice(from, end));
      isTorn = value === undefined;
      reportedLine = line;
      yield isTorn ? { line, problem: objectEnd ? 'NOT_JSON' : 'UNFINISHED_OBJECT' } : { line, value };
      const after = isTorn ? afterTorn(rest, from, objectEnd) : (end ?? from);
      line += linesIn(rest.slice(from, after));
      from = after;
    }
    rest = rest.slice(from);
  }
}

/** Returns the end of an item that is not an object, or `from` for a separator. Null if more text is needed. */
function endOfItem(text: string, from: number, ended: boolean): number | null {
  if (/[\s,[\]\ufeff]/.test(text.charAt(from))) return from;
  const item = /"(?:[^"\\\n]|\\.)*(?:"|$)|[^,{[\]\n"]+|./y;
  item.lastIndex = from;
  const end = item.exec(text) ? item.lastIndex : from + 1;
  return end === text.length && !ended && end - from < MAX_RECORD_LENGTH ? null : end;
}

interface ObjectEnd {
  readonly end: number | null;
  /** The index from which the text cannot be an object. */
  readonly tornAt: number;
}

/** Returns where reading continues after a torn object: at a fault on its first line, else on its second line. */
function afterTorn(text: string, from: number, found: ObjectEnd | null): number {
  const newline = text.indexOf('\n', from);
  if (found && (newline < 0 || newline >= found.tornAt)) return found.tornAt;
  if (newline >= 0) return newline;
  const object = text.indexOf('{', from + 1);
  return object < 0 ? text.length : object;
}

const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST, COLON] = Array.from('"\\{}[]:', (c) =>
  c.charCodeAt(0),
);

/** Finds the end of the object that begins at `from`. Null if neither its end nor a fault has been read yet. */
function endOfObject(text: string, from: number): ObjectEnd | null {
  const open: number[] = [];
  let before = COLON;
  let inText = false;
  for (let i = from; i < text.length; i += 1) {
    const c = text.charCodeAt(i);
    if (inText) {
      if (c === BACKSLASH) i += 1;
      else if (c === QUOTE) inText = false;
      else if (c < 0x20) return { end: null, tornAt: i };
      continue;
    }
    if (c <= 0x20) continue;
    switch (c) {
      case QUOTE:
        inText = true;
        break;
      case OPEN:
        // A nested object follows a colon. A brace without one begins the next record.
        if (open.at(-1) === OPEN && before !== COLON) return { end: null, tornAt: i };
        open.push(c);
        break;
      case OPEN_LIST:
        open.push(c);
        break;
      case CLOSE:
      case CLOSE_LIST:
        if (open.pop() !== (c === CLOSE ? OPEN : OPEN_LIST)) return { end: null, tornAt: i };
        if (open.length === 0) return { end: i + 1, tornAt: i + 1 };
        break;
    }
    before = c;
  }
  return null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** An element of an XML file: its children and its own text. */
export interface XmlElement {
  readonly name: string;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

/** Yields the elements with the given names, at any depth, one at a time. Entities of a DTD are never resolved. */
export async function* readXmlRecords(
  texts: AsyncIterable<string>,
  names: readonly string[],
): AsyncGenerator<ReadRecord<XmlElement>> {
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
      // These elements are never nested: a second start tag means that the first element lost its end tag.
      const inner = opening.exec(rest.slice(begin.index + begin[0].length, end < 0 ? undefined : end));
      if (inner) {
        const skipped = begin.index + begin[0].length + inner.index;
        yield { line: line + linesIn(rest.slice(0, begin.index)), problem: 'UNFINISHED_ELEMENT' };
        line += linesIn(rest.slice(0, skipped));
        rest = rest.slice(skipped);
        continue;
      }
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
      if (top) top.text += cdata ?? unescapeXml(text ?? '');
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

const namedEntities: Readonly<Record<string, string>> = table({
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
});

const unescapeXml = (text: string): string =>
  text.replace(
    /&(?:#(\d+)|#x([0-9a-f]+)|(amp|lt|gt|quot|apos));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return namedEntities[name.toLowerCase()] ?? whole;
      const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
        ? String.fromCodePoint(code)
        : whole;
    },
  );
