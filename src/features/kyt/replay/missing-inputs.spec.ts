import { expect, it } from '@jest/globals';
import { harmInputs } from '../../../../test/support/missing-inputs.js';

it('without an input of a rule, misspelt or of a wrong type, nothing is approved that would not be with it', async () => {
  const { transactions, approved } = await harmInputs(15);
  expect(transactions).toBeGreaterThan(1_500);
  expect(approved).toBeGreaterThan(20);
});
