import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { Settings } from '../config/index.js';
import {
  ACCESS,
  exchangeOf,
  OperatorGate,
  RateLimiter,
  setRateHeaders,
  spendTokens,
  strongPermissions,
  type Access,
  type OperatorPrincipal,
  type Permission,
  type Scope,
} from '../http/index.js';
import { DomainError, exhaustive } from '../kernel/index.js';
import { ClientDirectory } from './client-directory.service.js';

/** Enforces what the routes declare: credentials, state of the application, scope, addresses and rate limits. */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly declared = new WeakMap<object, Access>();

  constructor(
    private readonly reflector: Reflector,
    private readonly clients: ClientDirectory,
    private readonly operators: OperatorGate,
    private readonly limiter: RateLimiter,
    private readonly settings: Settings,
  ) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const access = this.accessOf(execution);
    const http = execution.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    switch (access.kind) {
      case 'client':
        await this.letClientIn(request, response, access.scope);
        return true;
      case 'operator':
        await this.letOperatorIn(request, response, access.permission);
        return true;
      case 'public':
        await this.limit(response, 'public', request.ip ?? '', this.settings.rateLimitPublicPerMinute);
        return true;
      case 'static':
      case 'internal':
        return true;
      default:
        return exhaustive(access);
    }
  }

  private accessOf(execution: ExecutionContext): Access {
    const handler = execution.getHandler();
    let access = this.declared.get(handler);
    if (!access) {
      access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, [handler, execution.getClass()]);
      if (!access) throw new Error(`${execution.getClass().name}.${handler.name} declares no access`);
      this.declared.set(handler, access);
    }
    return access;
  }

  private async letClientIn(request: Request, response: Response, scope: Scope): Promise<void> {
    const id = request.headers['x-client-id'];
    const secret = request.headers['x-client-secret'];
    if (typeof id !== 'string' || typeof secret !== 'string' || id === '' || secret === '') {
      throw new DomainError('CREDENTIALS_MISSING');
    }
    const client = await this.clients.verify(id, secret);
    if (!client) throw await this.refusal(request, response, id);
    exchangeOf(request).client = client.principal;
    if (!client.enabled) throw new DomainError('APP_DISABLED');
    if (client.addresses && !client.addresses.holds(request.ip)) {
      throw new DomainError('IP_NOT_ALLOWED');
    }
    if (!client.principal.scopes.has(scope)) {
      throw new DomainError('SCOPE_INSUFFICIENT', {
        details: [{ path: 'x-client-id', code: 'SCOPE_MISSING', message: `The scope ${scope} is needed.` }],
      });
    }
    await spendTokens(this.limiter, response, client.principal, 1);
  }

  private async letOperatorIn(
    request: Request,
    response: Response,
    permission: Permission | null,
  ): Promise<void> {
    const [, token] = /^Bearer +([^ ]+)$/i.exec(request.headers.authorization ?? '') ?? [];
    if (token === undefined) throw new DomainError('CREDENTIALS_MISSING');
    const operator = await this.operators.recognise(token);
    if (operator === 'EXPIRED') throw new DomainError('TOKEN_EXPIRED');
    if (operator === null) throw await this.refusal(request, response, 'operator');
    exchangeOf(request).operator = operator;
    await this.limit(response, 'operator', operator.id, this.settings.rateLimitOperatorPerMinute);
    const missing = permission === null ? null : wantOf(operator, permission);
    if (permission === null || missing === null) return;
    const { requestId, correlationId } = exchangeOf(request).context;
    const route = (request.route as { path: string }).path;
    const ip = request.ip ?? null;
    await this.operators.refused(operator, {
      permission,
      reason: missing,
      route,
      ip,
      requestId,
      correlationId,
    });
    throw new DomainError(missing, {
      details: [
        {
          path: 'authorization',
          code: 'PERMISSION_MISSING',
          message: `The permission ${permission} is needed.`,
        },
      ],
    });
  }

  private async limit(
    response: Response,
    kind: 'operator' | 'public',
    whose: string,
    perMinute: number,
  ): Promise<void> {
    const limit = { perSecond: perMinute / 60, burst: perMinute };
    const verdict = await this.limiter.take(`${kind}:${whose}`, limit);
    setRateHeaders(response, kind, limit, verdict);
    if (!verdict.allowed) {
      throw new DomainError('RATE_LIMITED', { retryAfterSeconds: verdict.retryAfterSeconds });
    }
  }

  /** Failures have a bucket of their own, so that an attacker cannot use up the limit of the application. */
  private async refusal(request: Request, response: Response, id: string): Promise<DomainError> {
    const perMinute = this.settings.rateLimitFailuresPerMinute;
    const limit = { perSecond: perMinute / 60, burst: perMinute };
    const verdict = await this.limiter.take(`failure:${request.ip ?? ''}:${id.slice(0, 128)}`, limit);
    if (verdict.allowed) return new DomainError('CREDENTIALS_INVALID');
    setRateHeaders(response, 'failed-credentials', limit, verdict);
    return new DomainError('RATE_LIMITED', { retryAfterSeconds: verdict.retryAfterSeconds });
  }
}

/** Why the operator may not do this, or null. */
function wantOf(
  operator: OperatorPrincipal,
  permission: Permission,
): 'PERMISSION_DENIED' | 'STRONG_LOGIN_REQUIRED' | null {
  if (!operator.permissions.has(permission)) return 'PERMISSION_DENIED';
  return strongPermissions.has(permission) && !operator.strong ? 'STRONG_LOGIN_REQUIRED' : null;
}
