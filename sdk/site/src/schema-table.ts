import type { OpenAPIObject } from '@nestjs/swagger';
import { renderInline } from './markdown.js';
import { escapeHtml, scrollableBlock } from './markup.js';

/** The parts of an OpenAPI 3.1 schema that the pages use. */
export interface OpenApiSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly required?: readonly string[];
  readonly items?: OpenApiSchema;
  readonly allOf?: readonly OpenApiSchema[];
  readonly oneOf?: readonly OpenApiSchema[];
  readonly anyOf?: readonly OpenApiSchema[];
  readonly additionalProperties?: boolean | OpenApiSchema;
  readonly enum?: readonly unknown[];
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
}

/** The nesting depth that is shown. A submission needs three levels. */
const DEPTH = 3;

/** Resolves a `$ref` and merges `allOf` parts. */
export function resolveReference(document: OpenAPIObject, schema: OpenApiSchema): OpenApiSchema {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    const referenced = document.components?.schemas?.[name] as OpenApiSchema | undefined;
    if (!referenced) throw new Error(`the document has no schema ${name}`);
    return {
      ...resolveReference(document, referenced),
      ...(schema.description && { description: schema.description }),
    };
  }
  if (!schema.allOf) return schema;
  const { allOf, ...own } = schema;
  const parts = [...allOf.map((part) => resolveReference(document, part)), own];
  return {
    ...parts.reduce<OpenApiSchema>((all, part) => ({ ...all, ...part }), {}),
    properties: Object.fromEntries(parts.flatMap(({ properties }) => Object.entries(properties ?? {}))),
    required: parts.flatMap(({ required }) => required ?? []),
  };
}

/** Renders the properties of a schema as a table; a schema without properties as one line. */
export function schemaTable(document: OpenAPIObject, schema: OpenApiSchema): string {
  const rows = rowsOf(document, schema, '', DEPTH);
  if (rows.length === 0) return `<p>${escapeHtml(typeOf(document, schema))}</p>`;
  return scrollableBlock(
    `<table><thead><tr><th>member</th><th>type</th><th>meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`,
  );
}

function rowsOf(document: OpenAPIObject, schema: OpenApiSchema, prefix: string, depth: number): string[] {
  const { properties = {}, required = [], items, oneOf } = resolveReference(document, schema);
  if (items) return rowsOf(document, items, `${prefix}[]`, depth);
  const [first] = oneOf ?? [];
  if (first && Object.keys(properties).length === 0) return rowsOf(document, first, prefix, depth);
  return Object.entries(properties).flatMap(([name, member]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const { description = '' } = resolveReference(document, member);
    const mark = required.includes(name) ? '' : ' <small>optional</small>';
    const row =
      `<tr><td><code>${escapeHtml(path)}</code>${mark}</td>` +
      `<td>${escapeHtml(typeOf(document, member))}</td><td>${renderInline(description)}</td></tr>`;
    return [row, ...(depth > 1 ? rowsOf(document, member, path, depth - 1) : [])];
  });
}

function typeOf(document: OpenAPIObject, schema: OpenApiSchema): string {
  const { type, format, enum: values, items, oneOf, anyOf } = resolveReference(document, schema);
  if (values) return values.map(String).join(', ');
  if (items) return `array of ${typeOf(document, items)}`;
  const either = oneOf ?? anyOf;
  if (either) return [...new Set(either.map((one) => typeOf(document, one)))].join(' or ');
  const name = [type ?? 'any'].flat().join(' or ');
  return format === undefined ? name : `${name} (${format})`;
}

/** Builds a plausible value from the examples of the properties. */
export function sampleOf(document: OpenAPIObject, schema: OpenApiSchema): unknown {
  const {
    example,
    examples,
    enum: values,
    properties,
    required,
    items,
    oneOf,
    type,
  } = resolveReference(document, schema);
  if (example !== undefined) return example;
  if (examples?.[0] !== undefined) return examples[0];
  if (values) return values[0];
  if (properties) {
    const shownMembers = Object.entries(properties).filter(
      ([name, member]) =>
        (required ?? []).includes(name) || resolveReference(document, member).example !== undefined,
    );
    return Object.fromEntries(shownMembers.map(([name, member]) => [name, sampleOf(document, member)]));
  }
  if (items) return [sampleOf(document, items)];
  if (oneOf?.[0]) return sampleOf(document, oneOf[0]);
  return { string: 'text', integer: 1, number: 1, boolean: true, object: {}, null: null }[
    [type].flat()[0] ?? 'null'
  ];
}
