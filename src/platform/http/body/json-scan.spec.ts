import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  DEFAULT_JSON_LIMITS,
  parseJsonBody,
  scanJson,
  type JsonLimits,
  type JsonProblem,
} from './json-scan.js';
import { runsInPart } from '../../../../test/support/needs.js';

const problemOf = (body: string | Buffer, limits: JsonLimits = DEFAULT_JSON_LIMITS): JsonProblem | null => {
  const result = parseJsonBody(Buffer.from(body as string), limits);
  return result.ok ? null : result.problem;
};
const valueOf = (body: string | Buffer): unknown => {
  const result = parseJsonBody(Buffer.from(body as string));
  return result.ok ? result.value : result.problem;
};
/** Bytes that count how often one of them is read, alone or as a part of a text. */
function counted(body: string): { readonly bytes: Buffer; readonly reads: () => number } {
  const plain = Buffer.from(body);
  let reads = 0;
  const bytes = new Proxy(plain, {
    get(target, name) {
      if (name === 'toString') {
        return (encoding: BufferEncoding, start = 0, end = target.length) => {
          reads += end - start;
          return target.toString(encoding, start, end);
        };
      }
      if (name !== 'length') reads += 1;
      return Reflect.get(target, name, target) as unknown;
    },
  });
  return { bytes, reads: () => reads };
}
const nested = (depth: number): string => '{"a":['.repeat(depth / 2) + ']}'.repeat(depth / 2);

describe('parseJsonBody', () => {
  it.each([
    ['{"a":{"b":[1,2,{"c":"\\u0000"}]}}', 'NUL_CHARACTER', 'a.b[2].c'],
    ['{"a":"x\u0000"}', 'NUL_CHARACTER', 'a'],
    ['{"a":1,\u0000"b":2}', 'NUL_CHARACTER', 'b'],
    ['{"\\u0000":1}', 'NUL_CHARACTER', '?'],
    ['{"a":["ok","\\ud800"]}', 'LONE_SURROGATE', 'a[1]'],
    ['{"a":"\\ud800\\u0041"}', 'LONE_SURROGATE', 'a'],
    ['{"a":"\\udc00\\ud800"}', 'LONE_SURROGATE', 'a'],
    ['{"metadata":{"__proto__":{}}}', 'FORBIDDEN_KEY', 'metadata.__proto__'],
    ['{"\\u005f_proto__":1}', 'FORBIDDEN_KEY', '__proto__'],
    ['{"a":[{"constructor":1}]}', 'FORBIDDEN_KEY', 'a[0].constructor'],
    ['{"prototype":1}', 'FORBIDDEN_KEY', 'prototype'],
    ['{"a":1e400}', 'NUMBER_OUT_OF_RANGE', 'a'],
    ['[0,-1E+999]', 'NUMBER_OUT_OF_RANGE', '[1]'],
    ['{"a":1e-400}', 'NUMBER_OUT_OF_RANGE', 'a'],
    [`{"a":${'9'.repeat(400)}}`, 'NUMBER_TOO_PRECISE', 'a'],
    [`{"a":1${'0'.repeat(400)}}`, 'NUMBER_OUT_OF_RANGE', 'a'],
    ['{"a":0.123456789012345678}', 'NUMBER_TOO_PRECISE', 'a'],
    ['{"a":9007199254740993}', 'NUMBER_TOO_PRECISE', 'a'],
    ['{"a":{"b":1,"c":2,"b":3}}', 'DUPLICATE_KEY', 'a.b'],
    ['[{"a":1},{"a":1,"\\u0061":1}]', 'DUPLICATE_KEY', '[1].a'],
    ['{"111.444.777-35":"\\u0000"}', 'NUL_CHARACTER', '*'],
    ['{"a@b.c":{"x":"\\u0000"}}', 'NUL_CHARACTER', '?.x'],
  ])('refuses %j as %s at %j', (body, reason, path) => {
    expect(problemOf(body)).toMatchObject({ code: 'VALIDATION_FAILED', reason, path });
  });

  it.each([
    [''],
    [' '],
    ['{'],
    ['{"a":1}}'],
    ['{"a"'],
    ['"abc'],
    ['"\\'],
    ['"\\u12'],
    ['nul'],
    ['{a:1}'],
    ['01'],
    ['+1'],
    ['1 2'],
  ])('calls %j malformed', (body) => {
    expect(problemOf(body)).toMatchObject({ code: 'MALFORMED_JSON', reason: 'SYNTAX', path: '' });
  });

  it.each([
    ['{"a":["', [0xff], '"]}', 'INVALID_UTF8', 'a[0]'],
    ['{"a":"', [0xc3], '"}', 'INVALID_UTF8', 'a'],
    ['{"a":"é', [0xc0, 0x80], '"}', 'INVALID_UTF8', 'a'],
    ['{"a":"', [0xed, 0xa0, 0x80], '"}', 'LONE_SURROGATE', 'a'],
    ['{"a":1}', [0xff], '', 'INVALID_UTF8', ''],
  ])('refuses bytes that are not UTF-8: %s %j', (before, bytes, after, reason, path) => {
    const body = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
    expect(problemOf(body)).toMatchObject({ reason, path });
  });

  it.each([
    ['{"a":"\\ud83d\\ude00\\u00e9é😀\\u0001\\"\\\\"}', { a: '😀éé😀\u0001"\\' }],
    ['\ufeff{"a":1}', { a: 1 }],
    [
      '{"proto":1,"_proto___":2,"constructo":3,"constructors":4}',
      { proto: 1, _proto___: 2, constructo: 3, constructors: 4 },
    ],
    ['["__proto__","constructor"]', ['__proto__', 'constructor']],
    ['[1.50,0.000000000000000000000,100000000000000000000,0.10000000000000001]', [1.5, 0, 1e20, 0.1]],
    ['[9007199254740991,18014398509481984,-0]', [2 ** 53 - 1, 2 ** 54, -0]],
    ['[{"a":1},{"a":1}]', [{ a: 1 }, { a: 1 }]],
    ['"text"', 'text'],
    ['{}', {}],
  ])('accepts %s', (body, value) => {
    expect(valueOf(body)).toEqual(value);
  });

  it('keeps to its limits, to the unit', () => {
    // ASVS 1.4.2
    const { maxDepth, maxKeys, maxStringLength } = DEFAULT_JSON_LIMITS;
    const keys = (count: number): string =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 0])));
    const text = (length: number): string => JSON.stringify({ a: 'é'.repeat(length / 2) });
    expect([nested(maxDepth), keys(maxKeys), text(maxStringLength)].map((body) => problemOf(body))).toEqual([
      null,
      null,
      null,
    ]);
    expect(
      [`[${nested(maxDepth)}]`, keys(maxKeys + 1), text(maxStringLength + 2)].map(
        (body) => problemOf(body)?.reason,
      ),
    ).toEqual(['DEPTH_EXCEEDED', 'TOO_MANY_KEYS', 'STRING_TOO_LONG']);
    expect(problemOf('{"a":[[]]}', { maxDepth: 2, maxKeys: 9, maxStringLength: 9 })?.path).toBe('a[0]');
  });

  it.each([
    ['depth', (size: number) => '['.repeat(size)],
    ['a long whole number', (size: number) => `{"a":${'0'.repeat(size)}1}`],
    ['a long fraction', (size: number) => `{"a":0.${'0'.repeat(size)}1}`],
    ['equal keys', (size: number) => `{${'"a":1,'.repeat(size)}"a":1}`],
    ['escapes', (size: number) => `"${'\\u0041'.repeat(size)}"`],
  ])('reads each byte of a hostile body a few times, however large it is: %s', (_what, bodyOf) => {
    for (const size of [2_000, 60_000]) {
      const body = bodyOf(size);
      const { bytes, reads } = counted(body);
      expect(parseJsonBody(bytes)).toMatchObject({ ok: false });
      expect(reads()).toBeLessThan(12 * body.length);
    }
  });
});

// --- Against the platform's parser ---

const surrogate = /\p{Surrogate}/u;

/** Decides from the parsed value, without looking at bytes, whether the scan must accept it. */
const isAcceptable = (value: unknown, depth = 1): boolean => {
  if (typeof value === 'string') return !value.includes('\0') && !surrogate.test(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth > DEFAULT_JSON_LIMITS.maxDepth) return false;
  return (
    Array.isArray(value) ? value.map((item: unknown) => ['', item] as const) : Object.entries(value)
  ).every(
    ([key, member]) =>
      isAcceptable(key) &&
      !['__proto__', 'constructor', 'prototype'].includes(key) &&
      isAcceptable(member, depth + 1),
  );
};

const key = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('__proto__', 'constructor', 'a', 'b', 'a"b', '\\'),
);
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom(null, true, false, '\ud800', '\udc00\ud800', 'a\0', '😀'),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map((pairs) => new Map(pairs)),
  ),
})).value;

const ascii = (text: string): string =>
  text.replace(/[^ -~\n\t]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Writes maps as objects, so that __proto__ stays an ordinary key; no key twice. */
const write = (value: unknown, gap: string): string => {
  if (value instanceof Map) {
    const members = [...value].map(
      ([name, member]) => `${JSON.stringify(name)}${gap}:${gap}${write(member, gap)}`,
    );
    return `{${gap}${members.join(`${gap},`)}}`;
  }
  return Array.isArray(value)
    ? `[${gap}${value.map((item) => write(item, gap)).join(`,${gap}`)}]`
    : JSON.stringify(value);
};

describe('parseJsonBody against JSON.parse', () => {
  it('accepts exactly what the parser accepts and the rules allow, with the same value', () => {
    // ASVS 1.1.1
    const gaps = fc.constantFrom('', ' ', '\n\t');
    fc.assert(
      fc.property(json, gaps, fc.boolean(), (value, gap, isEscaped) => {
        const text = isEscaped ? ascii(write(value, gap)) : write(value, gap);
        const expected: unknown = JSON.parse(text);
        const result = parseJsonBody(Buffer.from(text));
        expect(result.ok).toBe(isAcceptable(expected));
        if (result.ok) expect(result.value).toEqual(expected);
      }),
      { numRuns: runsInPart(1_000) },
    );
  });

  it('never accepts what the parser refuses, nor throws', () => {
    const edits = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...Array.from('{}[]":,\\u0e-. x\0\u0001é'))), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(json, edits, (value, changes) => {
        let text = write(value, '');
        for (const [at, character] of changes) {
          const cut = at % (text.length + 1);
          text = text.slice(0, cut) + character + text.slice(cut + (at % 2));
        }
        const bytes = Buffer.from(text);
        const result = parseJsonBody(bytes);
        const isParseable = ((): boolean => {
          try {
            return JSON.parse(bytes.toString()) !== undefined;
          } catch {
            return false;
          }
        })();
        if (result.ok) expect(result.value).toEqual(JSON.parse(bytes.toString()));
        else if (isParseable) expect(result.problem.code).toBe('VALIDATION_FAILED');
        expect(scanJson(bytes) === null || !result.ok).toBe(true);
      }),
      { numRuns: runsInPart(2_000) },
    );
  });
});
