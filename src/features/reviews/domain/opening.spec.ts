import { describe, expect, it } from '@jest/globals';
import {
  requestKey,
  caseKey,
  collectingKey,
  LACKING,
  planOpenings,
  type ExistingCases,
  type CaseAlert,
} from './opening.js';

const NOTHING: ExistingCases = { collecting: new Map(), about: new Map(), asked: new Map() };
const ids = (): (() => string) => {
  let last = 0;
  return () => `r${(last += 1)}`;
};
const request = (fields: Partial<CaseAlert>): CaseAlert => ({
  organisationId: 'o',
  kind: 'SCORE',
  theme: 'STRUCTURING',
  customerId: 'c',
  clientAppId: 'a',
  priority: 'HIGH',
  riskScore: 70,
  occurredAt: new Date(0),
  requestId: null,
  correlationId: null,
  ...fields,
});
const asks = (ref: string, evaluationVersion = 1): Pick<CaseAlert, 'transaction'> => ({
  transaction: { ref, evaluationVersion },
});
const fates = (plans: ReturnType<typeof planOpenings>): string[] =>
  plans.map(({ fate, reviewId }) => `${fate} ${reviewId}`);

describe('what becomes of requests for a review', () => {
  it('what is said about a customer is one case for each theme, customer and organisation', () => {
    const plans = planOpenings(
      [
        request(asks('t1')),
        request(asks('t2')),
        request({ ...asks('t3'), kind: 'HIT' }),
        request({ ...asks('t4'), theme: 'FRAUD' }),
        request({ ...asks('t5'), customerId: 'other' }),
        request({ ...asks('t6'), organisationId: 'other' }),
        request({ ...asks('t7'), customerId: null }),
        request({ ...asks('t8'), customerId: null }),
      ],
      NOTHING,
      ids(),
    );
    expect(fates(plans)).toEqual([
      ...['OPENS r1', 'JOINS r1', 'JOINS r1', 'OPENS r2', 'OPENS r3', 'OPENS r4', 'OPENS r5', 'OPENS r6'],
    ]);
    expect(plans.map(({ collects }) => collects)).toEqual([true, true, true, true, true, true, false, false]);
  });

  it('what is paid by nobody to a party that a list names is one case for each party', () => {
    const paid = (ref: string, ...hitIds: string[]): CaseAlert =>
      request({ ...asks(ref), kind: 'HIT', theme: 'SCREENING', customerId: null, hitIds });
    const known = { ...NOTHING, collecting: new Map([[collectingKey('o', 'h3', 'SCREENING'), 'g']]) };
    const plans = planOpenings(
      [paid('t1', 'h1'), paid('t2', 'h1'), paid('t3', 'h2'), paid('t4', 'h2', 'h1'), paid('t5', 'h3')],
      known,
      ids(),
    );
    expect(fates(plans)).toEqual(['OPENS r1', 'JOINS r1', 'OPENS r2', 'JOINS r1', 'JOINS g']);
    expect(plans.map(({ collects }) => collects)).toEqual([true, true, true, true, true]);
  });

  it('an alert joins the case that takes alerts about its theme', () => {
    const known = { ...NOTHING, collecting: new Map([[collectingKey('o', 'c', 'DATA_GAP'), 'g']]) };
    const gap = request({ kind: 'DATA_GAP', theme: 'DATA_GAP', ...asks('t1') });
    expect(fates(planOpenings([gap, request(asks('t2'))], known, ids()))).toEqual(['JOINS g', 'OPENS r1']);
  });

  it('what a session came to, what a person asks and what is taken up again stand by themselves', () => {
    const alone = [
      request({ kind: 'SESSION', sessionRef: 's1' }),
      request({ kind: 'MANUAL', ...asks('t1') }),
      request({ reopens: 'r0' }),
    ];
    const plans = planOpenings([request(asks('t0')), ...alone], NOTHING, ids());
    expect(fates(plans)).toEqual(['OPENS r1', 'OPENS r2', 'OPENS r3', 'OPENS r4']);
    expect(plans.map(({ collects }) => collects)).toEqual([true, false, false, false]);
  });

  it('another evaluation of a transaction joins the case that is open about it', () => {
    const known = { ...NOTHING, about: new Map([[caseKey('o', 't1'), 'open']]) };
    const plans = planOpenings(
      [request(asks('t1', 2)), request({ kind: 'DATA_GAP', ...asks('t1', 3) })],
      known,
      ids(),
    );
    expect(fates(plans)).toEqual(['JOINS open', 'JOINS open']);
    expect(plans.map(({ own }) => own)).toEqual([true, true]);
  });

  it('who asks twice is told the same case, also when it is closed', () => {
    const known = {
      ...NOTHING,
      asked: new Map([
        [requestKey('o', 't1', 1), 'closed'],
        [requestKey('o', 's1', null), 'session'],
      ]),
    };
    const plans = planOpenings(
      [request(asks('t1')), request(asks('t1', 2)), request({ kind: 'SESSION', sessionRef: 's1' })],
      known,
      ids(),
    );
    expect(fates(plans)).toEqual(['STANDS closed', 'OPENS r1', 'STANDS session']);
  });

  it('what a session lacks is a case of its own, and only one', () => {
    const lacks = request({ kind: 'DATA_GAP', sessionRef: 's1' });
    const ended = request({ kind: 'SESSION', sessionRef: 's1' });
    expect(fates(planOpenings([lacks, lacks, ended, lacks], NOTHING, ids()))).toEqual([
      'OPENS r1',
      'STANDS r1',
      'OPENS r2',
      'STANDS r1',
    ]);
    const known = { ...NOTHING, asked: new Map([[requestKey('o', 's1', LACKING), 'before']]) };
    expect(fates(planOpenings([ended, lacks], known, ids()))).toEqual(['OPENS r1', 'STANDS before']);
  });

  it('a person opens a case of their own', () => {
    const known = { ...NOTHING, asked: new Map([[requestKey('o', 't1', 1), 'before']]) };
    expect(fates(planOpenings([request({ kind: 'MANUAL', ...asks('t1') })], known, ids()))).toEqual([
      'OPENS r1',
    ]);
  });
});
