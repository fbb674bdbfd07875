import { describe, expect, it } from '@jest/globals';
import { mayBeErased, retentionOf } from './retention.js';

describe('how long the records of a customer are kept', () => {
  it('ten years from the next 1 January, of whatever ended last', () => {
    const lastOperationAt = new Date('2026-12-31T23:00:00-03:00');
    expect(retentionOf({ lastOperationAt, relationshipEndedOn: '2020-05-01' })).toEqual({
      until: '2037-01-01',
    });
    expect(retentionOf({ lastOperationAt, relationshipEndedOn: '2027-05-01' })).toEqual({
      until: '2038-01-01',
    });
    expect(retentionOf({ lastOperationAt: null, relationshipEndedOn: '2014-06-30' })).toEqual({
      until: '2025-01-01',
    });
  });

  it('as long as the relationship lasts', () => {
    const retention = retentionOf({ lastOperationAt: new Date(0), relationshipEndedOn: null });
    expect(retention).toEqual({ until: null, why: 'RELATIONSHIP' });
    expect(mayBeErased(retention, '2099-01-01')).toBe(false);
  });

  it('not at all when nothing came about', () => {
    const retention = retentionOf({ lastOperationAt: null, relationshipEndedOn: null });
    expect(mayBeErased(retention, '2026-11-20')).toBe(true);
  });

  it('to the day', () => {
    expect(mayBeErased({ until: '2037-01-01' }, '2036-12-31')).toBe(false);
    expect(mayBeErased({ until: '2037-01-01' }, '2037-01-01')).toBe(true);
  });
});
