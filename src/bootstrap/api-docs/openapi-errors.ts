import type { OpenAPIObject } from '@nestjs/swagger';
import {
  accessErrors,
  documentedError,
  isForIntegrators,
  pathTemplate,
  type DeclaredRoute,
} from '../../platform/http/index.js';
import { errorCodes, type ErrorCode } from '../../platform/kernel/index.js';

const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Adds the error responses of each operation: one per status, with an example per code. */
export function withErrors(document: OpenAPIObject, routes: readonly DeclaredRoute[]): OpenAPIObject {
  for (const route of routes) {
    const template = pathTemplate(route.path);
    const operation = document.paths[template]?.[route.method.toLowerCase() as 'get' | 'post'];
    if (!operation) continue;
    const codes = errorsOf(route);
    for (const status of new Set(codes.map((code) => errorCodes[code].status))) {
      operation.responses[String(status)] = documentedError(status, codes);
    }
  }
  return document;
}

/** Returns the codes that only operator routes return. */
export function errorsOfOperators(routes: readonly DeclaredRoute[]): ReadonlySet<ErrorCode> {
  const everybody = new Set(routes.filter(isForIntegrators).flatMap(errorsOf));
  return new Set(routes.flatMap(errorsOf).filter((code) => !everybody.has(code)));
}

/** Returns the errors of a handler and of the guards before it. */
function errorsOf({ method, access, errors, maxBytes }: DeclaredRoute): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>(['UNSUPPORTED_VERSION', 'VALIDATION_FAILED', ...errors, 'INTERNAL_ERROR']);
  if (access) for (const code of accessErrors[access.kind]) codes.add(code);
  if (access?.kind === 'operator' && access.permission !== null) {
    codes.add('PERMISSION_DENIED').add('STRONG_LOGIN_REQUIRED');
  }
  if (WITH_BODY.has(method)) {
    codes.add('MEDIA_TYPE_UNSUPPORTED');
    if (maxBytes !== null) codes.add('MALFORMED_JSON').add('BODY_TOO_LARGE');
  }
  return [...codes];
}
