import 'reflect-metadata';
import { ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { errorCodes, type ErrorCode } from '../kernel/index.js';

export class TextPositionView {
  @ApiProperty({ type: 'integer', example: 0, description: 'Offset in UTF-16 units.' })
  start: number;

  @ApiProperty({ type: 'integer', example: 9, description: 'Offset of what follows.' })
  end: number;

  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
  line: number;

  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
  column: number;
}

export class ErrorDetailView {
  @ApiProperty({ description: 'Path of the field, empty for the whole body.', example: 'origin.cpfCnpj' })
  path: string;

  @ApiProperty({ example: 'TAX_ID_INVALID' })
  code: string;

  @ApiProperty({ description: 'For people. Never holds the submitted value.' })
  message: string;

  @ApiPropertyOptional({
    type: TextPositionView,
    description: 'Where in the text of the field, for texts of the rule language.',
  })
  position?: TextPositionView;

  @ApiPropertyOptional({ description: 'What could stand there.', example: 'number' })
  expected?: string;

  @ApiPropertyOptional({ description: 'What stands there.', example: 'string' })
  found?: string;

  @ApiPropertyOptional({ description: 'What was probably meant.', example: 'outgoing.sum24h' })
  suggestion?: string;
}

export class ErrorObjectView {
  @ApiProperty({ enum: Object.keys(errorCodes), example: 'VALIDATION_FAILED' })
  code: string;

  @ApiProperty()
  message: string;

  @ApiProperty({ type: [ErrorDetailView] })
  details: ErrorDetailView[];

  @ApiProperty()
  requestId: string;

  @ApiProperty()
  correlationId: string;

  @ApiProperty({ description: 'Whether the same request may succeed later.' })
  retryable: boolean;

  @ApiProperty({ description: 'Where the code is explained.', example: '/docs/errors#VALIDATION_FAILED' })
  docs: string;
}

export class ErrorEnvelopeView {
  @ApiProperty({ type: 'null', nullable: true, example: null })
  data: null;

  @ApiProperty({ type: ErrorObjectView })
  error: ErrorObjectView;
}

const EXAMPLE_IDS = {
  requestId: 'req_019364d0c0de7000a000000000000001',
  correlationId: 'order-4711',
};

const DOCUMENTED = 'vigia:errors';

/**
 * Says which errors a route has of its own; those that come before its handler stand in every document anyway. Used more
 * than once on a route (also by other decorators), the codes add up.
 */
export function ApiErrors(...codes: readonly ErrorCode[]): MethodDecorator {
  return (_target, _property, descriptor) => {
    const handler = descriptor.value as object;
    Reflect.defineMetadata(DOCUMENTED, [...new Set([...errorsOf(handler), ...codes])], handler);
  };
}

/** What a handler says of its errors. */
export const errorsOf = (handler: object): readonly ErrorCode[] =>
  (Reflect.getMetadata(DOCUMENTED, handler) ?? []) as readonly ErrorCode[];

interface DocumentedError {
  readonly description: string;
  readonly content: Record<string, { schema: { $ref: string }; examples: Record<string, { value: object }> }>;
}

/** What a document says of the errors of one status: those of the codes that have it. */
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
    docs: `/docs/errors#${code}`,
  },
});
