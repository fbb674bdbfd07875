import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { firstUuidAt } from '../../kernel/index.js';
import { secondOf, type LoggedRequest } from '../store/request-log.statements.js';
import { bundlesOf } from './request-bundles.js';

const ids = fc
  .tuple(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 0xffff }))
  .map(
    ([ms, rest]) =>
      firstUuidAt(new Date(1_800_000_000_000 + ms)).slice(0, -4) + rest.toString(16).padStart(4, '0'),
  );
const named = fc.option(fc.constantFrom('mine-1', 'mine-2'), { freq: 4 });
const requests: fc.Arbitrary<LoggedRequest[]> = fc.uniqueArray(
  fc.record({
    id: ids,
    organisationId: fc.constantFrom('a', 'b'),
    clientAppId: fc.constantFrom('c', 'd'),
    requestId: named,
    correlationId: named,
    method: fc.constant('POST'),
    route: fc.constantFrom('/kyt/transactions/ingest', '/lists'),
    status: fc.constantFrom(202, 400),
    code: fc.option(fc.constant('VALIDATION_FAILED')),
    durationMs: fc.integer({ min: 0, max: 9 }),
    bytesIn: fc.option(fc.integer({ min: 0, max: 9 })),
    fields: fc.option(fc.constantFrom('amount', 'amount origin')),
    faults: fc.option(fc.constant('amount AMOUNT_NOT_POSITIVE')),
  }),
  { selector: ({ id }) => id, maxLength: 300, size: 'max' },
);

describe('bundles of requests', () => {
  it('have every request once, with what the row says of all of them', () => {
    fc.assert(
      fc.property(requests, (given) => {
        const read = bundlesOf(given).flatMap(({ second, ids: all, durationsMs, bytesIn, ...shared }) =>
          all.map((id, i) => {
            expect(second).toEqual(secondOf(id));
            return { ...shared, id, durationMs: durationsMs[i], bytesIn: bytesIn[i] };
          }),
        );
        const byId = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? -1 : 1);
        expect(read.sort(byId)).toEqual([...given].sort(byId));
      }),
    );
  });

  it('have at most a hundred requests, and one that its caller named alone', () => {
    fc.assert(
      fc.property(requests, (given) => {
        for (const { ids: all, requestId, correlationId } of bundlesOf(given)) {
          expect(all.length).toBeLessThanOrEqual(requestId === null && correlationId === null ? 100 : 1);
        }
      }),
    );
  });

  it('are few where requests are alike', () => {
    const alike = Array.from({ length: 250 }, (_, i) => ({
      ...{ id: firstUuidAt(new Date(1_800_000_000_000 + i)), organisationId: 'a', clientAppId: 'c' },
      ...{
        requestId: null,
        correlationId: null,
        method: 'POST',
        route: '/kyt/transactions/ingest',
        status: 202,
      },
      ...{ code: null, durationMs: i, bytesIn: null, fields: 'amount', faults: null },
    }));
    expect(bundlesOf(alike).map(({ ids: all }) => all.length)).toEqual([100, 100, 50]);
  });
});
