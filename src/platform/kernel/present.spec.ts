import { describe, expect, it } from '@jest/globals';
import { required } from './present.js';

describe('present', () => {
  it.each([0, '', false, Buffer.alloc(0)])('returns a value that is there: %p', (value) => {
    expect(required(value, 'the value')).toBe(value);
  });

  it.each([null, undefined])('throws for %p and says what is missing', (value) => {
    expect(() => required(value, 'the hash of the entry')).toThrow('the hash of the entry is missing');
  });
});
