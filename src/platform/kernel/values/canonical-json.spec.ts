import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson, canonicalJsonWithout } from './canonical-json.js';

const wellFormedJson = fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 });

const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, shuffled(member)]),
  );
};

describe('canonicalJson', () => {
  it('writes the example of RFC 8785', () => {
    const value = {
      numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts keys by UTF-16 code units, as RFC 8785 does', () => {
    const keys = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
    const object = Object.fromEntries(keys.map((key) => [key, 0]));
    expect(Object.keys(JSON.parse(canonicalJson(object)) as object)).toEqual([
      '1',
      '\r',
      '\u0080',
      '\u00f6',
      '\u20ac',
      '\ud83d\ude00',
      '\ufb33',
    ]);
  });

  it('says the same as JSON, whatever the order of the keys', () => {
    fc.assert(
      fc.property(wellFormedJson, (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(shuffled(value))).toBe(text);
      }),
    );
  });

  it('sorts objects of any size', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: 'binary' }), { maxLength: 60 }), (keys) => {
        // Integer-like keys are put first by the engine when parsed, so the text is compared.
        const pairs = [...keys].sort().map((key) => `${JSON.stringify(key)}:1`);
        expect(canonicalJson(Object.fromEntries(keys.map((key) => [key, 1])))).toBe(`{${pairs.join(',')}}`);
      }),
    );
  });

  it('leaves out undefined members and honours toJSON', () => {
    const at = new Date(0);
    expect(canonicalJson({ b: undefined, a: at, c: -0 })).toBe('{"a":"1970-01-01T00:00:00.000Z","c":0}');
  });

  it.each([
    [NaN],
    [Infinity],
    [1n],
    [undefined],
    [[undefined]],
    [() => 1],
    [Symbol('x')],
    ['\ud800'],
    [{ '\udc00': 1 }],
  ])('throws on %p', (value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });

  it('can leave out one member at the top, and only there', () => {
    expect(canonicalJsonWithout('metadata', { metadata: { a: 1 }, b: { metadata: 2 } })).toBe(
      '{"b":{"metadata":2}}',
    );
  });
});
