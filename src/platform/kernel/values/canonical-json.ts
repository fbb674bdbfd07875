/**
 * Writes a value as RFC 8785 (JCS) JSON: no spaces, keys sorted by UTF-16 code units, numbers and strings as ECMAScript
 * writes them. Equal content gives equal text in any order of its keys, so the text can be hashed. Like `JSON.stringify`
 * it honours `toJSON()` and leaves out undefined properties. Unlike `JSON.stringify`, it throws for values that JSON
 * lacks (NaN, a function, a bigint, an undefined item, a lone surrogate) rather than write something else.
 */
export function canonicalJson(value: unknown): string {
  return write(value, '');
}

/** Writes an object like `canonicalJson`, without its own key `omitted`; nested objects keep that key. */
export function canonicalJsonWithout(omitted: string, object: Readonly<Record<string, unknown>>): string {
  return writeObject(object, omitted);
}

function write(value: unknown, key: string): string {
  switch (typeof value) {
    case 'string':
      return quoteText(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError('canonical JSON has no non-finite numbers');
      return String(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (hasToJson(value)) return write(value.toJSON(key), key);
      return Array.isArray(value)
        ? writeArray(value)
        : writeObject(value as Readonly<Record<string, unknown>>);
    case 'undefined':
    case 'bigint':
    case 'symbol':
    case 'function':
      throw new TypeError(`canonical JSON has no ${typeof value}`);
  }
}

const hasToJson = (value: object): value is { toJSON(key: string): unknown } =>
  'toJSON' in value && typeof value.toJSON === 'function';

function writeArray(items: readonly unknown[]): string {
  let text = '[';
  for (let i = 0; i < items.length; i += 1) {
    text += (i === 0 ? '' : ',') + write(items[i], String(i));
  }
  return text + ']';
}

function writeObject(object: Readonly<Record<string, unknown>>, omitted?: string): string {
  let text = '{';
  let isFirst = true;
  for (const key of sortedKeys(object)) {
    const value = object[key];
    if (value === undefined || key === omitted) continue;
    if (!isFirst) text += ',';
    isFirst = false;
    text += quotedNameOf(key) + write(value, key);
  }
  return text + '}';
}

const MAX_CACHED_NAMES = 2_000;
const MAX_NAME_LENGTH = 40;
const names = new Map<string, string>();

/** Returns a key in quotes, with its colon. The cache pays because the same few hundred keys recur. */
function quotedNameOf(key: string): string {
  let name = names.get(key);
  if (name === undefined) {
    name = `${quoteText(key)}:`;
    if (names.size < MAX_CACHED_NAMES && key.length <= MAX_NAME_LENGTH) names.set(key, name);
  }
  return name;
}

function sortedKeys(object: object): readonly string[] {
  const keys = Object.keys(object);
  // Insertion sort is faster for a dozen keys that are mostly in the same order. Larger objects use the engine's sort.
  if (keys.length > 24) return keys.sort();
  for (let i = 1; i < keys.length; i += 1) {
    const key = keys[i] ?? '';
    let j = i - 1;
    for (; j >= 0 && (keys[j] ?? '') > key; j -= 1) keys[j + 1] = keys[j] ?? '';
    keys[j + 1] = key;
  }
  return keys;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
// With the u flag, a surrogate pair is one character, so only a lone surrogate matches.
const LONE_SURROGATE = /\p{Surrogate}/u;

function quoteText(text: string): string {
  // A scan of short plain text takes a third of the time of JSON.stringify, and nearly all texts are short and plain.
  if (text.length > 48) return escapeText(text);
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code === QUOTE || code === BACKSLASH || code >= 0xd800) return escapeText(text);
  }
  return `"${text}"`;
}

function escapeText(text: string): string {
  if (LONE_SURROGATE.test(text)) throw new TypeError('canonical JSON has no lone surrogates');
  return JSON.stringify(text);
}
