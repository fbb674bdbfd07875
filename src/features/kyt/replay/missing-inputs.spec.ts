import { expect, it } from '@jest/globals';
import { harmInputs } from '../../../../test/support/missing-inputs.js';

it('without an input of a rule, misspelt or of a wrong type, nothing is approved that would not be with it', async () => {
  const { transactions, approved } = await harmInputs(6);
  expect(transactions).toBeGreaterThan(600);
  expect(approved).toBeGreaterThan(8);
});
