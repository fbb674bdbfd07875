import { afterAll, expect } from '@jest/globals';
import { forbiddenIn } from './leaks.js';

const logs: (readonly string[])[] = [];

/** Watches the log of one application; the file fails at its end when something forbidden was logged. */
export function collectLog(lines: readonly string[]): void {
  logs.push(lines);
}

afterAll(() => {
  expect(forbiddenIn(logs.flat().join('\n'))).toEqual([]);
});
