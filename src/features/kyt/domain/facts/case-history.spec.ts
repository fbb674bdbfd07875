import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CaseHistory, type CustomerCaseHistory, type CustomerCases, type PastAlert } from './case-history.js';

const DAY = 86_400_000;
const NOW = Date.parse('2026-11-18T12:00:00Z');
const SETTLED_DAYS = 7;

// Moments that meet at the edges of the windows.
const moment = fc.nat(80).map((halfDays) => NOW - (halfDays * DAY) / 2);
const aCase = fc.record({
  closedAt: fc.option(moment, { freq: 2 }),
  alerts: fc.array(
    fc.record({
      transaction: fc.nat(30),
      evaluationVersion: fc.integer({ min: 1, max: 3 }),
      points: fc.option(fc.integer({ min: -5, max: 100 }), { freq: 6 }),
    }),
    { maxLength: 12 },
  ),
});
const settled = fc.array(
  fc.record({ rule: fc.constantFrom('a', 'b', 'c'), amount: fc.nat(1_000), closedAt: moment }),
  { maxLength: 6 },
);

/** Every alert is looked at for each transaction, one after another. */
function naively(
  { openCases, mergedCases, confirmedFraud, ...cases }: CustomerCases,
  at: number,
  ref: string,
): CustomerCaseHistory {
  const newest = new Map<string, PastAlert>();
  for (const alert of cases.alerts) {
    const counts =
      alert.transactionRef !== ref &&
      (alert.closedAt === null || alert.closedAt > at - 30 * DAY) &&
      alert.occurredAt <= at &&
      alert.occurredAt > at - 30 * DAY;
    const known = newest.get(alert.transactionRef);
    if (counts && (!known || alert.evaluationVersion > known.evaluationVersion)) {
      newest.set(alert.transactionRef, alert);
    }
  }
  const month = [...newest.values()];
  const week = month.filter(({ occurredAt }) => occurredAt > at - 7 * DAY);
  const sum = (alerts: readonly PastAlert[]): number =>
    alerts.reduce((all, { points }) => all + (points ?? 0), 0);
  const isUnknown = (alerts: readonly PastAlert[]): boolean => alerts.some(({ points }) => points === null);
  const near = cases.settled.filter(({ closedAt }) => Math.abs(closedAt - at) < SETTLED_DAYS * DAY);
  return {
    ...{ openCases, mergedCases, confirmedFraud },
    ...{
      points7d: sum(week),
      unknown7d: isUnknown(week),
      points30d: sum(month),
      unknown30d: isUnknown(month),
    },
    settled: new Map(
      [...new Set(near.map(({ rule }) => rule))].map((rule) => [
        rule,
        Math.max(...near.filter((one) => one.rule === rule).map(({ amount }) => amount)),
      ]),
    ),
  };
}

describe('the cases of a customer', () => {
  it('give each of many transactions the facts that a look at every alert gives', () => {
    fc.assert(
      fc.property(
        fc.array(aCase, { maxLength: 6 }),
        settled,
        fc.array(moment, { minLength: 31, maxLength: 31 }),
        fc.array(fc.nat(30), { minLength: 1, maxLength: 10 }),
        (made, rules, times, asked) => {
          // One transaction occurred once, and each evaluation of it has the same points in every case.
          const points = new Map<string, number | null>();
          const alerts = made.flatMap(({ closedAt, alerts: own }) =>
            own.map(({ transaction, evaluationVersion, points: fresh }): PastAlert => {
              const evaluation = `${transaction}.${evaluationVersion}`;
              if (!points.has(evaluation)) points.set(evaluation, fresh);
              return {
                transactionRef: `t${transaction}`,
                evaluationVersion,
                points: points.get(evaluation) ?? null,
                occurredAt: times[transaction] ?? NOW,
                closedAt,
              };
            }),
          );
          const cases = {
            openCases: made.length,
            mergedCases: made.length % 3,
            confirmedFraud: made.length > 3,
            alerts,
            settled: rules,
          };
          const history = new CaseHistory(cases, SETTLED_DAYS);
          for (const transaction of asked) {
            const [at, ref] = [times[transaction] ?? NOW, `t${transaction}`];
            expect(history.at(at, ref)).toEqual(naively(cases, at, ref));
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
