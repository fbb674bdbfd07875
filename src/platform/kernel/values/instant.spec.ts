import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isCalendarDate, parseInstant } from './instant.js';

const iso = (text: string): string | undefined => parseInstant(text)?.toISOString();

describe('parseInstant', () => {
  it.each([
    ['2026-11-20T12:34:56Z', '2026-11-20T12:34:56.000Z'],
    ['2026-11-20T12:34:56.7-03:00', '2026-11-20T15:34:56.700Z'],
    ['2026-11-20t12:34:56.78z', '2026-11-20T12:34:56.780Z'],
    ['2026-11-20T12:34:56.789999999+05:30', '2026-11-20T07:04:56.789Z'],
    ['2026-12-31T23:59:59.99999999999999Z', '2026-12-31T23:59:59.999Z'],
    ['2024-02-29T00:00:00-00:00', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
    ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.999Z'],
    ['2016-12-31T20:59:60.5-03:00', '2016-12-31T23:59:59.999Z'],
    ['2015-06-30T23:59:60Z', '2015-06-30T23:59:59.999Z'],
  ])('reads %s as %s', (text, expected) => {
    expect(iso(text)).toBe(expected);
  });

  it.each([
    ['no zone', '2026-11-20T12:34:56'],
    ['no time', '2026-11-20'],
    ['no seconds', '2026-11-20T12:34Z'],
    ['a space for the T', '2026-11-20 12:34:56Z'],
    ['an offset without colon', '2026-11-20T12:34:56-0300'],
    ['an offset of hours', '2026-11-20T12:34:56-03'],
    ['an offset of a day', '2026-11-20T12:34:56+24:00'],
    ['an offset of 60 minutes', '2026-11-20T12:34:56+01:60'],
    ['30 February', '2026-02-30T00:00:00Z'],
    ['29 February of a common year', '2026-02-29T00:00:00Z'],
    ['29 February of 1900', '1900-02-29T00:00:00Z'],
    ['31 April', '2026-04-31T00:00:00Z'],
    ['month 13', '2026-13-01T00:00:00Z'],
    ['month 0', '2026-00-01T00:00:00Z'],
    ['day 0', '2026-01-00T00:00:00Z'],
    ['24 o’clock', '2026-01-01T24:00:00Z'],
    ['minute 60', '2026-01-01T00:60:00Z'],
    ['second 61', '2016-12-31T23:59:61Z'],
    ['a leap second at another time', '2016-12-31T22:59:60Z'],
    ['a leap second on another day', '2016-11-30T23:59:60Z'],
    ['a dot without decimals', '2026-01-01T00:00:00.Z'],
    ['a comma', '2026-01-01T00:00:00,5Z'],
    ['a text after it', '2026-01-01T00:00:00Zx'],
    ['a text before it', 'x2026-01-01T00:00:00Z'],
    ['a letter among the digits', '2O26-01-01T00:00:00Z'],
    ['other digits', '２０２６-01-01T00:00:00Z'],
    ['a year of five digits', '12026-01-01T00:00:00Z'],
    ['decimals without end', `2026-01-01T00:00:00.${'0'.repeat(50)}Z`],
    ['nothing', ''],
  ])('refuses %s', (_, text) => {
    expect(parseInstant(text)).toBeNull();
  });

  const dates = fc.date({
    min: new Date('0000-01-02T00:00:00Z'),
    max: new Date('9999-12-30T00:00:00Z'),
    noInvalidDate: true,
  });
  const offsets = fc.integer({ min: -1_439, max: 1_439 });

  it('reads what the platform writes, in any zone', () => {
    fc.assert(
      fc.property(dates, offsets, (date, minutes) => {
        const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1);
        const size = Math.abs(minutes);
        const zone = `${String(Math.floor(size / 60)).padStart(2, '0')}:${String(size % 60).padStart(2, '0')}`;
        expect(parseInstant(`${local}${minutes < 0 ? '-' : '+'}${zone}`)).toEqual(date);
      }),
    );
  });

  it('accepts no day that the calendar does not have', () => {
    const two = fc.integer({ min: 0, max: 40 }).map((n) => String(n).padStart(2, '0'));
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 9_999 }), two, two, (year, month, day) => {
        const text = `${year}-${month}-${day}T00:00:00.000Z`;
        const platform = new Date(text);
        const exists = !Number.isNaN(platform.getTime()) && platform.toISOString() === text;
        expect(parseInstant(text) !== null).toBe(exists);
      }),
    );
  });
});

describe('isCalendarDate', () => {
  it.each(['2026-02-28', '2024-02-29', '0001-01-01'])('knows the day %s', (text) => {
    expect(isCalendarDate(text)).toBe(true);
  });

  it.each(['2026-02-29', '2026-02-31', '2026-13-01', '2026-1-01', '20260101', '2026-01-01T', ''])(
    'knows no day %j',
    (text) => {
      expect(isCalendarDate(text)).toBe(false);
    },
  );
});
