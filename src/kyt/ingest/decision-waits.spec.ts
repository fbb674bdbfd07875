import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Settings } from '../../config/index.js';
import { DecisionWaits } from './decision-waits.js';

const waitsOf = (ingestWaitLimit: number): DecisionWaits =>
  new DecisionWaits({ ingestWaitLimit } as Settings);

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
              callers.push({ ref: one.ref, over, got: waits.until(one.ref, over.signal, false), wanted });
            } else if (one.kind === 'settle') {
              waits.settle([one.ref]);
              for (const caller of open()) if (caller.ref === one.ref) caller.wanted = true;
            } else {
              const caller = callers[one.nth];
              caller?.over.abort();
              if (caller?.wanted === null) caller.wanted = false;
            }
            expect(waits.size).toBe(open().length);
            expect(waits.refs().sort()).toEqual([...new Set(open().map((caller) => caller.ref))].sort());
          }
          waits.close();
          expect([waits.size, waits.refs()]).toEqual([0, []]);
          for (const { got, wanted } of callers) expect(await got).toBe(wanted ?? false);
        },
      ),
    );
  });

  it('have what was stored just now evaluated, once they wait for it', async () => {
    const waits = waitsOf(1);
    const stored: string[] = [];
    // Quicker than the caller can be: the decision is there before `until` returns.
    waits.onStored((one) => {
      stored.push(one);
      waits.settle([one]);
    });
    const { signal } = new AbortController();
    expect(await waits.until('new', signal, true)).toBe(true);
    const duplicate = waits.until('old', signal, false);
    // Nobody waits for what finds no place.
    expect(await waits.until('one too many', signal, true)).toBe(false);
    expect(stored).toEqual(['new']);
    waits.close();
    expect(await duplicate).toBe(false);
    expect(await waits.until('late', signal, true)).toBe(false);
  });
});
