import {
  isForIntegrators,
  pathTemplate,
  RouteTable,
  type DeclaredRoute,
} from '../../src/platform/http/index.js';
import type { TestApp } from './app.js';

export type Schema = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly schema?: Schema;
  readonly example?: unknown;
}

export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;
  };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >;
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** A route as the router has it, beside its place in the document. */
export interface DocumentedRoute {
  readonly route: DeclaredRoute;
  readonly document: ApiDocument;
  readonly template: string;
  readonly method: string;
  readonly operation: Operation;
}

/** The routes of an application; throws for one that its document does not know. */
export async function documentedRoutes(t: TestApp): Promise<DocumentedRoute[]> {
  const get = async (path: string): Promise<ApiDocument> =>
    (await t.api.get(path).expect(200)).body as ApiDocument;
  const [integrators, operators] = [await get('/openapi.json'), await get('/operator/openapi.json')];
  return t.app
    .get(RouteTable)
    .routes()
    .map((route) => {
      const document = isForIntegrators(route) ? integrators : operators;
      const template = pathTemplate(route.path);
      const method = route.method.toLowerCase();
      const operation = document.paths[template]?.[method];
      if (!operation) throw new Error(`${route.method} ${route.path} is in no OpenAPI document`);
      return { route, document, template, method, operation };
    });
}

/** The schema itself, without references to it. */
export function resolved(document: ApiDocument, schema: Schema): Schema {
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const name = reference.split('/').at(-1) ?? '';
    return resolved(document, document.components.schemas[name] ?? {});
  }
  const [only, ...others] = (schema['allOf'] ?? []) as Schema[];
  return only && others.length === 0 ? resolved(document, only) : schema;
}

export const isObjectSchema = (schema: Schema): boolean =>
  schema['type'] === 'object' || schema['properties'] !== undefined;

/** A value that conforms, as the document's own examples say: required members and those with an example. */
export function exampleOf(document: ApiDocument, given: Schema, depth = 0): unknown {
  const schema = resolved(document, given);
  if ('example' in schema) return schema['example'];
  if ('default' in schema) return schema['default'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0] as unknown;
  const alternatives = (schema['oneOf'] ?? schema['anyOf']) as Schema[] | undefined;
  if (alternatives?.[0]) return exampleOf(document, alternatives[0], depth);
  const type = Array.isArray(schema['type']) ? (schema['type'] as unknown[])[0] : schema['type'];
  if (isObjectSchema(schema)) {
    const properties = (schema['properties'] ?? {}) as Record<string, Schema>;
    const required = (schema['required'] ?? []) as string[];
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => required.includes(name) && depth < 6)
        .map(([name, property]) => [name, exampleOf(document, property, depth + 1)]),
    );
  }
  if (type === 'array') {
    const many = Number(schema['minItems'] ?? 0);
    return Array.from({ length: many }, () =>
      exampleOf(document, (schema['items'] ?? {}) as Schema, depth + 1),
    );
  }
  if (type === 'integer' || type === 'number') return schema['minimum'] ?? 1;
  if (type === 'boolean') return false;
  if (type === 'null') return null;
  if (schema['format'] === 'date-time') return '2026-11-20T12:00:00.000Z';
  return 'example';
}

/** The schema of a JSON body, if the route takes one. */
export const bodySchema = ({ requestBody }: Operation): Schema | undefined =>
  requestBody?.content['application/json']?.schema;

/** The route's path with these values, or the document's own examples, for its parameters. */
export function pathOf(
  { template, operation }: DocumentedRoute,
  values: Readonly<Record<string, string>> = {},
): string {
  return template.replace(/\{([A-Za-z]+)\}/g, (_, name: string) => {
    const parameter = operation.parameters?.find((one) => one.in === 'path' && one.name === name);
    const example = parameter?.example ?? parameter?.schema?.['example'];
    return encodeURIComponent(values[name] ?? (typeof example === 'string' ? example : 'x'));
  });
}
