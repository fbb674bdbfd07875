import { afterAll, expect } from '@jest/globals';
import { CPF } from './builders.js';

/**
 * What must never be in a log line, whatever a test does. Every application that a test starts is watched; the file
 * fails at its end when one of these was logged.
 */
const FORBIDDEN: readonly RegExp[] = [
  new RegExp(CPF.customer),
  new RegExp(CPF.payee),
  /529\.982\.247-25|111\.444\.777-35/,
  /Maria Exemplo|João Exemplo/,
  /vsk_[A-Za-z0-9_-]{20}/,
  /whsec_[A-Za-z0-9+/=]{20}/,
  /CANARY/,
];

const logs: (readonly string[])[] = [];

/** Watches the log of one application. */
export function collectLog(lines: readonly string[]): void {
  logs.push(lines);
}

afterAll(() => {
  const leaks = logs.flat().filter((line) => FORBIDDEN.some((pattern) => pattern.test(line)));
  // Only how many and which pattern: the test's own output must not repeat what leaked.
  const which = FORBIDDEN.filter((pattern) => leaks.some((line) => pattern.test(line))).map((p) =>
    p.source.slice(0, 6),
  );
  expect({ leaks: leaks.length, which }).toEqual({ leaks: 0, which: [] });
});
