import { describe, expect, it } from '@jest/globals';
import { contractPath, declareName } from './contract-names.js';

describe('what of a path may be kept', () => {
  declareName('items');
  declareName('amount');

  it.each([
    ['', ''],
    ['amount', 'amount'],
    ['items[3].amount', 'items[3].amount'],
    ['[3].amount', '[3].amount'],
    ['Idempotency-Key', 'Idempotency-Key'],
    ['Maria', '*'],
    ['items.Maria.amount', 'items.*'],
    ['items.?', 'items.*'],
    ['items[3][4]', 'items[3][4]'],
    ['items[52998224725]', '*'],
    ['amountMaria', '*'],
  ])('%s: %s', (path, kept) => {
    expect(contractPath(path)).toBe(kept);
  });
});
