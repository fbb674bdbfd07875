import { describe, expect, it } from '@jest/globals';
import { describeFailure } from './failure.js';

describe('describeFailure', () => {
  it('names what the database names, and quotes nothing that it quotes', () => {
    const driverError = Object.assign(new Error('duplicate key: (tax_id)=(52998224725)'), {
      ...{ code: '23505', constraint: 'events_sequence', table: 'events', detail: '(52998224725)' },
    });
    const error = Object.assign(new Error('query failed'), { name: 'QueryFailedError', driverError });
    expect(describeFailure(error)).toBe('QueryFailedError 23505 constraint events_sequence table events');
    expect(describeFailure(Object.assign(new Error('x'), { code: 'ENOSPC' }))).toBe('Error ENOSPC');
    expect(describeFailure({ name: 'a value: 52998224725' })).toBe('unknown error');
    expect(describeFailure(null)).toBe('unknown error');
  });
});
