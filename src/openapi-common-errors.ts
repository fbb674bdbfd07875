import type { OpenAPIObject } from '@nestjs/swagger';
import { documentedError, type Access, type Route } from './http/index.js';
import { errorCodes, type ErrorCode } from './kernel/index.js';

const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** What the guards before every handler of its kind may answer, whatever the handler itself declares. */
const OF_ACCESS: Readonly<Record<Access['kind'], readonly ErrorCode[]>> = {
  client: [
    'CREDENTIALS_MISSING',
    'CREDENTIALS_INVALID',
    'APP_DISABLED',
    'IP_NOT_ALLOWED',
    'SCOPE_INSUFFICIENT',
    'RATE_LIMITED',
    'NOT_READY',
  ],
  operator: ['CREDENTIALS_MISSING', 'CREDENTIALS_INVALID', 'TOKEN_EXPIRED', 'RATE_LIMITED', 'NOT_READY'],
  public: ['RATE_LIMITED', 'NOT_READY'],
  static: [],
  internal: [],
};

/** Adds to each operation the errors that come before its handler and that it does not document itself. */
export function withCommonErrors(document: OpenAPIObject, routes: readonly Route[]): OpenAPIObject {
  for (const { method, path, access } of routes) {
    const template = path.replace(/:([A-Za-z]+)/g, '{$1}');
    const operation = document.paths[template]?.[method.toLowerCase() as 'get' | 'post'];
    if (!operation || !access) continue;
    const codes: readonly ErrorCode[] = [
      'UNSUPPORTED_VERSION',
      'VALIDATION_FAILED',
      ...OF_ACCESS[access.kind],
      ...(access.kind === 'operator' && access.permission !== null
        ? (['PERMISSION_DENIED', 'STRONG_LOGIN_REQUIRED'] as const)
        : []),
      ...(WITH_BODY.has(method)
        ? (['MALFORMED_JSON', 'BODY_TOO_LARGE', 'MEDIA_TYPE_UNSUPPORTED'] as const)
        : []),
    ];
    for (const status of new Set(codes.map((code) => errorCodes[code].status))) {
      operation.responses[String(status)] ??= documentedError(status, codes);
    }
  }
  return document;
}
