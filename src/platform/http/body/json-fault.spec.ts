import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { positionOfByte, syntaxFaultAt } from './json-fault.js';

describe('syntaxFaultAt', () => {
  it.each([
    ['', 0],
    ['{', 1],
    ['{"a":1,}', 7],
    ['{"a":1 "b":2}', 7],
    ['{"a" 1}', 5],
    ['{a:1}', 1],
    ["{'a':1}", 1],
    ['[1,2,]', 5],
    ['[1 2]', 3],
    ['{"a":NaN}', 5],
    ['{"a":01}', 5],
    ['{"a":"b}', 5],
    ['{} {}', 3],
    ['<xml/>', 0],
    ['[}', 1],
  ])('%s stops being JSON at %i', (text, at) => {
    expect(syntaxFaultAt(Buffer.from(text))).toBe(at);
  });

  it('finds nothing before the end of what is JSON, and what is before a fault is the beginning of something', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const bytes = Buffer.from(text);
        expect(syntaxFaultAt(bytes)).toBe(bytes.length);
      }),
    );
  });
});

describe('positionOfByte', () => {
  it('counts lines and columns from 1, in the units of texts', () => {
    const bytes = Buffer.from('{\n  "é😀": x');
    expect(positionOfByte(bytes, bytes.indexOf('x'))).toEqual({ start: 11, end: 11, line: 2, column: 10 });
    expect(positionOfByte(bytes, 0)).toEqual({ start: 0, end: 0, line: 1, column: 1 });
  });
});
