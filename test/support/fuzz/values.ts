import fc from 'fast-check';
import { resolved, isObjectSchema, type ApiDocument, type Schema } from '../openapi.js';

/** Stands in what a caller sends and nowhere else: an error or a log line that holds it repeats what it was given. */
export const CANARY = 'kanarien4711vogel';

/** The value as JSON; what JSON has no form for is nothing. */
export function jsonOf(value: unknown): string {
  const text: unknown = JSON.stringify(value);
  return typeof text === 'string' ? text : '';
}

/** A value that answers seen so far provide: an id, a key, a cursor. Which of them is decided when it is sent. */
export class FromAnswers {
  constructor(
    readonly kind: string,
    readonly pick: number,
    readonly otherwise: unknown,
  ) {}
}

/** A value that is put into the URL as it stands. */
export class Raw {
  constructor(readonly text: string) {}
}

const PUBLIC_ID = /^([a-z]{2,4})_(?:[0-9a-f]{32}|[\w-]{43,})$/;

/** Returns the prefix of a public id or of a token; null for any other value. */
export const prefixOf = (value: unknown): string | null =>
  PUBLIC_ID.exec(typeof value === 'string' ? value : '')?.[1] ?? null;

/** Stands for one of a list whose length is not known yet; each as likely as the others. */
export const anyOne = fc.noBias(fc.nat());

export const pickFrom = <T>(list: readonly T[], pick: number): T | undefined => list[pick % list.length];

/** Something that earlier answers gave, whichever it is when the request goes out. */
export const fromAnswers = (kind: string, otherwise: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(anyOne, otherwise).map(([pick, instead]) => new FromAnswers(kind, pick, instead));

/** Returns the same value with ids of its kind that answers gave in the place of each id. */
export function revived(value: unknown, pick: number): unknown {
  if (Buffer.isBuffer(value)) return value;
  if (Array.isArray(value)) return value.map((item) => revived(item, pick));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, revived(member, pick)]));
  }
  const prefix = prefixOf(value);
  return prefix === null ? value : new FromAnswers(prefix, pick, value);
}

const SQL = [`' OR '1'='1`, `'; SELECT pg_sleep(5); --`, `1) UNION SELECT NULL--`, `$1`, `%' ESCAPE '!`];
const MARKUP = [`<script>${CANARY}</script>`, `"><img src=x onerror=1>`, '{{7*7}}', '${7*7}', '<!DOCTYPE x>'];
const PATHS = [`../../../etc/${CANARY}`, '..\\..\\windows', 'file:///etc/passwd', 'http://169.254.169.254/'];
const UNICODE = [
  '\u202E' + CANARY,
  '\uFEFF',
  'é'.normalize('NFD').repeat(40),
  '👩‍👩‍👧‍👦'.repeat(20),
  '\uFFFF',
  'İ',
  'ß',
];
const NOT_TEXT = [
  '\u0000',
  `${CANARY}\u0000`,
  '\uD800',
  `\uDC00${CANARY}`,
  '\u0001\u001F\u007F',
  'a\r\nX-Evil: 1',
];
const TIMES = [
  '2026-02-30T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  '0001-01-01T00:00:00Z',
  '2026-11-20T24:00:00Z',
  '2026-11-20T12:00:60Z',
  '2026-11-20T12:00:00+99:99',
  '294277-01-01T00:00:00Z',
  '1900-01-01',
];
const NUMBERS = [
  '-1',
  '0',
  '2147483648',
  '9223372036854775808',
  '1e309',
  'NaN',
  '0x10',
  '-0',
  '1_000',
  '٣',
  '１',
];
const PROTOTYPE = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'length'];

/** Text that programs stumble over. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...SQL, ...MARKUP, ...PATHS, ...UNICODE, ...NOT_TEXT, ...TIMES, ...NUMBERS, ...PROTOTYPE),
  fc.constantFrom(
    '',
    ' ',
    CANARY,
    `${CANARY}@x.example`,
    `=cmd|'${CANARY}'!A0`,
    '(a+)+$',
    'null',
    'undefined',
  ),
  fc.constantFrom(300, 9_000).map((length) => CANARY.padEnd(length, 'x')),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);

const hostileNumber: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(
    0,
    -0,
    -1,
    0.1,
    1e-7,
    2 ** 31,
    -(2 ** 31) - 1,
    2 ** 53,
    2 ** 53 + 2,
    2 ** 63,
    1e21,
    1e308,
    5e-324,
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
);

/** Any value of JSON, with a preference for what does harm. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 3, arbitrary: hostileNumber },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { a: { b: CANARY } }),
  },
  { weight: 1, arbitrary: fc.constantFrom(20, 40, 400).map(nested) },
  {
    weight: 1,
    arbitrary: fc.dictionary(fc.oneof(fc.constantFrom(...PROTOTYPE), fc.string()), hostileText, {
      maxKeys: 4,
    }),
  },
  { weight: 1, arbitrary: fc.array(hostileText, { maxLength: 5 }) },
  { weight: 1, arbitrary: fc.constant(Array.from({ length: 1_200 }, (_, i) => i)) },
);

function nested(depth: number): unknown {
  let value: unknown = CANARY;
  for (let i = 0; i < depth; i += 1) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Values that conform to the schema, as far as the schema says what conforms. */
export function valid(document: ApiDocument, given: Schema, depth = 0): fc.Arbitrary<unknown> {
  const schema = merged(document, given);
  const example = schema['example'];
  const prefix = prefixOf(example);
  if (prefix !== null) return fromAnswers(prefix, fc.constant(example));
  const generated = generatedFrom(document, schema, depth);
  // Where something is to be sent to: the receiver of the test, which is there.
  if (schema['format'] === 'uri' || String(example).startsWith('https://hooks')) {
    return fromAnswers('url', generated);
  }
  if (example === undefined) return generated;
  const shown = anyOne.map((pick) => revived(example, pick));
  return fc.oneof({ weight: 2, arbitrary: generated }, { weight: 5, arbitrary: shown });
}

function generatedFrom(document: ApiDocument, schema: Schema, depth: number): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  const alternatives = (schema['oneOf'] ?? schema['anyOf']) as Schema[] | undefined;
  if (alternatives && alternatives.length > 0) {
    return fc.oneof(...alternatives.map((one) => valid(document, one, depth)));
  }
  if (Array.isArray(schema['type'])) {
    const types = schema['type'] as string[];
    return fc.oneof(...types.map((type) => generatedFrom(document, { ...schema, type }, depth)));
  }
  if (isObjectSchema(schema)) return objects(document, schema, depth);
  switch (schema['type']) {
    case 'array': {
      const minLength = Number(schema['minItems'] ?? 0);
      const maxLength = Math.min(Number(schema['maxItems'] ?? 4), Math.max(minLength, depth > 3 ? 0 : 4));
      const [first] = [schema['example']].flat();
      const items = valid(
        document,
        { ...(prefixOf(first) !== null && { example: first }), ...(schema['items'] as Schema) },
        depth + 1,
      );
      if (schema['uniqueItems'] !== true) return fc.array(items, { minLength, maxLength });
      return fc.uniqueArray(items, { minLength, maxLength, selector: (item) => JSON.stringify(item) });
    }
    case 'integer':
      return fc.integer({
        min: Number(schema['minimum'] ?? -5),
        max: Math.max(
          Number(schema['minimum'] ?? -5),
          Math.min(Number(schema['maximum'] ?? 1_000), 2 ** 31 - 1),
        ),
      });
    case 'number':
      return numbers(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'string':
      return texts(schema);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

const openKeys = fc.stringMatching(/^[a-z]{1,8}$/);

function objects(document: ApiDocument, schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
  const required = (schema['required'] ?? []) as string[];
  const members = properties
    .filter(([name]) => depth < 5 || required.includes(name))
    .map(([name, property]) => [name, valid(document, property, depth + 1)] as const);
  const others = schema['additionalProperties'];
  const open =
    typeof others === 'object' && others !== null ? valid(document, others as Schema, depth + 1) : null;
  const named = fc.record(Object.fromEntries(members), {
    requiredKeys: members.map(([name]) => name).filter((name) => required.includes(name)),
  });
  return open === null
    ? named
    : fc.tuple(named, fc.dictionary(openKeys, open, { maxKeys: 3 })).map(([a, b]) => ({ ...b, ...a }));
}

function numbers(schema: Schema): fc.Arbitrary<number> {
  const least = Number(schema['minimum'] ?? schema['exclusiveMinimum'] ?? 0);
  const most = Number(schema['maximum'] ?? schema['exclusiveMaximum'] ?? 1_000_000);
  const steps = Math.min(100 * (most - least), 1e9);
  return fc
    .integer({ min: 'exclusiveMinimum' in schema ? 1 : 0, max: Math.max(1, steps) })
    .map((step) => least + step / 100);
}

const instants = fc
  .date({ min: new Date('2025-01-01T00:00:00Z'), max: new Date('2027-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString());

// Made once for the same constraints: to take a pattern apart costs far more than to draw from it.
const madeTexts = new Map<string, fc.Arbitrary<string>>();

function texts(schema: Schema): fc.Arbitrary<string> {
  const { minLength, maxLength, format, pattern } = schema;
  const constraints = JSON.stringify([minLength, maxLength, format, pattern]);
  const made = madeTexts.get(constraints) ?? newTexts(schema);
  madeTexts.set(constraints, made);
  return made;
}

function newTexts(schema: Schema): fc.Arbitrary<string> {
  const minLength = Number(schema['minLength'] ?? 0);
  const maxLength = Math.max(minLength, Math.min(Number(schema['maxLength'] ?? 60), 60));
  switch (schema['format']) {
    case 'date-time':
      return instants;
    case 'date':
      return instants.map((text) => text.slice(0, 10));
    case 'uri':
      // Names that no resolver knows (RFC 2606).
      return fc.stringMatching(/^https:\/\/[a-z]{3,8}\.invalid\/[a-z]{0,8}$/);
    case 'email':
      return fc.stringMatching(/^[a-z]{3,10}@[a-z]{3,8}\.example$/);
    default:
      break;
  }
  if (typeof schema['pattern'] === 'string') {
    return fc
      .stringMatching(new RegExp(schema['pattern'], 'u'))
      .map((text) => text.slice(0, Number(schema['maxLength'] ?? text.length)));
  }
  return fc.oneof(
    fc.string({ unit: 'grapheme-ascii', minLength, maxLength }),
    fc.string({ unit: fc.constantFrom(...'aáçãõ ZÉ019-_.'), minLength, maxLength }),
  );
}

/** The schema without references, and with what `allOf` adds to it. */
function merged(document: ApiDocument, given: Schema): Schema {
  const { allOf, ...own } = resolved(document, given) as Schema & { readonly allOf?: readonly Schema[] };
  return (allOf ?? []).reduce<Schema>((whole, part) => ({ ...merged(document, part), ...whole }), own);
}

type Path = readonly (string | number)[];

/** The path of every value inside, the whole first. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  const isWhole = value instanceof FromAnswers || Buffer.isBuffer(value);
  if (typeof value !== 'object' || value === null || isWhole) return [path];
  const inside = Object.entries(value as Record<string, unknown>).flatMap(([key, member]) =>
    pathsOf(member, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return [path, ...inside];
}

function changedAt(value: unknown, path: Path, change: (before: unknown) => unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return change(value);
  if (Array.isArray(value)) {
    return value.map((item, i) => (i === first ? changedAt(item, rest, change) : item) as unknown);
  }
  const source = value as Record<string, unknown>;
  return { ...source, [first]: changedAt(source[first], rest, change) };
}

/** Values that are wrong in one place. */
export function nearlyValid(whole: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const change = fc.oneof(
    hostileValue.map((value) => (): unknown => value),
    fc.constant((): unknown => undefined),
    fc.constant((before: unknown): unknown => [before]),
    fc.constant((before: unknown): unknown => jsonOf(before)),
    fc.constant((before: unknown): unknown => (typeof before === 'string' ? before.repeat(200) : before)),
    fc.constant((before: unknown): unknown => (typeof before === 'string' ? `${before} ` : null)),
    fc.tuple(fc.constantFrom(...PROTOTYPE, 'id', 'organisationId', 'status', 'role'), hostileValue).map(
      ([name, value]) =>
        (before: unknown): unknown =>
          typeof before === 'object' && before !== null && !Array.isArray(before)
            ? Object.defineProperty({ ...before }, name, { value, enumerable: true })
            : value,
    ),
  );
  return fc.tuple(whole, fc.nat(), change).map(([value, where, how]) => {
    const paths = pathsOf(value);
    return changedAt(value, paths[where % paths.length] ?? [], how);
  });
}

const DUPLICATE = `{"name":"${CANARY}","name":"b"}`;

/** Bodies that need not be JSON at all. */
export const hostileBody: fc.Arbitrary<Buffer> = fc.oneof(
  hostileValue.map((value) => Buffer.from(jsonOf(value))),
  fc
    .constantFrom(
      '',
      ' ',
      '{',
      '[',
      '"',
      '{"a":}',
      '{"a":1,}',
      `{"${CANARY}`,
      DUPLICATE,
      '{"__proto__":{"isAdmin":true}}',
      '{"constructor":{"prototype":{"isAdmin":true}}}',
      '{"amount":1e400}',
      '{"amount":-1e-400}',
      `{"amount":${'9'.repeat(400)}}`,
      '{"a":"\\ud800"}',
      '{"a":"\\u0000"}',
      '\uFEFF{}',
      'null',
      'true',
      '0',
      `"${CANARY}"`,
      '{}{}',
      '{}\n{}',
      `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>`,
      'a=1&b=2',
    )
    .map((text) => Buffer.from(text)),
  fc.constantFrom('[', '{"a":').map((text) => Buffer.from(text.repeat(9_000))),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.constant(Buffer.from(`{"a":"${CANARY.padEnd(70_000, 'x')}"}`)),
  fc.constant(Buffer.from('{"a":"é"}', 'latin1')),
  fc.constant(Buffer.from('{"a":1}', 'utf16le')),
);
