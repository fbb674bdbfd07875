import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LocalDays, type CalendarDay } from '../values/local-day.js';
import { businessDaysBack, easterOf, isBankDay, isBankHoliday } from './bank-calendar.js';

const day = (text: string): CalendarDay => {
  const [year = 0, month = 0, date = 0] = text.split('-').map(Number);
  return { year, month, day: date };
};
const brazil = new LocalDays();
const local = (text: string): number => Date.parse(`${text}-03:00`);

describe('the holidays of Brazilian banks', () => {
  // FEBRABAN publishes them per year; Easter as in the tables of the United States Naval Observatory.
  it.each([
    [2024, '2024-03-31', ['2024-02-12', '2024-02-13', '2024-03-29', '2024-05-30', '2024-11-20']],
    [2025, '2025-04-20', ['2025-03-03', '2025-03-04', '2025-04-18', '2025-06-19', '2025-11-20']],
    [2026, '2026-04-05', ['2026-02-16', '2026-02-17', '2026-04-03', '2026-06-04', '2026-11-20']],
    [2027, '2027-03-28', ['2027-02-08', '2027-02-09', '2027-03-26', '2027-05-27', '2027-11-20']],
    [2038, '2038-04-25', ['2038-03-08', '2038-03-09', '2038-04-23', '2038-06-24']],
  ])('in %d', (year, easter, moveable) => {
    expect(easterOf(year)).toEqual(day(easter));
    const fixed = ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '12-25'];
    for (const one of [...moveable, ...fixed.map((date) => `${year}-${date}`)]) {
      expect({ one, closed: isBankHoliday(day(one)) }).toEqual({ one, closed: true });
    }
    const all = Array.from({ length: 366 }, (_, i) => new Date(Date.UTC(year, 0, 1 + i)))
      .filter((date) => date.getUTCFullYear() === year)
      .filter((date) => isBankHoliday(day(date.toISOString().slice(0, 10))));
    expect(all).toHaveLength(13);
  });

  it('20 November is national since 2024 only', () => {
    expect(isBankDay(day('2023-11-20'))).toBe(true);
    expect(isBankDay(day('2024-11-20'))).toBe(false);
  });

  it('Ash Wednesday, Easter Monday and Christmas Eve are business days', () => {
    for (const one of ['2026-02-18', '2026-04-06', '2026-12-24']) expect(isBankDay(day(one))).toBe(true);
  });

  it('Easter is a Sunday between 22 March and 25 April, in every year', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1583, max: 4099 }), (year) => {
        const { month, day: date } = easterOf(year);
        const easter = Date.UTC(year, month - 1, date);
        expect(new Date(easter).getUTCDay()).toBe(0);
        expect(easter).toBeGreaterThanOrEqual(Date.UTC(year, 2, 22));
        expect(easter).toBeLessThanOrEqual(Date.UTC(year, 3, 25));
      }),
    );
  });
});

describe('a window of five business days', () => {
  it.each([
    ['a Friday', '2026-11-13T12:00:00', '2026-11-09T00:00:00'],
    ['a Monday: the weekend is in between', '2026-11-16T12:00:00', '2026-11-10T00:00:00'],
    ['a Sunday: five business days before it', '2026-11-15T12:00:00', '2026-11-09T00:00:00'],
    ['the Wednesday after Carnival', '2026-02-18T09:00:00', '2026-02-10T00:00:00'],
    ['after Good Friday', '2026-04-06T09:00:00', '2026-03-30T00:00:00'],
    ['the new year', '2027-01-04T09:00:00', '2026-12-28T00:00:00'],
    ['the last second of a day', '2026-11-13T23:59:59', '2026-11-09T00:00:00'],
  ])('that ends on %s', (_what, end, start) => {
    expect(new Date(businessDaysBack(local(end), 5, brazil))).toEqual(new Date(local(start)));
  });
});

describe('local days', () => {
  it('begin at midnight in São Paulo, also when clocks were changed at midnight', () => {
    expect(brazil.startOfDay(local('2026-11-20T00:00:00'))).toBe(local('2026-11-20T00:00:00'));
    expect(brazil.startOfDay(local('2026-11-19T23:59:59.999'))).toBe(local('2026-11-19T00:00:00'));
    // The last change: on 17 February 2019 at midnight clocks went back to 23:00 of the day before.
    expect(brazil.dayOf(Date.parse('2019-02-17T01:30:00Z'))).toEqual(day('2019-02-16'));
    expect(brazil.startOfDay(Date.parse('2019-02-17T12:00:00Z'))).toBe(Date.parse('2019-02-17T03:00:00Z'));
    // On 17 October 2010 clocks went forward at midnight: the day began at one o'clock.
    expect(brazil.startOfDay(Date.parse('2010-10-17T12:00:00Z'))).toBe(Date.parse('2010-10-17T03:00:00Z'));
  });

  it('contain their moments, whenever', () => {
    const moments = fc.date({
      min: new Date('2000-01-01'),
      max: new Date('2100-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moments, (moment) => {
        const start = brazil.startOfDay(moment.getTime());
        expect(start).toBeLessThanOrEqual(moment.getTime());
        expect(moment.getTime() - start).toBeLessThan(25 * 3_600_000);
        expect(brazil.dayOf(start)).toEqual(brazil.dayOf(moment.getTime()));
      }),
    );
  });
});
