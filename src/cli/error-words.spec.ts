import { describe, expect, it } from '@jest/globals';
import { readSettings } from '../platform/config/index.js';
import { DomainError } from '../platform/kernel/index.js';
import { describeError } from './error-words.js';

const thrownBy = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('it did not throw');
};

describe('what a command says when it fails', () => {
  it('a refusal comes with every fault', () => {
    const details = [{ path: 'url', code: 'HTTPS_REQUIRED', message: 'Must be https.' }];
    expect(describeError(new DomainError('VALIDATION_FAILED', { details }))).toMatch(
      /\n {2}url: HTTPS_REQUIRED, Must be https\.$/,
    );
  });

  it('a file that is missing is named', () => {
    const error = Object.assign(new Error('ENOENT: no such file or directory'), {
      code: 'ENOENT',
      path: '/nowhere/list.csv',
    });
    expect(describeError(error)).toBe('There is no file /nowhere/list.csv.');
  });

  it('settings that are missing because nothing runs: it says what to start', () => {
    const error = thrownBy(() => readSettings({}));
    expect(describeError(error, { DATA_DIR: '/srv/vigia' })).toContain(
      'No npm start is running on /srv/vigia.',
    );
    expect(describeError(error, { DATABASE_URL: 'postgres://db/vigia' })).not.toContain(
      'npm start is running',
    );
  });

  it('a database that does not answer: the error of Node has no words of its own', () => {
    const error = Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' });
    expect(describeError(error)).toContain('The database does not answer');
  });
});
