import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { distributeCases } from './sharing.js';

const ids = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}`);

describe('sharing cases out', () => {
  it('gives each case to one, nobody more than the cap, and leaves one only when nobody has room', () => {
    fc.assert(
      fc.property(
        fc.nat(60),
        fc.array(fc.nat(12), { maxLength: 6 }),
        fc.integer({ min: 1, max: 10 }),
        (cases, loads, cap) => {
          const reviewIds = ids('r', cases);
          const workers = loads.map((open, i) => ({ id: `w${i}`, open }));
          const { shares, left } = distributeCases(reviewIds, workers, cap);
          expect([...shares.map(({ reviewId }) => reviewId), ...left]).toEqual(reviewIds);
          const given = new Map(workers.map(({ id, open }) => [id, open]));
          for (const { operatorId } of shares) given.set(operatorId, (given.get(operatorId) ?? 0) + 1);
          for (const [i, { id, open }] of workers.entries()) {
            expect(given.get(id)).toBeLessThanOrEqual(Math.max(cap, loads[i] ?? open));
          }
          if (left.length > 0) expect([...given.values()].every((open) => open >= cap)).toBe(true);
        },
      ),
    );
  });

  it('evens out what people have', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 6 }), (cases, people) => {
        const workers = ids('w', people).map((id) => ({ id, open: 0 }));
        const { shares } = distributeCases(ids('r', cases), workers, 100);
        const counts = workers.map(({ id }) => shares.filter(({ operatorId }) => operatorId === id).length);
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
