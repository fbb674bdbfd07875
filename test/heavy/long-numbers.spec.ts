import { expect, it } from '@jest/globals';
import { numberProblem } from '../../src/platform/http/body/json-number.js';
import { processorMs } from '../support/timing.js';

it.each([
  ['a whole number', `${'0'.repeat(60_000)}1`],
  ['a fraction', `0.${'0'.repeat(60_000)}1`],
  ['a fraction with zeros inside', `0.1${'0'.repeat(60_000)}1`],
])('%s of 60,000 digits is judged without effort', (_what, text) => {
  const ms = processorMs(() => {
    numberProblem(text);
  });
  // Quadratic in their number, it would take seconds.
  expect(ms).toBeLessThan(1_000);
});
