import { describe, expect, it } from '@jest/globals';
import { sheetOf, subjectTypes } from '../../../sheets.js';
import { approvalStatuses } from '../../approvals/domain/approval.js';
import { exportStatuses } from './export.js';
import { expectationOf } from './expectation.js';

const hash = Buffer.alloc(32, 1);

describe('The sheet of a subject', () => {
  it.each(subjectTypes.filter((type) => sheetOf(type).order))('%s orders every action once', (type) => {
    const { actions, order, events = [] } = sheetOf(type);
    const { first = [], follows = {}, beside = [] } = order ?? {};
    expect(new Set(actions).size).toBe(actions.length);
    const ordered = new Set([...first, ...Object.values(follows).flat(), ...beside]);
    expect(actions.filter((action) => !ordered.has(action))).toEqual([]);
    expect(
      [...Object.keys(follows), ...events].filter((action) => !actions.some((own) => own === action)),
    ).toEqual([]);
  });

  it.each([
    ...approvalStatuses.map((status) => ['approval', { status }] as const),
    ...exportStatuses.map((status) => ['audit_export', { status }] as const),
  ])('%s says how the trail of %j ends', (type, row) => {
    expect(expectationOf(type, row).grammar.last.length).toBeGreaterThan(0);
  });

  it('takes the first entry of a trail from the row that stores its hash, with what the row says', () => {
    const row = { source: 'BCB', rateCount: 2, contentHash: hash, trailHash: hash };
    expect(expectationOf('fx_import', row)).toEqual({
      grammar: { first: ['fx.rates_imported'], follows: {}, last: ['fx.rates_imported'] },
      anchors: [
        {
          action: 'fx.rates_imported',
          hash,
          says: { source: 'BCB', rateCount: 2, contentHash: hash.toString('hex') },
        },
      ],
    });
  });

  it('refuses a row in a state that it does not know', () => {
    expect(() => expectationOf('approval', { status: 'PENDING' })).toThrow(
      'does not know the state of a row',
    );
  });
});
