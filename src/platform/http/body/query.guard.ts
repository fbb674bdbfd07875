import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Request } from 'express';
import { DomainError, type ErrorDetail } from '../../kernel/index.js';
import { safeFieldName } from '../errors/field-name.js';
import { isProbePath } from '../requests/transport-security.js';

/** A time whose offset lost its sign: in a query a + that is not escaped is a space. */
const PLUS_LOST = /^\d{4}-\d\d-\d\dT[\d:.]+ \d\d:?\d\d$/i;

/** The query parameters that a handler reads one by one; null if it takes a DTO, which refuses unknown names itself. */
type KnownNames = ReadonlySet<string> | null;

/**
 * Refuses repeated query parameters, because a proxy may read another value than this service, and unknown parameters,
 * because the caller expects them to have an effect.
 */
@Injectable()
export class QueryGuard implements CanActivate {
  private readonly knownNames = new WeakMap<object, KnownNames>();

  canActivate(execution: ExecutionContext): boolean {
    const request = execution.switchToHttp().getRequest<Request>();
    if (!request.url.includes('?')) return true;
    if (request.url.includes('%00')) refuseNul(request);
    // Probes may have any parameter, for example to prevent caching; the routes for probes read none.
    if (isProbePath(request.path)) return true;
    const names = this.namesOf(execution);
    const details: ErrorDetail[] = [];
    for (const [name, value] of Object.entries(request.query)) {
      const path = safeFieldName(name);
      if (Array.isArray(value)) {
        details.push({ path, code: 'DUPLICATE_PARAMETER', message: 'The parameter may be given once.' });
      } else if (names && !names.has(name)) {
        details.push({ path, code: 'UNKNOWN_FIELD', message: 'The route has no such parameter.' });
      } else if (typeof value === 'string' && PLUS_LOST.test(value)) {
        details.push({
          path,
          code: 'DATETIME_INVALID',
          message: 'The + of the offset has become a space: write it as %2B, or the time with Z.',
        });
      }
    }
    if (details.length > 0) throw new DomainError('VALIDATION_FAILED', { details: details.slice(0, 20) });
    return true;
  }

  private namesOf(execution: ExecutionContext): KnownNames {
    const handler = execution.getHandler();
    let names = this.knownNames.get(handler);
    if (names === undefined) {
      names = declaredNames(execution.getClass(), handler.name);
      this.knownNames.set(handler, names);
    }
    return names;
  }
}

/** Refuses U+0000, with which a query of PostgreSQL would fail. */
function refuseNul(request: Request): void {
  const details = Object.entries(request.query)
    .filter(
      ([name, value]) =>
        name.includes('\0') || [value].flat().some((one) => typeof one === 'string' && one.includes('\0')),
    )
    .map(([name]): ErrorDetail => ({
      path: safeFieldName(name),
      code: 'NUL_CHARACTER',
      message: 'The text holds U+0000, which cannot be stored.',
    }));
  if (details.length > 0) throw new DomainError('VALIDATION_FAILED', { details: details.slice(0, 20) });
}

function declaredNames(controller: object, method: string): KnownNames {
  const declared = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Readonly<
    Record<string, { readonly data?: unknown }>
  >;
  const names = new Set<string>();
  for (const [key, { data }] of Object.entries(declared)) {
    if (!key.startsWith(`${RouteParamtypes.QUERY}:`)) continue;
    if (typeof data !== 'string') return null;
    names.add(data);
  }
  return names;
}
