import type { OpenAPIObject } from '@nestjs/swagger';
import { renderInline, renderText } from './markdown.js';
import { codeBlock, escapeHtml, scrollableBlock } from './markup.js';
import { resolveReference, sampleOf, schemaTable, type OpenApiSchema } from './schema-table.js';
import { snippetsOf, type SampleCall } from './snippets.js';

interface Media {
  readonly schema?: OpenApiSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value?: unknown }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: OpenApiSchema;
  readonly example?: unknown;
}

/** The parts of an OpenAPI operation that the pages use. */
export interface OpenApiOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly deprecated: boolean;
  readonly isClients: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: Media | null;
  readonly isUpload: boolean;
  readonly answers: readonly {
    readonly status: string;
    readonly description: string;
    readonly media: Media | null;
  }[];
}

interface RawOperation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, Media>> };
  readonly responses?: Readonly<
    Record<string, { readonly description?: string; readonly content?: Readonly<Record<string, Media>> }>
  >;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
export function operationsOf(document: OpenAPIObject): readonly OpenApiOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const raw = item[method] as RawOperation | undefined;
      const tag = raw?.tags?.[0] ?? '';
      return raw === undefined ? [] : [operationOf(path, method, tag, raw)];
    }),
  );
}

function operationOf(path: string, method: string, tag: string, raw: RawOperation): OpenApiOperation {
  const content = raw.requestBody?.content ?? {};
  return {
    id: raw.operationId ?? '',
    method: method.toUpperCase(),
    path,
    tag,
    summary: raw.summary ?? '',
    description: raw.description ?? '',
    deprecated: raw.deprecated ?? false,
    isClients: (raw.security ?? []).some((one) => 'client-id' in one),
    parameters: raw.parameters ?? [],
    body: content['application/json'] ?? Object.values(content)[0] ?? null,
    isUpload: 'multipart/form-data' in content,
    answers: Object.entries(raw.responses ?? {}).map(([status, answer]) => ({
      status,
      description: answer.description ?? '',
      media: answer.content?.['application/json'] ?? null,
    })),
  };
}

/** Returns the tags in use, in document order. */
export const tagsOf = (document: OpenAPIObject, operations: readonly OpenApiOperation[]): readonly string[] =>
  (document.tags ?? []).map(({ name }) => name).filter((name) => operations.some(({ tag }) => tag === name));

/** Renders the list of all operations, by tag. */
export function referenceIndex(document: OpenAPIObject, operations: readonly OpenApiOperation[]): string {
  const tags = tagsOf(document, operations);
  const described = new Map(document.tags?.map(({ name, description }) => [name, description]));
  const parts = tags.map(
    (tag) =>
      `<h2>${escapeHtml(tag)}</h2>${renderText(described.get(tag) ?? '')}<ul class="operations">${operations
        .filter((one) => one.tag === tag)
        .map(
          ({ id, method, path, summary }) =>
            `<li><a href="/developers/reference/${id}"><span class="method">${method}</span> <code>${escapeHtml(path)}</code></a> <span>${escapeHtml(summary)}</span></li>`,
        )
        .join('')}</ul>`,
  );
  return (
    `<h1>API reference</h1>${renderText(document.info.description ?? '')}` +
    `<p>Version <code>${escapeHtml(document.info.version)}</code>, the only one so far: send it as <code>X-API-Version</code> and your program goes on as it was written when there is a newer one. The OpenAPI 3.1 document: <a href="/openapi.json">JSON</a>, <a href="/openapi.yaml">YAML</a>. The main journeys as an <a href="/developers/files/arazzo.json">Arazzo document</a>; a <a href="/developers/postman.json">collection for Postman, Bruno and Insomnia</a>. <a href="/docs">Try it in Swagger UI</a>. The API for operators has a <a href="/operator/docs">document of its own</a>.</p>${parts.join('')}`
  );
}

export function operationPage(document: OpenAPIObject, operation: OpenApiOperation, baseUrl: string): string {
  const { method, path, summary, description, parameters, body, answers, deprecated, tag } = operation;
  const rows = parameters.map(
    ({ name, in: place, required, description: words = '' }) =>
      `<tr><td><code>${escapeHtml(name)}</code>${required ? '' : ' <small>optional</small>'}</td><td>${escapeHtml(place)}</td><td>${renderInline(words)}</td></tr>`,
  );
  return [
    `<p><a href="/developers/reference">API reference</a> / ${escapeHtml(tag)}</p>`,
    `<h1>${escapeHtml(summary)}</h1><p><code>${method} ${escapeHtml(path)}</code>${deprecated ? ' <b>Deprecated.</b>' : ''}</p>`,
    renderText(description),
    '<h2>Call it</h2>',
    ...snippetsOf(sampleCall(document, operation), baseUrl).map(
      ({ title, language, code }) => `<h3>${title}</h3>${codeBlock(code, language)}`,
    ),
    rows.length > 0
      ? `<h2>Parameters</h2>${scrollableBlock(`<table><thead><tr><th>name</th><th>in</th><th>meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`)}`
      : '',
    body?.schema ? `<h2>Body</h2>${schemaTable(document, body.schema)}` : '',
    '<h2>Answers</h2>',
    ...answers.map(
      ({ status, description: words, media }) =>
        `<h3>${status}</h3>${renderText(linkErrorCodes(words))}${Number(status) < 300 ? answerOf(document, media) : ''}`,
    ),
  ].join('\n');
}

/** Links the codes of errors to their remedies. */
const linkErrorCodes = (words: string): string =>
  words.replaceAll(/^`([A-Z_]+)`:/gm, (_all, code: string) => `[\`${code}\`](/docs/errors#${code}):`);

function answerOf(document: OpenAPIObject, media: Media | null): string {
  if (!media?.schema) return '';
  return (
    codeBlock(JSON.stringify(exampleIn(document, media), null, 2), 'json') +
    schemaTable(document, media.schema)
  );
}

const exampleIn = (document: OpenAPIObject, media: Media): unknown =>
  media.example ?? Object.values(media.examples ?? {})[0]?.value ?? sampleOf(document, media.schema ?? {});

/** Returns the example of a parameter; null if it has none that is a text. */
export function sampleText(
  document: OpenAPIObject,
  parameter: OpenApiOperation['parameters'][number] | undefined,
): string | null {
  const example: unknown = parameter?.example ?? resolveReference(document, parameter?.schema ?? {}).example;
  return typeof example === 'string' ? example : null;
}

/** Returns a sample call of an operation with plausible values. */
export function sampleCall(document: OpenAPIObject, operation: OpenApiOperation): SampleCall {
  const { id, method, path, parameters, body, isUpload, isClients } = operation;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const parameter = parameters.find((one) => one.name === name && one.in === 'path');
    return encodeURIComponent(sampleText(document, parameter) ?? name);
  });
  return {
    operationId: id,
    method,
    path: filled,
    body: isUpload || body === null ? null : exampleIn(document, body),
    isUpload,
    asClient: isClients,
  };
}
