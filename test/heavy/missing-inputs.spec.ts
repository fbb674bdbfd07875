import { expect, it } from '@jest/globals';
import { harmInputs } from '../support/missing-inputs.js';

it('without an input of a rule, misspelt or of a wrong type, nothing is approved that would not be with it', async () => {
  const { transactions, approved, silenced } = await harmInputs(120);
  expect(transactions).toBeGreaterThan(10_000);
  expect(approved).toBeGreaterThan(500);
  expect(silenced.size).toBeGreaterThanOrEqual(6);
});
