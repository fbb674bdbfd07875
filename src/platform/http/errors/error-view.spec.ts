import { describe, expect, it } from '@jest/globals';
import {
  BadRequestException,
  NotFoundException,
  PayloadTooLargeException,
  UnauthorizedException,
} from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { OutcomeUnknownError } from '../../database/index.js';
import { DomainError, errorCodes, type ErrorCode } from '../../kernel/index.js';
import { errorView, failureEnvelope, problemDetails, toDomainError } from './error-view.js';

const ids = { requestId: 'req-1', correlationId: 'cor-1' };
const withCode = (code: string): Error => Object.assign(new Error('secret detail'), { code });

describe('toDomainError', () => {
  it('leaves an error of the domain as it is', () => {
    const error = new DomainError('APP_DISABLED');
    expect(toDomainError(error)).toBe(error);
  });

  it.each<[unknown, ErrorCode]>([
    [new NotFoundException('Cannot GET /x'), 'ROUTE_NOT_FOUND'],
    [new BadRequestException(), 'MALFORMED_REQUEST'],
    [new PayloadTooLargeException(), 'BODY_TOO_LARGE'],
    [new URIError('URI malformed'), 'MALFORMED_REQUEST'],
    [withCode('ECONNREFUSED'), 'NOT_READY'],
    [withCode('57P01'), 'NOT_READY'],
    [new OutcomeUnknownError(withCode('ECONNRESET')), 'OUTCOME_UNKNOWN'],
    [withCode('53300'), 'NOT_READY'],
    [new Error('timeout exceeded when trying to connect'), 'NOT_READY'],
    [new QueryFailedError('SELECT 1', [], withCode('08006')), 'NOT_READY'],
    [new QueryFailedError('SELECT 1', [], withCode('23505')), 'INTERNAL_ERROR'],
    // A status that this service never means: it must not pass as one of its own codes.
    [new UnauthorizedException(), 'INTERNAL_ERROR'],
    [new TypeError('x is not a function'), 'INTERNAL_ERROR'],
    ['a thrown text', 'INTERNAL_ERROR'],
    [undefined, 'INTERNAL_ERROR'],
    [null, 'INTERNAL_ERROR'],
  ])('%p is %s', (thrown, code) => {
    expect(toDomainError(thrown)).toMatchObject({ code, details: [] });
  });

  it('keeps the cause for the log, and asks to come back when the database is away', () => {
    const thrown = withCode('ECONNREFUSED');
    expect(toDomainError(thrown)).toMatchObject({ cause: thrown, retryAfterSeconds: 1 });
  });
});

describe('errorView', () => {
  it.each(Object.keys(errorCodes) as ErrorCode[])(
    '%s says what the registry says, and nothing of the cause',
    (code) => {
      const error = new DomainError(code, { cause: withCode('23505'), headers: { Allow: 'GET' } });
      expect(errorView(error, ids, 'https://vigia.example')).toEqual({
        code,
        message: errorCodes[code].message,
        details: [],
        ...ids,
        retryable: errorCodes[code].retryable,
        docs: `https://vigia.example/docs/errors#${code}`,
      });
    },
  );

  it('retryable are exactly those that a later attempt may change', () => {
    const retryable = Object.entries(errorCodes).filter(([, definition]) => definition.retryable);
    expect(retryable.map(([code]) => code).sort()).toEqual(
      [
        'CUSTOM_FIELDS_ALTERED',
        'IDEMPOTENCY_IN_PROGRESS',
        'INTERNAL_ERROR',
        'MAIL_UNAVAILABLE',
        'NOT_READY',
        'OUTCOME_UNKNOWN',
        'OVERLOADED',
        'RATE_LIMITED',
        'REQUEST_TIMEOUT',
      ].sort(),
    );
  });

  it('stands in the envelope, or as problem details with the same facts', () => {
    const details = [{ path: 'amount', code: 'AMOUNT_NOT_POSITIVE', message: 'Must be greater than zero.' }];
    const view = errorView(new DomainError('VALIDATION_FAILED', { details }), ids, 'https://vigia.example');
    expect(failureEnvelope(view)).toEqual({ data: null, error: view });
    expect(problemDetails(view, 400)).toEqual({
      type: view.docs,
      title: view.message,
      status: 400,
      code: 'VALIDATION_FAILED',
      details,
      ...ids,
      retryable: false,
    });
  });
});
