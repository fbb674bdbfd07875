import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Request } from 'express';
import { DomainError, type ErrorDetail } from '../../kernel/index.js';
import { safeFieldName } from '../errors/field-name.js';
import { urlListsOf } from './url-values.js';
import { isProbePath } from '../requests/transport-security.js';

/** A time whose offset lost its sign: in a query a + that is not escaped is a space. */
const PLUS_LOST = /^\d{4}-\d\d-\d\dT[\d:.]+ \d\d:?\d\d$/i;

interface DeclaredQuery {
  /** Names what the handler reads one by one; null if it takes a DTO, which refuses unknown names itself. */
  readonly names: ReadonlySet<string> | null;
  readonly lists: ReadonlySet<string>;
}

/**
 * Refuses repeated query parameters that are no lists, because a proxy may read another value than this service, and
 * unknown parameters, because the caller expects them to have an effect.
 */
@Injectable()
export class QueryGuard implements CanActivate {
  private readonly declared = new WeakMap<object, DeclaredQuery>();

  canActivate(execution: ExecutionContext): boolean {
    const request = execution.switchToHttp().getRequest<Request>();
    if (!request.url.includes('?')) return true;
    if (request.url.includes('%00')) refuseNul(request);
    // Probes may have any parameter, for example to prevent caching; the routes for probes read none.
    if (isProbePath(request.path)) return true;
    const { names, lists } = this.declaredBy(execution);
    const details: ErrorDetail[] = [];
    for (const [name, value] of Object.entries(request.query)) {
      const path = safeFieldName(name);
      if (Array.isArray(value) && !lists.has(name)) {
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

  private declaredBy(execution: ExecutionContext): DeclaredQuery {
    const handler = execution.getHandler();
    let query = this.declared.get(handler);
    if (query === undefined) {
      query = declaredQuery(execution.getClass(), handler.name);
      this.declared.set(handler, query);
    }
    return query;
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

function declaredQuery(controller: { readonly prototype: object }, method: string): DeclaredQuery {
  const declared = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Readonly<
    Record<string, { readonly data?: unknown }>
  >;
  const names = new Set<string>();
  for (const [key, { data }] of Object.entries(declared)) {
    if (!key.startsWith(`${RouteParamtypes.QUERY}:`)) continue;
    if (typeof data !== 'string') {
      const types = Reflect.getMetadata(
        'design:paramtypes',
        controller.prototype,
        method,
      ) as (typeof controller)[];
      const { prototype = {} } = types[Number(key.split(':')[1])] ?? {};
      return { names: null, lists: urlListsOf(prototype) };
    }
    names.add(data);
  }
  return { names, lists: new Set() };
}
