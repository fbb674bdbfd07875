import 'reflect-metadata';
import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { View } from '../fields/view.js';
import { errorCodes, type ErrorCode } from '../../kernel/index.js';

export class TextPositionView {
  @View.integer('Offset in UTF-16 units.', { example: 0 }) start: number;
  @View.integer('Offset of what follows.', { example: 9 }) end: number;
  @View.integer('The line, counted from 1.', { minimum: 1, example: 1 }) line: number;
  @View.integer('The column, counted from 1.', { minimum: 1, example: 1 }) column: number;
}

export class ErrorDetailView {
  @View.text('Path of the field, empty for the whole body.', { example: 'origin.cpfCnpj' }) path: string;
  @View.text('A stable code; a program may rely on it.', { example: 'TAX_ID_INVALID' }) code: string;
  @View.text('For people. Never holds the submitted value.') message: string;

  @View.object(
    TextPositionView,
    'Where in the body that is no JSON, or in the text of a field of the rule language.',
    {
      optional: true,
    },
  )
  position?: TextPositionView;

  @View.text('What could stand there.', { optional: true, example: 'number' }) expected?: string;
  @View.text('What stands there.', { optional: true, example: 'string' }) found?: string;
  @View.text('What was probably meant.', { optional: true, example: 'outgoing.sum24h' }) suggestion?: string;
}

export class ErrorObjectView {
  @View.enum(Object.keys(errorCodes), 'A stable code; a program may rely on it.', {
    example: 'VALIDATION_FAILED',
  })
  code: string;
  @View.text('A sentence for people; its wording may change.') message: string;
  @View.list(ErrorDetailView, 'What is wrong, place by place; empty where there is nothing more to say.')
  details: ErrorDetailView[];
  @View.text('The id of the request, as in `X-Request-Id`.') requestId: string;
  @View.text('Ties together what belongs together; yours, if you sent one.') correlationId: string;
  @View.flag('Whether the same request may succeed later.') retryable: boolean;
  @View.text('Where the code is explained.', {
    example: 'https://vigia.example/docs/errors#VALIDATION_FAILED',
  })
  docs: string;
}

export class ErrorEnvelopeView {
  @ApiProperty({
    description: 'What was asked for; null where there is an error.',
    type: 'null',
    nullable: true,
    example: null,
  })
  data: null;
  @View.object(ErrorObjectView, 'What went wrong; null on success.') error: ErrorObjectView;
}

const EXAMPLE_IDS = {
  requestId: 'req_019364d0c0de7000a000000000000001',
  correlationId: 'order-4711',
};

const DOCUMENTED = 'vigia:errors';

/**
 * Documents the errors of a handler; every route also documents the errors of the guards before it. If it is applied
 * more than once to a route, directly or by other decorators, the codes add up.
 */
export function ApiErrors(...codes: readonly ErrorCode[]): MethodDecorator {
  return (_target, _property, descriptor) => {
    const handler = descriptor.value as object;
    Reflect.defineMetadata(DOCUMENTED, [...new Set([...errorsOf(handler), ...codes])], handler);
  };
}

export const errorsOf = (handler: object): readonly ErrorCode[] =>
  (Reflect.getMetadata(DOCUMENTED, handler) ?? []) as readonly ErrorCode[];

interface DocumentedError {
  readonly description: string;
  readonly content: Record<string, { schema: { $ref: string }; examples: Record<string, { value: object }> }>;
}

/** Returns the documentation of one status: the errors of the codes that have it. */
export function documentedError(status: number, codes: readonly ErrorCode[]): DocumentedError {
  const here = codes.filter((code) => errorCodes[code].status === status);
  const examples = Object.fromEntries(here.map((code) => [code, { value: exampleOf(code) }]));
  const schema = { $ref: getSchemaPath(ErrorEnvelopeView) };
  return {
    description: here.map((code) => `\`${code}\`: ${errorCodes[code].message}`).join('\n\n'),
    content: { 'application/json': { schema, examples } },
  };
}

const exampleOf = (code: ErrorCode): object => ({
  data: null,
  error: {
    code,
    message: errorCodes[code].message,
    details: [],
    ...EXAMPLE_IDS,
    retryable: errorCodes[code].retryable,
    docs: `https://vigia.example/docs/errors#${code}`,
  },
});
