import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LocalDays } from '../../../platform/kernel/values/local-day.js';
import { isBankDay } from '../../../platform/kernel/reference/bank-calendar.js';
import { analysisDeadline, caseClocksOf, reportDeadline, retainUntil, selectionDeadline } from './clocks.js';

const brazil = new LocalDays();
const local = (text: string): Date => new Date(`${text}-03:00`);
const endOf = (day: string): Date => local(`${day}T23:59:59.999`);

describe('a decision to communicate is due at the end of the next day on which banks are open', () => {
  it.each([
    // Carnival: Monday and Tuesday closed, Ash Wednesday open.
    ['2026-02-13T17:00:00', '2026-02-18'],
    ['2027-02-05T10:00:00', '2027-02-10'],
    ['2028-02-25T10:00:00', '2028-03-01'],
    ['2029-02-09T10:00:00', '2029-02-14'],
    ['2030-03-01T10:00:00', '2030-03-06'],
    // Good Friday
    ['2026-04-02T23:59:59', '2026-04-06'],
    ['2027-03-25T09:00:00', '2027-03-29'],
    ['2028-04-13T09:00:00', '2028-04-17'],
    ['2029-03-29T09:00:00', '2029-04-02'],
    ['2030-04-18T09:00:00', '2030-04-22'],
    // Corpus Christi is a Thursday.
    ['2026-06-03T09:00:00', '2026-06-05'],
    ['2027-05-26T09:00:00', '2027-05-28'],
    ['2028-06-14T09:00:00', '2028-06-16'],
    ['2029-05-30T09:00:00', '2029-06-01'],
    ['2030-06-19T09:00:00', '2030-06-21'],
    // Tiradentes, Independence, Aparecida, Finados, Republic, Consciência Negra, Christmas, New Year
    ['2026-04-20T12:00:00', '2026-04-22'],
    ['2026-09-04T12:00:00', '2026-09-08'],
    ['2026-10-09T12:00:00', '2026-10-13'],
    ['2026-10-30T12:00:00', '2026-11-03'],
    ['2027-11-12T12:00:00', '2027-11-16'],
    ['2026-11-19T12:00:00', '2026-11-23'],
    ['2028-11-17T12:00:00', '2028-11-21'],
    ['2026-12-24T12:00:00', '2026-12-28'],
    ['2026-12-31T12:00:00', '2027-01-04'],
    ['2029-12-31T12:00:00', '2030-01-02'],
    // An ordinary Tuesday, a Friday, a Sunday; one minute before midnight belongs to the day before.
    ['2026-07-14T00:00:00', '2026-07-15'],
    ['2026-07-17T18:00:00', '2026-07-20'],
    ['2026-07-19T18:00:00', '2026-07-20'],
    ['2026-07-14T23:59:59', '2026-07-15'],
  ])('decided %s', (decided, due) => {
    expect(reportDeadline(local(decided))).toEqual(endOf(due));
  });

  it('is always a bank day, later, and with no bank day in between, on every day of 2026 to 2030', () => {
    let checked = 0;
    for (
      let at = local('2026-01-01T12:00:00').getTime();
      at < local('2031-01-01T00:00:00').getTime();
      at += 86_400_000
    ) {
      const due = reportDeadline(new Date(at)).getTime();
      expect(isBankDay(brazil.dayOf(due))).toBe(true);
      expect(brazil.dayOf(due + 1)).not.toEqual(brazil.dayOf(due));
      for (
        let between = at + 86_400_000;
        brazil.startOfDay(between) < brazil.startOfDay(due);
        between += 86_400_000
      ) {
        expect(isBankDay(brazil.dayOf(between))).toBe(false);
      }
      checked += 1;
    }
    expect(checked).toBe(1_826);
  });
});

describe('the clocks of the analysis', () => {
  it('give 45 calendar days from the operation to select, and 45 from the selection to analyse', () => {
    expect(selectionDeadline(local('2026-11-20T10:00:00'))).toEqual(endOf('2027-01-04'));
    expect(analysisDeadline(local('2026-12-01T00:00:00'))).toEqual(endOf('2027-01-15'));
    // A leap year: 2028 has a 29 February.
    expect(analysisDeadline(local('2028-01-31T23:30:00'))).toEqual(endOf('2028-03-16'));
  });

  it('take the day in Brazil, not that of UTC', () => {
    expect(selectionDeadline(new Date('2026-11-21T02:59:59Z'))).toEqual(endOf('2027-01-04'));
    expect(selectionDeadline(new Date('2026-11-21T03:00:00Z'))).toEqual(endOf('2027-01-05'));
  });

  it('let a possible sanction wait for an hour, and everything else for its analysis', () => {
    const opened = local('2026-11-20T10:00:00');
    expect(caseClocksOf(opened, opened, true).dueAt).toEqual(local('2026-11-20T11:00:00'));
    expect(caseClocksOf(opened, opened, false)).toMatchObject({
      responseDeadline: null,
      dueAt: endOf('2027-01-04'),
    });
  });

  it('are never before the moment that they run from', () => {
    const moments = fc.date({
      min: local('2026-01-01T00:00:00'),
      max: local('2030-12-31T23:59:59'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moments, (at) => {
        for (const deadline of [selectionDeadline(at), analysisDeadline(at), reportDeadline(at)]) {
          expect(deadline.getTime()).toBeGreaterThan(at.getTime());
        }
        const days = (selectionDeadline(at).getTime() + 1 - brazil.startOfDay(at.getTime())) / 86_400_000;
        expect(days).toBe(46);
      }),
    );
  });
});

it('keeps a record for ten years from the next 1 January', () => {
  expect(retainUntil(local('2026-11-20T10:00:00'))).toBe('2037-01-01');
  expect(retainUntil(local('2026-12-31T23:59:59'))).toBe('2037-01-01');
  expect(retainUntil(local('2027-01-01T00:00:00'))).toBe('2038-01-01');
});
