import type { Span } from './ast.js';
import { FaultError } from './diagnostics.js';
import { LIMITS } from '../vocabulary.js';

export type Token = Span &
  (
    | { readonly kind: 'number'; readonly value: number }
    | { readonly kind: 'string'; readonly value: string }
    | { readonly kind: 'name'; readonly value: string }
    | { readonly kind: 'symbol'; readonly value: string }
    | { readonly kind: 'end' }
  );

const TWO_CHAR_SYMBOLS = ['&&', '||', '==', '!=', '<=', '>='];
const ONE_CHAR_SYMBOLS = '!<>+-*/?:()[].,';
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\'],
  ['"', '"'],
  ["'", "'"],
  ['n', '\n'],
  ['t', '\t'],
]);
/** Doubles distinguish all decimals of up to this many digits. */
const SIGNIFICANT_DIGITS = 15;

const isDigit = (char: string | undefined): boolean => char !== undefined && char >= '0' && char <= '9';
const isNameStart = (char: string | undefined): boolean =>
  char !== undefined && ((char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z') || char === '_');

/** Splits a text into tokens; throws a Fault at the first character that begins none. */
export function tokenise(text: string): readonly Token[] {
  if (text.length > LIMITS.text) {
    throw new FaultError('TOO_LARGE', { start: LIMITS.text, end: text.length }, 'The text is too long.', {
      expected: `at most ${LIMITS.text} characters`,
    });
  }
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    at = skipBlank(text, at);
    if (at >= text.length) {
      tokens.push({ kind: 'end', start: text.length, end: text.length });
      return tokens;
    }
    const token = tokenAt(text, at);
    tokens.push(token);
    at = token.end;
  }
}

function skipBlank(text: string, from: number): number {
  let at = from;
  for (;;) {
    const char = text[at];
    if (char === ' ' || char === '\t' || char === '\n' || char === '\r') at += 1;
    else if (char === '/' && text[at + 1] === '/') {
      while (at < text.length && text[at] !== '\n') at += 1;
    } else return at;
  }
}

function tokenAt(text: string, start: number): Token {
  const char = text[start];
  if (isDigit(char)) return numberAt(text, start);
  if (isNameStart(char)) {
    let end = start + 1;
    while (isNameStart(text[end]) || isDigit(text[end])) end += 1;
    return { kind: 'name', value: text.slice(start, end), start, end };
  }
  if (char === '"' || char === "'") return stringAt(text, start, char);
  const two = text.slice(start, start + 2);
  if (TWO_CHAR_SYMBOLS.includes(two)) return { kind: 'symbol', value: two, start, end: start + 2 };
  if (char !== undefined && ONE_CHAR_SYMBOLS.includes(char)) {
    return { kind: 'symbol', value: char, start, end: start + 1 };
  }
  const likely = new Map([
    ['=', '=='],
    ['&', '&&'],
    ['|', '||'],
  ]).get(char ?? '');
  throw new FaultError(
    'SYNTAX',
    { start, end: start + 1 },
    'This character means nothing here.',
    likely ? { suggestion: likely } : {},
  );
}

function numberAt(text: string, start: number): Token {
  let end = start;
  while (isDigit(text[end])) end += 1;
  if (text[end] === '.' && isDigit(text[end + 1])) {
    end += 1;
    while (isDigit(text[end])) end += 1;
  }
  const span = { start, end };
  if (isNameStart(text[end])) {
    throw new FaultError('SYNTAX', { start, end: end + 1 }, 'A number is digits with at most one point.', {
      expected: 'a number such as 1000.01',
    });
  }
  const numberText = text.slice(start, end);
  const significant = numberText.replace('.', '').replace(/^0+/, '');
  if (significant.length > SIGNIFICANT_DIGITS) {
    throw new FaultError('SYNTAX', span, 'The number has too many digits to be kept exactly.', {
      expected: `at most ${SIGNIFICANT_DIGITS} significant digits`,
    });
  }
  return { kind: 'number', value: Number(numberText), ...span };
}

function stringAt(text: string, start: number, quote: string): Token {
  let value = '';
  let at = start + 1;
  for (;;) {
    const char = text[at];
    if (char === undefined || char === '\n' || char === '\r') {
      throw new FaultError('SYNTAX', { start, end: at }, 'The text in quotes does not end.', {
        expected: quote,
      });
    }
    if (char === quote) return { kind: 'string', value, start, end: at + 1 };
    if (char < ' ' || char === '\u007f') {
      throw new FaultError(
        'SYNTAX',
        { start: at, end: at + 1 },
        'Control characters are not allowed in quotes.',
      );
    }
    if (char !== '\\') {
      value += char;
      at += 1;
      continue;
    }
    const escaped = ESCAPES.get(text[at + 1] ?? '');
    if (escaped === undefined) {
      throw new FaultError('SYNTAX', { start: at, end: at + 2 }, 'This escape does not exist.', {
        expected: String.raw`one of \\ \" \' \n \t`,
      });
    }
    value += escaped;
    at += 2;
  }
}
