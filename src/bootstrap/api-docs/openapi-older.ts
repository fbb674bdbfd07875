import type { OpenAPIObject } from '@nestjs/swagger';

/**
 * Returns the document in the words of OpenAPI 3.0, for Swagger UI: of 3.1 it reads the whole document again for each
 * thing that it resolves, which takes seconds. Says the same: what may be null is `nullable`.
 */
export const inOlderOpenApi = (document: OpenAPIObject): OpenAPIObject => ({
  ...(inOlderWords(document) as OpenAPIObject),
  openapi: '3.0.3',
});

type Schema = Readonly<Record<string, unknown>>;

function inOlderWords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOlderWords);
  if (typeof value !== 'object' || value === null) return value;
  // Examples are no schemas, whatever their members are called.
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [
    name,
    name === 'example' || name === 'examples' ? member : inOlderWords(member),
  ]);
  return olderSchema(Object.fromEntries(members));
}

function olderSchema(schema: Schema): Schema {
  const { type, anyOf, exclusiveMinimum, ...more } = schema;
  if (type === 'null') return { ...more, nullable: true, enum: [null] };
  if (Array.isArray(type)) {
    const types = type.filter((one) => one !== 'null');
    const nullable = types.length < type.length ? { nullable: true } : {};
    return types.length === 1
      ? { ...schema, type: types[0] as unknown, ...nullable }
      : { ...more, ...nullable };
  }
  if (Array.isArray(anyOf)) {
    const otherSchemas = (anyOf as Schema[]).filter((one) => !isNull(one));
    if (otherSchemas.length === anyOf.length) return schema;
    return { ...more, [otherSchemas.length === 1 ? 'allOf' : 'anyOf']: otherSchemas, nullable: true };
  }
  return typeof exclusiveMinimum === 'number'
    ? { ...schema, minimum: exclusiveMinimum, exclusiveMinimum: true }
    : schema;
}

const isNull = ({ nullable, enum: values }: Schema): boolean =>
  nullable === true && Array.isArray(values) && values.length === 1 && values[0] === null;
