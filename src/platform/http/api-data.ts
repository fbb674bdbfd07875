import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';

interface ApiDataOptions {
  /** 200 when left out. */
  readonly status?: number;
  readonly description: string;
}

/** Documents an answer `{ data: view, error: null }`, as `envelope` makes it; `null` if the answer has no data. */
export function ApiData(view: Type | null, { status = 200, description }: ApiDataOptions): MethodDecorator {
  return applyDecorators(
    ...(view ? [ApiExtraModels(view)] : []),
    ApiResponse({
      status,
      description,
      schema: {
        type: 'object',
        required: ['data', 'error'],
        properties: {
          data: view ? { $ref: getSchemaPath(view) } : { type: 'null' },
          error: { type: 'null' },
        },
      },
    }),
  );
}
