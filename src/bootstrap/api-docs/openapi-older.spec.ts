import { describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { inOlderOpenApi } from './openapi-older.js';

const older = (schema: object): unknown => {
  const document = { openapi: '3.1.0', info: {}, paths: {}, components: { schemas: { One: schema } } };
  return inOlderOpenApi(document as unknown as OpenAPIObject).components?.schemas?.['One'];
};

describe('a schema in the words of OpenAPI 3.0', () => {
  it.each([
    [
      { type: ['string', 'null'], maxLength: 3 },
      { type: 'string', maxLength: 3, nullable: true },
    ],
    [{ type: ['string', 'integer'] }, {}],
    [{ type: 'null' }, { nullable: true, enum: [null] }],
    [
      { anyOf: [{ $ref: '#/components/schemas/Two' }, { type: 'null' }], description: 'It.' },
      { allOf: [{ $ref: '#/components/schemas/Two' }], description: 'It.', nullable: true },
    ],
    [
      { properties: { type: { type: ['object', 'null'], properties: { a: { type: 'string' } } } } },
      { properties: { type: { type: 'object', nullable: true, properties: { a: { type: 'string' } } } } },
    ],
    [
      { type: 'number', exclusiveMinimum: 0 },
      { type: 'number', minimum: 0, exclusiveMinimum: true },
    ],
    [{ example: { type: ['a', 'null'] } }, { example: { type: ['a', 'null'] } }],
  ])('%j is %j', (schema, expected) => {
    expect(older(schema)).toEqual(expected);
  });
});
