import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compileValidator } from '../../src/platform/http/index.js';
import { madeUpCnpj } from '../../src/platform/kernel/index.js';
import { isBankDay } from '../../src/platform/kernel/reference/bank-calendar.js';
import { LocalDays, weekdayOf } from '../../src/platform/kernel/values/local-day.js';
import { TaxId } from '../../src/platform/kernel/values/tax-id.js';
import { IngestTransactionBody } from '../../src/features/kyt/contract/ingest-transaction.dto.js';
import { findIgnoredMetadata } from '../../src/features/kyt/domain/submission/known-metadata.js';
import { transactionType } from '../../src/platform/kernel/reference/transaction-types.js';
import { LabelledStream, patternClasses, type LabelledEvent, type StreamRequest } from './labelled-stream.js';

const SMALL: StreamRequest = {
  ...{ seed: 1, days: 60, people: 40, sellers: 5, companies: 3, patterns: patternClasses.length },
  begins: { year: 2026, month: 1, day: 5 },
};
const eventsOf = (wish: Partial<StreamRequest> = {}): LabelledEvent[] => [
  ...new LabelledStream({ ...SMALL, ...wish }).events(),
];
const digestOf = (events: readonly LabelledEvent[]): string =>
  createHash('sha256').update(JSON.stringify(events)).digest('hex');
const validate = compileValidator(IngestTransactionBody);
const clock = { now: (): number => Date.parse('2027-01-01T00:00:00Z') };
const days = new LocalDays();
const momentOf = ({ body }: LabelledEvent): number => Date.parse(body.occurredAt);
const hourOf = (event: LabelledEvent): number =>
  Math.floor((momentOf(event) - days.startOfDay(momentOf(event))) / 3_600_000);
const small = eventsOf();

describe('A labelled stream', () => {
  it('is the same for the same seed, byte by byte, and another one for another', () => {
    expect(digestOf(eventsOf())).toBe(digestOf(small));
    expect(digestOf(eventsOf({ seed: 2 }))).not.toBe(digestOf(small));
  });

  it('has every class of pattern, as often as it was asked for', () => {
    const ids = new Map<string, Set<string | null>>();
    for (const { label } of eventsOf({ patterns: 2 * patternClasses.length })) {
      if (label.class === null) continue;
      ids.set(label.class, (ids.get(label.class) ?? new Set()).add(label.patternId));
    }
    expect([...ids.keys()].sort()).toEqual([...patternClasses].sort());
    expect(new Set([...ids.values()].map(({ size }) => size))).toEqual(new Set([2]));
    expect(patternClasses.length).toBeGreaterThanOrEqual(12);
  });

  it('has none when none is asked for', () => {
    expect(eventsOf({ patterns: 0 }).every(({ label }) => label.kind === 'INNOCENT')).toBe(true);
  });

  it.each([1, 7, 42])('of seed %i is taken by ingest as it is, in the order of time', (seed) => {
    const events = eventsOf({ seed, days: 40, people: 25 });
    const problems = events.flatMap(({ body }) => validate(body, clock));
    expect(problems).toEqual([]);
    expect(
      events.flatMap(({ body }) => findIgnoredMetadata(body['metadata'] as Record<string, unknown>)),
    ).toEqual([]);
    expect(events.filter(({ body }) => !transactionType(String(body['type'])))).toEqual([]);
    const moments = events.map(momentOf);
    expect(moments).toEqual([...moments].sort((a, b) => a - b));
    expect(new Set(events.map(({ body }) => body.transactionId)).size).toBe(events.length);
  });

  it('keeps to its shape whatever is asked for', () => {
    const wish = fc.record({
      seed: fc.nat(999_999_999),
      days: fc.integer({ min: 1, max: 30 }),
      people: fc.nat(8),
      sellers: fc.nat(3),
      companies: fc.nat(2),
      patterns: fc.nat(20),
    });
    fc.assert(
      fc.property(wish, (asked) => {
        let last = 0;
        for (const event of eventsOf(asked)) {
          const { body, label } = event;
          expect(momentOf(event)).toBeGreaterThanOrEqual(last);
          last = momentOf(event);
          expect(Number.isInteger(Math.round(body.amount * 1e6) / 1e4)).toBe(true);
          expect(body.amount).toBeGreaterThan(0);
          expect(label.kind === 'PATTERN').toBe(label.class !== null);
          if (label.kind === 'PATTERN') expect(label.patternId).not.toBeNull();
        }
      }),
      { numRuns: 25 },
    );
  });

  it('pays salaries on the fifth day on which banks are open, and companies keep their weekends', () => {
    const salaries = small.filter(
      ({ body, label }) =>
        label.actor === 'PERSON' && label.kind === 'INNOCENT' && body['type'] === 'ACCOUNT_CREDIT',
    );
    expect(salaries.length).toBeGreaterThan(20);
    // New Year is a holiday, so that the fifth day after it on which banks are open is the 8th.
    const paydays = new Set(salaries.map(({ body }) => body.occurredAt.slice(0, 10)));
    expect([...paydays].sort()).toEqual(['2026-01-08', '2026-02-06']);
    const work = small.filter(({ label }) => label.actor === 'COMPANY' && label.kind === 'INNOCENT');
    expect(work.every((event) => isBankDay(days.dayOf(momentOf(event))))).toBe(true);
  });

  it('sleeps at night and sells less on Sundays', () => {
    const people = small.filter(({ label }) => label.kind === 'INNOCENT' && label.actor !== 'COMPANY');
    const at = (from: number, to: number): number =>
      people.filter((event) => hourOf(event) >= from && hourOf(event) < to).length;
    expect(at(1, 5)).toBeLessThan(at(10, 14) / 5);
    const on = (weekday: number): number =>
      people.filter((event) => weekdayOf(days.dayOf(momentOf(event))) === weekday).length;
    expect(on(0)).toBeLessThan(on(5));
  });

  it('lets many people share an address, and few a device', () => {
    const users = (key: string): number[] => {
      const found = new Map<unknown, Set<string>>();
      for (const { body, label } of small) {
        const value = (body['metadata'] as Record<string, unknown>)[key];
        if (value === undefined || label.patternId !== null) continue;
        found.set(value, (found.get(value) ?? new Set()).add(body.externalCustomerId));
      }
      return [...found.values()].map(({ size }) => size);
    };
    expect(Math.max(...users('ipAddress'))).toBeGreaterThan(15);
    expect(Math.max(...users('deviceId'))).toBeLessThanOrEqual(3);
  });

  it('says what its customers have declared', () => {
    const stream = new LabelledStream(SMALL);
    const declared = new Map(stream.listProfiles().map((profile) => [profile.externalCustomerId, profile]));
    for (const { body, label } of stream.events()) {
      const profile = declared.get(body.externalCustomerId);
      expect(profile?.cpfCnpj).toBe(body.cpfCnpj);
      expect(profile?.[label.actor === 'COMPANY' ? 'monthlyRevenue' : 'monthlyIncome']).toBeGreaterThan(0);
    }
  });

  it('makes numbers of companies with right check digits', () => {
    expect(madeUpCnpj('112223330001')).toBe('11222333000181');
    fc.assert(
      fc.property(fc.integer({ min: 10_000_000, max: 99_999_999 }), (number) => {
        expect(TaxId.accepts(madeUpCnpj(`${number}0001`))).toBe(true);
      }),
    );
  });
});
