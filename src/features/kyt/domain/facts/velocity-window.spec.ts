import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { VelocityLog } from './velocity-log.js';
import { hasRowsBeyond, isLateArrival } from './velocity-window.js';

const OTHERS = {
  amount: 1,
  currency: 'BRL',
  cash: false,
  instrument: 1,
  direction: 'OUT',
  peer: 1,
  customer: 1,
  type: 'PIX_TRANSFER',
  channel: 'MOBILE_APP',
  keys: [0, 0, 0, 0],
  originCountry: '',
  destinationCountry: '',
} as const;

describe('The cap cuts a window', () => {
  const log = VelocityLog.of(
    [5, 4, 3].map((time) => ({ seq: time, time, ...OTHERS })),
    true,
  );

  it('when the first row that is not read is of it, and not when it is older', () => {
    expect(hasRowsBeyond(log, 2, 2_999)).toBe(true);
    expect(hasRowsBeyond(log, 2, 3_000)).toBe(false);
  });

  it('as far as the last row tells where nobody knows the next', () => {
    expect(hasRowsBeyond(log, 3, 2_999)).toBe(true);
    expect(hasRowsBeyond(log, 3, 3_000)).toBe(false);
    expect(hasRowsBeyond(VelocityLog.of([], true), 0, 0)).toBe(true);
  });
});

describe('A transaction is overtaken', () => {
  it('by what took place later and came in before, unless they are evaluated together', () => {
    const row = fc.record({ time: fc.nat(12), together: fc.boolean() });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 10 }), fc.nat(), (arrivals, pick) => {
        const rows = arrivals.map(({ time, together }, seq) => ({ seq, time, together, ...OTHERS }));
        const own = rows[pick % rows.length]!;
        const ordered = [...rows].sort((a, b) => b.time - a.time || b.seq - a.seq);
        // The log ends with the newest that is evaluated together with it; beyond are the next rows.
        const end = ordered.findIndex((one) => one.together || one === own);
        const log = VelocityLog.of(ordered.slice(end), false);
        const laterSeqs = ordered.slice(0, end).map(({ seq }) => seq);
        const first = log.indexOfNewestBefore(own.time * 1_000, own.seq);
        const together = new Set(rows.filter((one) => one.together || one === own).map(({ seq }) => seq));
        expect(isLateArrival({ log, first }, laterSeqs, own.seq, together)).toBe(
          rows.some(({ seq, time }) => time > own.time && seq < own.seq && !together.has(seq)),
        );
      }),
      { numRuns: 2_000 },
    );
  });
});
