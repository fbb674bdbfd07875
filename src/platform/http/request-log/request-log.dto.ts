import { Field } from '../fields/field.js';
import { View } from '../fields/view.js';
import { instantOfUuid, publicId } from '../../kernel/index.js';
import { PageQuery } from '../paging.js';
import type { LoggedRequest } from '../store/request-log.statements.js';

export class RequestQuery extends PageQuery {
  @Field.text('The request of this `X-Request-Id`, yours or ours.', {
    max: 128,
    optional: true,
    example: 'req_019364d0c0de7000a000000000000001',
  })
  requestId?: string;

  @Field.text('Only this route, as `route` shows it.', {
    max: 128,
    optional: true,
    example: '/kyt/transactions/ingest',
  })
  route?: string;

  @Field.integer('Only this status.', { min: 100, max: 599, url: true, optional: true, example: 400 })
  status?: number;

  @Field.text('Only this error code.', { max: 64, optional: true, example: 'VALIDATION_FAILED' })
  code?: string;

  @Field.instant('From this time on.', { optional: true }) since?: string;
  @Field.instant('Before this time.', { optional: true }) until?: string;
}

export class OperatorRequestQuery extends RequestQuery {
  @Field.id('app', 'Whose requests.', {
    form: 'the id of an application, app_…',
    defined: true,
    example: 'app_01999e8e7c5b7d0f9a3c5f2d1b4e6a11',
  })
  clientAppId: string;
}

export class RequestFaultView {
  @View.text('Path of the field, empty for the whole body; a name that is none of the contract is `*`.', {
    example: 'amount',
  })
  path: string;
  @View.text('A stable code; a program may rely on it.', { example: 'AMOUNT_NOT_POSITIVE' }) code: string;
}

export class LoggedRequestView {
  @View.id('req', 'As in `X-Request-Id`.') requestId: string;
  @View.text('Ties together what belongs together; yours, if you sent one.', { example: 'order-4711' })
  correlationId: string;
  @View.instant('When it began.') at: string;
  @View.text('The HTTP method.', { example: 'POST' }) method: string;
  @View.text('The route, with names in the place of ids.', { example: '/kyt/transactions/ingest' })
  route: string;
  @View.integer('Of the answer; 499 when the caller hung up before it.', { example: 400 }) status: number;
  @View.textOrNull('Of the error.', { example: 'VALIDATION_FAILED' }) code: string | null;
  @View.number('How long it took, in milliseconds.', { example: 4.2 }) durationMs: number;
  @View.integerOrNull('Size of the body; null when it was not told.', { example: 812 }) bytesIn:
    number | null;

  @View.texts(
    'The members that the body had, two levels deep, never their values. Names that are none of the contract are `*`.',
    {
      example: ['transactionId', 'amount', 'origin', 'origin.name'],
    },
  )
  fields: readonly string[];

  @View.list(RequestFaultView, 'What was wrong, and where.') faults: readonly RequestFaultView[];

  static of(row: LoggedRequest): LoggedRequestView {
    const requestId = row.requestId ?? publicId('req', row.id);
    const { method, route, status, code, durationMs, bytesIn } = row;
    return {
      requestId,
      correlationId: row.correlationId ?? requestId,
      at: instantOfUuid(row.id).toISOString(),
      ...{ method, route, status, code, durationMs, bytesIn },
      fields: row.fields === null || row.fields === '' ? [] : row.fields.split(' '),
      faults: (row.faults?.split('\n') ?? []).map((line) => {
        const at = line.lastIndexOf(' ');
        return { path: line.slice(0, at), code: line.slice(at + 1) };
      }),
    };
  }
}
