import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { verifyReceipt } from '../../src/features/kyt/domain/replay.js';
import { bundleOf, receiptCases } from '../support/receipt-cases.js';

it('10,000 random decision receipts replay to identical scores and hashes', () => {
  let hits = 0;
  fc.assert(
    fc.property(receiptCases, (given) => {
      const bundle = bundleOf(given);
      const { problems, score, receiptHash } = verifyReceipt(bundle);
      const receipt = JSON.parse(bundle.receipt) as { score: number | null; reasons: unknown[] };
      expect({ problems, score, receiptHash }).toEqual({
        problems: [],
        score: receipt.score,
        receiptHash: bundle.receiptHash,
      });
      hits += receipt.reasons.length;
    }),
    { numRuns: 10_000 },
  );
  expect(hits).toBeGreaterThan(10_000);
}, 600_000);
