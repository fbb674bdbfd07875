import type { OpenAPIObject } from '@nestjs/swagger';
import {
  pathTemplate,
  strongPermissions,
  type Access,
  type DeclaredRoute,
} from '../../platform/http/index.js';
import { HEADERS } from './openapi-headers.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type HeaderName = keyof typeof HEADERS;
interface Answer {
  headers?: Record<string, unknown>;
}

/** Adds to each operation who may call it (as text and as security requirement) and its response headers. */
export function withRoutes(document: OpenAPIObject, routes: readonly DeclaredRoute[]): OpenAPIObject {
  for (const route of routes) {
    const methods = document.paths[pathTemplate(route.path)];
    const operation = methods?.[route.method.toLowerCase() as 'get' | 'post'];
    if (!operation || !route.access) continue;
    // An empty list declares "no credentials"; without it, a reader could think that security was forgotten.
    operation.security ??= [];
    // A missing description stays missing, so that the check of the documents finds it.
    if (operation.description) {
      operation.description = [
        operation.description,
        whoMayCall(route.access),
        limitsOf(route, operation),
        auditNoteOf(route),
      ]
        .filter(Boolean)
        .join('\n\n');
    }
    for (const [status, response] of Object.entries(operation.responses)) {
      const answer = response as Answer;
      const names = headersOf(route.access, operation, Number(status));
      const references = names.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const);
      answer.headers = { ...answer.headers, ...Object.fromEntries(references) };
    }
  }
  return document;
}

function whoMayCall(access: Access): string {
  switch (access.kind) {
    case 'client':
      return `For client applications with the scope \`${access.scope}\`.`;
    case 'operator':
      if (access.permission === null) return 'For every operator who is logged in.';
      return `For operators with the permission \`${access.permission}\`${
        strongPermissions.has(access.permission) ? ', after a login with a second factor' : ''
      }.`;
    case 'public':
      return 'Needs no credentials; calls are limited per address.';
    case 'static':
      return 'Needs no credentials.';
    case 'internal':
      return 'For probes and scrapers inside the network; needs no credentials.';
  }
}

/** States the body size limit as text. Path and query parameters have limits in their schemas. */
const limitsOf = ({ maxBytes }: DeclaredRoute, { requestBody }: Operation): string =>
  requestBody && maxBytes !== null ? `The body has at most ${maxBytes / 1_024} KiB.` : '';

const auditNoteOf = ({ reads }: DeclaredRoute): string =>
  reads === null ? '' : 'Who reads it is written into the audit trail.';

function headersOf(
  access: Access,
  { parameters = [], deprecated }: Operation,
  status: number,
): readonly HeaderName[] {
  const names: HeaderName[] = ['X-Request-Id', 'X-Correlation-Id', 'X-API-Version'];
  const limited = access.kind !== 'static' && access.kind !== 'internal';
  if (limited && (status < 300 || status === 429)) names.push('RateLimit', 'RateLimit-Policy');
  if (status === 429 || status === 503) names.push('Retry-After');
  if (status === 401) names.push('WWW-Authenticate');
  if (status === 302 || status === 303) names.push('Location');
  const replays = parameters.some((one) => 'name' in one && one.name === 'Idempotency-Key');
  // On the deprecated route the key is the transaction id, so a repeated request is a duplicate and not a replay.
  if (replays && !deprecated && status < 300) names.push('Idempotency-Replayed');
  if (deprecated) names.push('Deprecation', 'Link');
  return names;
}

/** Adds the headers that a document refers to. */
export function withHeaders(document: OpenAPIObject): OpenAPIObject {
  const text = JSON.stringify(document);
  const usedHeaders = Object.entries(HEADERS).filter(([name]) =>
    text.includes(`#/components/headers/${name}"`),
  );
  return { ...document, components: { ...document.components, headers: Object.fromEntries(usedHeaders) } };
}
