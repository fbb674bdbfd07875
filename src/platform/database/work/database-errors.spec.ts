import { describe, expect, it } from '@jest/globals';
import { commitFailure, isDatabaseUnavailable, OutcomeUnknownError } from './database-errors.js';

const withCode = (code: string): Error => Object.assign(new Error('it failed'), { code });

describe('a commit that failed', () => {
  it.each(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', '08006', '57P01', '57014'])(
    'with %s may have taken place',
    (code) => {
      const failure = commitFailure(withCode(code));
      expect(failure).toBeInstanceOf(OutcomeUnknownError);
      expect(isDatabaseUnavailable(failure)).toBe(true);
      expect((failure as OutcomeUnknownError).code).toBe(code);
    },
  );

  it.each(['23505', '40001', '53100', '53300', '25006', 'ECONNREFUSED'])('with %s did not', (code) => {
    const error = withCode(code);
    expect(commitFailure(error)).toBe(error);
  });

  it('may have taken place when its connection ended, not when it was never sent', () => {
    expect(commitFailure(new Error('Connection terminated unexpectedly'))).toBeInstanceOf(
      OutcomeUnknownError,
    );
    const unsent = new Error('Client has encountered a connection error and is not queryable');
    expect(commitFailure(unsent)).toBe(unsent);
  });
});
