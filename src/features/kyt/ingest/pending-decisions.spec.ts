import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Settings } from '../../../platform/config/index.js';
import type { DecryptedTransaction } from '../domain/claimed.js';
import { PendingDecisions } from './pending-decisions.js';

const lease = { owner: 'this process', ms: 8_000 };
const waitsOf = (ingestWaitLimit: number): PendingDecisions =>
  new PendingDecisions({ ingestWaitLimit } as Settings);

type Step =
  | { readonly kind: 'wait'; readonly ref: string }
  | { readonly kind: 'settle'; readonly ref: string }
  | { readonly kind: 'over'; readonly nth: number };

const ref = fc.constantFrom('a', 'b', 'c');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('wait' as const), ref }),
  fc.record({ kind: fc.constant('settle' as const), ref }),
  fc.record({ kind: fc.constant('over' as const), nth: fc.nat(20) }),
);

describe('those who wait for decisions', () => {
  it('each hear once, of their own transaction, and never hold more places than there are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.integer({ min: 0, max: 4 }),
        async (steps, limit) => {
          const waits = waitsOf(limit);
          const callers: {
            ref: string;
            over: AbortController;
            got: Promise<boolean>;
            wanted: boolean | null;
          }[] = [];
          const open = (): typeof callers => callers.filter(({ wanted }) => wanted === null);
          for (const one of steps) {
            if (one.kind === 'wait') {
              const wanted = open().length < limit ? null : false;
              const over = new AbortController();
              callers.push({ ref: one.ref, over, got: waits.wait(one.ref, over.signal), wanted });
            } else if (one.kind === 'settle') {
              waits.resolve([one.ref]);
              for (const caller of open()) if (caller.ref === one.ref) caller.wanted = true;
            } else {
              const caller = callers[one.nth];
              caller?.over.abort();
              if (caller !== undefined) caller.wanted ??= false;
            }
            expect(waits.size).toBe(open().length);
            expect(waits.findRemotelyPending().sort()).toEqual(
              [...new Set(open().map((caller) => caller.ref))].sort(),
            );
          }
          waits.close();
          expect([waits.size, waits.findRemotelyPending()]).toEqual([0, []]);
          for (const { got, wanted } of callers) expect(await got).toBe(wanted ?? false);
        },
      ),
    );
  });

  it('are asked about elsewhere unless this process evaluates what they wait for', async () => {
    const waits = waitsOf(1);
    const { signal } = new AbortController();
    expect(waits.leaseFor(true)).toBeNull();
    let tried = (): void => undefined;
    const asked: (readonly [isWaitedFor: boolean, underWay: number])[] = [];
    waits.useEvaluator({
      leaseFor: (...given) => {
        asked.push(given);
        return lease;
      },
      start: () =>
        new Promise((resolve) => {
          tried = () => {
            resolve(undefined);
          };
        }),
    });
    expect(waits.leaseFor(true)).toBe(lease);
    const storing = waits.trackStoring(Promise.resolve());
    waits.leaseFor(false);
    await storing;
    waits.evaluate({ id: 'new' } as DecryptedTransaction);
    const first = waits.wait('new', signal);
    expect(waits.findRemotelyPending()).toEqual([]);
    // The second caller finds no place to wait, and counts as one who does not.
    waits.leaseFor(true);
    expect(asked).toEqual([
      [true, 0],
      [false, 1],
      [false, 1],
    ]);
    // Nobody waits for what finds no place.
    expect(await waits.wait('one too many', signal)).toBe(false);
    // This process tried in vain; another one has it.
    tried();
    await new Promise(setImmediate);
    expect(waits.findRemotelyPending()).toEqual(['new']);
    waits.resolve(['new']);
    expect(await first).toBe(true);
    const last = waits.wait('old', signal);
    waits.close();
    expect(await last).toBe(false);
    expect([waits.leaseFor(true), await waits.wait('late', signal)]).toEqual([null, false]);
  });
});
