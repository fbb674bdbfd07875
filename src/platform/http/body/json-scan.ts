import { isUtf8 } from 'node:buffer';
import { ALWAYS_EXACT_LENGTH, numberProblem } from './json-number.js';
import { syntaxFaultAt } from './json-fault.js';
import { safeFieldName } from '../errors/field-name.js';

export interface JsonLimits {
  /** Levels of nested objects and arrays; at most 255. */
  readonly maxDepth: number;
  /** Keys of all objects together. */
  readonly maxKeys: number;
  /** Bytes of one string or key as written, with its escapes. */
  readonly maxStringLength: number;
}

export const DEFAULT_JSON_LIMITS: JsonLimits = { maxDepth: 32, maxKeys: 1_000, maxStringLength: 8_192 };

const CODE_OF_REASON = {
  SYNTAX: 'MALFORMED_JSON',
  INVALID_UTF8: 'MALFORMED_JSON',
  DEPTH_EXCEEDED: 'VALIDATION_FAILED',
  TOO_MANY_KEYS: 'VALIDATION_FAILED',
  FORBIDDEN_KEY: 'VALIDATION_FAILED',
  DUPLICATE_KEY: 'VALIDATION_FAILED',
  NUL_CHARACTER: 'VALIDATION_FAILED',
  LONE_SURROGATE: 'VALIDATION_FAILED',
  NUMBER_OUT_OF_RANGE: 'VALIDATION_FAILED',
  NUMBER_TOO_PRECISE: 'VALIDATION_FAILED',
  STRING_TOO_LONG: 'VALIDATION_FAILED',
} as const;
export type JsonProblemReason = keyof typeof CODE_OF_REASON;

/** Why and where a body is refused. The path has no value, and no key that could be personal data. */
export interface JsonProblem {
  readonly code: (typeof CODE_OF_REASON)[JsonProblemReason];
  readonly reason: JsonProblemReason;
  readonly path: string;
  /** Byte offset of the problem; null if it has no single position. */
  readonly at: number | null;
}

export type JsonParse =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: JsonProblem };

/**
 * Scans a raw body once for problems that `JSON.parse` accepts. Exact for valid JSON; invalid JSON may pass, because
 * the parser will refuse it.
 */
export function scanJson(bytes: Buffer, limits: JsonLimits = DEFAULT_JSON_LIMITS): JsonProblem | null {
  const scan = new JsonScan(bytes, limits);
  const reason = scan.run();
  return reason === null ? null : problemAt(bytes, reason, scan.position);
}

export function parseJsonBody(bytes: Buffer, limits: JsonLimits = DEFAULT_JSON_LIMITS): JsonParse {
  const scan = new JsonScan(bytes, limits);
  const reason = scan.run();
  if (reason !== null) return { ok: false, problem: problemAt(bytes, reason, scan.position) };
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString(scan.isAscii ? 'latin1' : 'utf8', startOf(bytes)));
  } catch {
    // The parser's message quotes the body, so it is dropped.
    return { ok: false, problem: makeProblem('SYNTAX', '', syntaxFaultAt(bytes)) };
  }
  // JSON.parse keeps the last of several equal keys; another program may keep the first and so read another body.
  // Comparing the numbers of keys costs far less than storing the keys of each object.
  if (countKeys(value) !== scan.keys) return { ok: false, problem: duplicateKeyProblem(bytes) };
  return { ok: true, value };
}

const [QUOTE, COMMA, HYPHEN, ZERO, NINE, COLON] = [0x22, 0x2c, 0x2d, 0x30, 0x39, 0x3a];
const [OPEN_BRACKET, BACKSLASH, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5c, 0x5d, 0x7b, 0x7d];
const [LOWER_U, LOWER_C, LOWER_P, UNDERSCORE] = [0x75, 0x63, 0x70, 0x5f];
const FIRST_NON_ASCII = 0x80;

/** The bytes inside a string that need handling: quote, backslash, U+0000 and all bytes that are not ASCII. */
const SPECIAL_IN_STRING = new Uint8Array(256).fill(1, FIRST_NON_ASCII);
for (const byte of [0, QUOTE, BACKSLASH]) SPECIAL_IN_STRING[byte] = 1;

const IN_NUMBER = new Uint8Array(256).fill(1, ZERO, NINE + 1);
for (const character of '+-.') IN_NUMBER[character.charCodeAt(0)] = 1;
const EXPONENT = 2;
for (const character of 'eE') IN_NUMBER[character.charCodeAt(0)] = EXPONENT;

const HEX_VALUE = new Int8Array(256).fill(-1);
for (let digit = 0; digit < 16; digit += 1) {
  const hexDigit = digit.toString(16);
  HEX_VALUE[hexDigit.charCodeAt(0)] = digit;
  HEX_VALUE[hexDigit.toUpperCase().charCodeAt(0)] = digit;
}

// By depth, 1 if the open container is an object, 0 for an array. Shared by all scans, because a scan is synchronous.
const isObjectAt = new Uint8Array(256);

class JsonScan {
  keys = 0;
  isAscii = true;
  /** Offset of the problem, once there is one. */
  position = 0;
  private reason: JsonProblemReason | null = null;

  constructor(
    private readonly bytes: Buffer,
    private readonly limits: JsonLimits,
  ) {}

  /** Returns the first reason to refuse the body and sets `position`; null if the body is acceptable. */
  run(): JsonProblemReason | null {
    const { bytes, limits } = this;
    const end = bytes.length;
    let depth = 0;
    let isAtKey = false;
    for (let at = startOf(bytes); at < end;) {
      const byte = bytes[at] ?? 0;
      if (byte === QUOTE) {
        at = this.passString(at, isAtKey);
        isAtKey = false;
      } else if ((byte >= ZERO && byte <= NINE) || byte === HYPHEN) {
        at = this.passNumber(at);
      } else {
        if (byte === COMMA) {
          isAtKey = isObjectAt[depth] === 1;
        } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
          depth += 1;
          if (depth > limits.maxDepth) return this.refuse('DEPTH_EXCEEDED', at);
          isAtKey = byte === OPEN_BRACE;
          isObjectAt[depth] = isAtKey ? 1 : 0;
        } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
          if (depth === 0) return this.refuse('SYNTAX', at);
          depth -= 1;
        } else if (byte === 0) {
          return this.refuse('NUL_CHARACTER', at);
        } else if (byte >= FIRST_NON_ASCII) {
          this.isAscii = false;
        }
        at += 1;
      }
      if (this.reason !== null) return this.reason;
    }
    return this.isAscii || isUtf8(bytes) ? null : this.seekInvalidUtf8();
  }

  private refuse(reason: JsonProblemReason, at: number): JsonProblemReason {
    this.reason = reason;
    this.position = at;
    return reason;
  }

  /** Checks the string that begins at `open`, and its rules for keys if `isKey`. Returns the offset after it. */
  private passString(open: number, isKey: boolean): number {
    const { bytes, limits } = this;
    const start = open + 1;
    let at = start;
    let hasEscape = false;
    for (;;) {
      at = plainEnd(bytes, at);
      const byte = bytes[at];
      if (byte === QUOTE || byte === undefined) break;
      if (byte === BACKSLASH) {
        const length = escapeLength(bytes, at);
        if (length <= 0) {
          this.refuse(length === NUL_ESCAPE ? 'NUL_CHARACTER' : 'LONE_SURROGATE', at);
          return at;
        }
        hasEscape = true;
        at += length;
      } else if (byte === 0) {
        this.refuse('NUL_CHARACTER', at);
        return at;
      } else {
        this.isAscii = false;
        at += 1;
      }
    }
    if (at - start > limits.maxStringLength) this.refuse('STRING_TOO_LONG', open);
    if (isKey) {
      this.keys += 1;
      if (this.keys > limits.maxKeys) this.refuse('TOO_MANY_KEYS', open);
      else if (isForbiddenKey(bytes, start, at, hasEscape)) this.refuse('FORBIDDEN_KEY', open);
    }
    return at + 1;
  }

  private passNumber(start: number): number {
    const { bytes } = this;
    let at = start;
    let digitCount = 0;
    for (;;) {
      const kind = IN_NUMBER[bytes[at] ?? 0] ?? 0;
      if (kind === 0) break;
      digitCount |= kind;
      at += 1;
    }
    if (at - start > ALWAYS_EXACT_LENGTH || (digitCount & EXPONENT) !== 0) {
      const reason = numberProblem(bytes.toString('latin1', start, at));
      if (reason !== null) this.refuse(reason, start);
    }
    return at;
  }

  private seekInvalidUtf8(): JsonProblemReason {
    const culprit = findToken(this.bytes, ({ start, end }) => !isUtf8(this.bytes.subarray(start, end)));
    // Invalid bytes outside of strings have no path: the body is not JSON.
    this.position = culprit?.start ?? this.bytes.length;
    const text = this.bytes.toString('latin1', culprit?.start, culprit?.end);
    return ENCODED_SURROGATE.test(text) ? 'LONE_SURROGATE' : 'INVALID_UTF8';
  }
}

/** A surrogate that is encoded as if it were a character (CESU-8). */
const ENCODED_SURROGATE = /\xed[\xa0-\xbf]/;

/** Returns the offset of the JSON: some programs on Windows write a byte order mark before it. */
const startOf = (bytes: Buffer): number =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;

/** Returns the end of the run of plain bytes. A separate function, because V8 compiles it to a faster loop. */
function plainEnd(bytes: Buffer, start: number): number {
  let at = start;
  // Past the end, `?? 0` looks up U+0000, which is special, so the loop ends without another test.
  while (SPECIAL_IN_STRING[bytes[at] ?? 0] === 0) at += 1;
  return at;
}

const NUL_ESCAPE = 0;
const LONE_ESCAPE = -1;

/** Returns the length of the escape at `at` (of both for a surrogate pair), NUL_ESCAPE or LONE_ESCAPE. */
function escapeLength(bytes: Buffer, at: number): number {
  if (bytes[at + 1] !== LOWER_U) return 2;
  const unit = hexUnit(bytes, at + 2);
  if (unit === 0) return NUL_ESCAPE;
  if ((unit & 0xf800) !== 0xd800) return 2;
  const isPair =
    unit < 0xdc00 &&
    bytes[at + 6] === BACKSLASH &&
    bytes[at + 7] === LOWER_U &&
    (hexUnit(bytes, at + 8) & 0xfc00) === 0xdc00;
  return isPair ? 12 : LONE_ESCAPE;
}

/** Parses four hexadecimal digits; negative if one of them is not a hexadecimal digit. */
function hexUnit(bytes: Buffer, at: number): number {
  let unit = 0;
  for (let i = at; i < at + 4; i += 1) {
    const digit = HEX_VALUE[bytes[i] ?? 0] ?? -1;
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

function isForbiddenKey(bytes: Buffer, start: number, end: number, hasEscape: boolean): boolean {
  if (!hasEscape) {
    const length = end - start;
    const first = bytes[start];
    // The length or the first byte excludes nearly every key, without decoding it.
    if (length !== 9 && length !== 11) return false;
    if (first !== UNDERSCORE && first !== LOWER_C && first !== LOWER_P) return false;
  }
  return FORBIDDEN_KEYS.has(keyText(bytes, start - 1, end + 1) ?? '');
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) if (typeof item === 'object') count += countKeys(item);
    return count;
  }
  const object = value as Readonly<Record<string, unknown>>;
  for (const key in object) {
    count += 1;
    const member = object[key];
    if (typeof member === 'object') count += countKeys(member);
  }
  return count;
}

const makeProblem = (reason: JsonProblemReason, path: string, at: number | null): JsonProblem => ({
  code: CODE_OF_REASON[reason],
  reason,
  path,
  at,
});

// --- The functions below run only for a body that is refused. ---

function problemAt(bytes: Buffer, reason: JsonProblemReason, position: number): JsonProblem {
  const culprit = findToken(bytes, ({ end }) => end > position);
  return makeProblem(reason, culprit?.path ?? '', culprit?.start ?? Math.min(position, bytes.length));
}

function duplicateKeyProblem(bytes: Buffer): JsonProblem {
  const keysOf = new WeakMap<object, Set<string>>();
  const culprit = findToken(bytes, ({ key, container }) => {
    if (key === null || container === undefined) return false;
    const keys = keysOf.get(container) ?? new Set();
    keysOf.set(container, keys);
    return keys.size === keys.add(key).size;
  });
  return makeProblem('DUPLICATE_KEY', culprit?.path ?? '', culprit?.start ?? null);
}

/** An open object or array, with the current key or index in it. */
interface Container {
  readonly isObject: boolean;
  key: string | null;
  index: number;
}

interface Token {
  readonly start: number;
  readonly end: number;
  /** The text of a key; null if the token is not a key. */
  readonly key: string | null;
  readonly container: Container | undefined;
}

/** Finds the first token of the body for which `isWanted` is true, with its path. */
function findToken(
  bytes: Buffer,
  isWanted: (token: Token) => boolean,
): (Pick<Token, 'start' | 'end'> & { readonly path: string }) | null {
  const containers: Container[] = [];
  let isAtKey = false;
  for (let start = startOf(bytes); start < bytes.length;) {
    const byte = bytes[start];
    const end = tokenEnd(bytes, start);
    const container = containers.at(-1);
    if (byte === COMMA && container) {
      isAtKey = container.isObject;
      container.index += 1;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      containers.pop();
    } else if (byte !== undefined && byte > 0x20 && byte !== COLON) {
      const key = isAtKey && byte === QUOTE ? (keyText(bytes, start, end) ?? '') : null;
      if (key !== null && container) container.key = key;
      if (isWanted({ start, end, key, container })) return { start, end, path: pathOf(containers) };
      isAtKey = byte === OPEN_BRACE;
      if (isAtKey || byte === OPEN_BRACKET) containers.push({ isObject: isAtKey, key: null, index: 0 });
    }
    start = end;
  }
  return null;
}

function tokenEnd(bytes: Buffer, start: number): number {
  let at = start + 1;
  if (bytes[start] === QUOTE) {
    while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    return Math.min(at + 1, bytes.length);
  }
  if (IN_NUMBER[bytes[start] ?? 0] !== 0) {
    while (IN_NUMBER[bytes[at] ?? 0] !== 0) at += 1;
  }
  return at;
}

/** Returns the text of the quoted key between two offsets; null if it is not valid JSON. */
function keyText(bytes: Buffer, start: number, end: number): string | null {
  try {
    const key: unknown = JSON.parse(bytes.toString('utf8', start, end));
    return typeof key === 'string' ? key : null;
  } catch {
    return null;
  }
}

function pathOf(containers: readonly Container[]): string {
  let path = '';
  for (const { isObject, key, index } of containers) {
    if (!isObject) path += `[${index}]`;
    else if (key !== null) path += (path === '' ? '' : '.') + safeFieldName(key);
  }
  return path;
}
