import { expect, it } from '@jest/globals';
import { runOrdinaryCustomers } from '../../../../test/support/ordinary-customers.js';

it('ordinary customers whose submissions lack nothing: every score can be defended', async () => {
  const { transactions, approved, gaps } = await runOrdinaryCustomers(1_000);
  expect(gaps).toEqual({});
  expect(approved).toBeGreaterThan(0.95 * transactions);
});
