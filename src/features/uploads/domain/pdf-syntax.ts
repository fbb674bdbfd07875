import { FileRefusedError } from './file-errors.js';
import { runsWhenOpened } from './pdf-links.js';

/**
 * A value in PDF syntax (ISO 32000-2, 7.3). The text of strings is not kept. Only strings of links trigger an action,
 * so for these the kind says whether the link runs something.
 */
export type PdfValue =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'integer'; readonly value: number }
  | { readonly kind: 'reference'; readonly number: number }
  | { readonly kind: 'array'; readonly items: readonly PdfValue[] }
  | PdfDictionary
  | { readonly kind: 'string' | 'active-string' | 'null' | 'other' };

export interface PdfDictionary {
  readonly kind: 'dictionary';
  /** Entries in file order. A repeated key is kept twice, because PDF readers differ in which one they use. */
  readonly entries: readonly (readonly [string, PdfValue])[];
}

/** A value or a keyword (`obj`, `stream`, `xref` …) at the top level, and its start offset. */
export type PdfStep =
  | { readonly kind: 'value'; readonly value: PdfValue; readonly at: number }
  | { readonly kind: 'word'; readonly word: string; readonly at: number };

type Token =
  | PdfValue
  | { readonly kind: 'word'; readonly word: string }
  | { [One in Bracket]: { readonly kind: One } }[Bracket];
type Bracket = '<<' | '>>' | '[' | ']';

interface OpenBracket {
  readonly bracket: '<<' | '[' | null;
  readonly items: PdfValue[];
}

const MAX_DEPTH = 100;
// Maximum number of values: four times the 500,000 values of a tagged report of 10 MiB.
const MAX_VALUES = 2_000_000;
const STRUCTURAL = new Set(['obj', 'endobj', 'stream', 'endstream', 'xref', 'trailer', 'startxref']);
const OTHER: PdfValue = { kind: 'other' };
const STRING: PdfValue = { kind: 'string' };
const ACTIVE_STRING: PdfValue = { kind: 'active-string' };
const NULL: PdfValue = { kind: 'null' };
/** Keys whose string is a link, or the beginning of all links. */
const LINK_KEYS = new Set(['URI', 'Base']);

const REGULAR = 0;
const SPACE = 1;
const DELIMITER = 2;
const classes = new Uint8Array(256);
for (const byte of [0, 9, 10, 12, 13, 32]) classes[byte] = SPACE;
for (const byte of Buffer.from('()<>[]{}/%', 'latin1')) classes[byte] = DELIMITER;
const classOf = (byte: number | undefined): number => (byte === undefined ? DELIMITER : (classes[byte] ?? 0));
const charCode = (character: string): number => character.charCodeAt(0);

/** Limits the number of values in a document, so that a small file cannot use much memory. */
export class ValueBudget {
  private valuesLeft = MAX_VALUES;

  spend(): void {
    this.valuesLeft -= 1;
    if (this.valuesLeft < 0) throw new FileRefusedError('EXPANDS_TOO_MUCH');
  }
}

/**
 * Tokenises PDF syntax from an offset. Throws FileRefusedError: TRUNCATED at an unclosed bracket or string, MALFORMED
 * where brackets or dictionaries do not match, EXPANDS_TOO_MUCH for too deep or too many values.
 */
export class PdfReader {
  private readonly knownNames = new Map<string, PdfValue>();

  constructor(
    private readonly bytes: Buffer,
    private readonly budget: ValueBudget,
    public at = 0,
  ) {}

  /** Skips white space and comments; returns the offset of the next byte. */
  skip(): number {
    const { bytes } = this;
    for (; this.at < bytes.length; this.at += 1) {
      if (bytes[this.at] === charCode('%')) {
        while (this.at < bytes.length && bytes[this.at] !== 10 && bytes[this.at] !== 13) this.at += 1;
      } else if (classOf(bytes[this.at]) !== SPACE) break;
    }
    return this.at;
  }

  /** Returns the next top-level value or keyword; null at the end of the input. */
  next(): PdfStep | null {
    const outermost: OpenBracket = { bracket: null, items: [] };
    const stack: OpenBracket[] = [outermost];
    const at = this.skip();
    for (;;) {
      const begin = this.skip();
      const token = this.readToken();
      const top = stack.at(-1) ?? outermost;
      if (token === null) {
        if (top !== outermost) throw new FileRefusedError('TRUNCATED');
        return null;
      }
      this.budget.spend();
      if (token.kind === '<<' || token.kind === '[') {
        if (stack.length > MAX_DEPTH) throw new FileRefusedError('EXPANDS_TOO_MUCH');
        stack.push({ bracket: token.kind, items: [] });
        continue;
      }
      if (token.kind === '>>' || token.kind === ']') {
        if (top.bracket !== (token.kind === ']' ? '[' : '<<')) throw new FileRefusedError('MALFORMED');
        stack.pop();
        const closed = token.kind === ']' ? arrayOf(top.items) : dictionaryOf(top.items);
        stack.at(-1)?.items.push(closed);
      } else if (token.kind === 'word') {
        if (top === outermost) return { kind: 'word', word: token.word, at };
        if (STRUCTURAL.has(token.word)) throw new FileRefusedError('MALFORMED');
        if (token.word !== 'R' || !foldReference(top.items)) top.items.push(OTHER);
      } else if (token === STRING && (top === outermost || isLink(top.items.at(-1)))) {
        // A string alone may be the object to which a link refers.
        top.items.push(runsWhenOpened(this.bytes.subarray(begin, this.at)) ? ACTIVE_STRING : STRING);
      } else top.items.push(token);
      const [value] = outermost.items;
      if (value) return { kind: 'value', value, at };
    }
  }

  private readToken(): Token | null {
    const { bytes } = this;
    const at = this.skip();
    switch (bytes[at]) {
      case undefined:
        return null;
      case charCode('('):
        this.skipLiteral();
        return STRING;
      case charCode('<'):
        if (bytes[at + 1] === charCode('<')) return this.readBracket('<<');
        return this.skipHexadecimal();
      case charCode('>'):
        if (bytes[at + 1] === charCode('>')) return this.readBracket('>>');
        throw new FileRefusedError('MALFORMED');
      case charCode('['):
        return this.readBracket('[');
      case charCode(']'):
        return this.readBracket(']');
      case charCode('/'):
        return this.readName();
      case charCode(')'):
        throw new FileRefusedError('MALFORMED');
      case charCode('{'):
      case charCode('}'):
        this.at += 1;
        return OTHER;
      default:
        return this.readRegular();
    }
  }

  private readBracket<One extends Bracket>(kind: One): { readonly kind: One } {
    this.at += kind.length;
    return { kind };
  }

  /** Skips a string in parentheses: they nest, and a backslash escapes the next byte. */
  private skipLiteral(): void {
    const { bytes } = this;
    let depth = 0;
    for (; this.at < bytes.length; this.at += 1) {
      const byte = bytes[this.at];
      if (byte === charCode('\\')) this.at += 1;
      else if (byte === charCode('(')) depth += 1;
      else if (byte === charCode(')')) {
        depth -= 1;
        if (depth > 0) continue;
        this.at += 1;
        return;
      }
    }
    throw new FileRefusedError('TRUNCATED');
  }

  private skipHexadecimal(): Token {
    const end = this.bytes.indexOf('>', this.at);
    if (end === -1) throw new FileRefusedError('TRUNCATED');
    this.at = end + 1;
    return STRING;
  }

  /** Reads a name, which may have hexadecimal escapes: /J#53 is /JS. */
  private readName(): Token {
    this.at += 1;
    const nameText = this.readRun();
    const name = nameText.includes('#')
      ? nameText.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        )
      : nameText;
    // A zero byte is not allowed in a name, and some PDF readers end the name there.
    if (name.includes('\0')) throw new FileRefusedError('MALFORMED');
    const knownName = this.knownNames.get(name) ?? { kind: 'name', name };
    this.knownNames.set(name, knownName);
    return knownName;
  }

  private readRegular(): Token {
    const word = this.readRun();
    if (/^[+-]?\d{1,15}$/.test(word)) return { kind: 'integer', value: Number(word) };
    if (word === 'null') return NULL;
    if (word === 'true' || word === 'false' || /^[+-]?[\d.]+$/.test(word)) return OTHER;
    return { kind: 'word', word };
  }

  private readRun(): string {
    const from = this.at;
    while (classOf(this.bytes[this.at]) === REGULAR) this.at += 1;
    return this.bytes.toString('latin1', from, this.at);
  }
}

/** Replaces the last two integers by an indirect reference; false if they are not two integers. */
export function foldReference(items: PdfValue[]): boolean {
  const [number, generation] = items.slice(-2);
  if (number?.kind !== 'integer' || generation?.kind !== 'integer') return false;
  items.splice(-2, 2, { kind: 'reference', number: number.value });
  return true;
}

const isLink = (before: PdfValue | undefined): boolean =>
  before?.kind === 'name' && LINK_KEYS.has(before.name);

const arrayOf = (items: readonly PdfValue[]): PdfValue => ({ kind: 'array', items });

function dictionaryOf(items: readonly PdfValue[]): PdfDictionary {
  const entries: (readonly [string, PdfValue])[] = [];
  for (let i = 0; i < items.length; i += 2) {
    const [key, value] = [items[i], items[i + 1]];
    // PDF readers differ in how they treat a key without a value.
    if (key?.kind !== 'name' || !value) throw new FileRefusedError('MALFORMED');
    entries.push([key.name, value]);
  }
  return { kind: 'dictionary', entries };
}

/** All values of a key in a dictionary; a null counts as no value (7.3.9). */
export const valuesOf = ({ entries }: PdfDictionary, key: string): PdfValue[] =>
  entries.flatMap(([name, value]) => (name === key && value.kind !== 'null' ? [value] : []));
