import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { Settings } from '../../platform/config/index.js';
import {
  ACCESS,
  exchangeOf,
  OperatorGate,
  RateLimiter,
  requireTokens,
  setRateHeaders,
  spendTokens,
  strongPermissions,
  spendNetworkTokens,
  type Access,
  type OperatorPrincipal,
  type Permission,
  type RateLimit,
  type RateVerdict,
  type ApiScope,
} from '../../platform/http/index.js';
import { DomainError, errorAt, assertNever } from '../../platform/kernel/index.js';
import { Quotas } from '../../platform/quotas/index.js';
import { ClientDirectoryService, organisationRate } from './client-directory.service.js';

/** Enforces the access that a route declares: credentials, application state, scope, IP addresses, rate limits. */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly accessByHandler = new WeakMap<object, Access>();

  constructor(
    private readonly reflector: Reflector,
    private readonly clients: ClientDirectoryService,
    private readonly operators: OperatorGate,
    private readonly limiter: RateLimiter,
    private readonly quotas: Quotas,
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
        await this.limitStranger(request, response);
        return true;
      case 'static':
      case 'internal':
        return true;
      default:
        return assertNever(access);
    }
  }

  private accessOf(execution: ExecutionContext): Access {
    const handler = execution.getHandler();
    let access = this.accessByHandler.get(handler);
    if (!access) {
      access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, [handler, execution.getClass()]);
      if (!access) throw new Error(`${execution.getClass().name}.${handler.name} declares no access`);
      this.accessByHandler.set(handler, access);
    }
    return access;
  }

  private async letClientIn(request: Request, response: Response, scope: ApiScope): Promise<void> {
    const id = request.headers['x-client-id'];
    const secret = request.headers['x-client-secret'];
    if (typeof id !== 'string' || typeof secret !== 'string' || id === '' || secret === '') {
      throw credentialsMissing(CLIENT_HEADERS.filter((name) => (request.headers[name] ?? '') === ''));
    }
    const client = await this.clients.verify(id, secret);
    if (!client) throw await this.countFailure(request, response, 'client');
    exchangeOf(request).client = client.principal;
    if (!client.enabled) throw new DomainError('APP_DISABLED');
    if (client.addresses && !client.addresses.includes(request.ip)) {
      throw new DomainError('IP_NOT_ALLOWED');
    }
    if (!client.principal.scopes.has(scope)) {
      throw errorAt('SCOPE_INSUFFICIENT', 'x-client-id', 'SCOPE_MISSING', `The scope ${scope} is needed.`);
    }
    await spendTokens(this.limiter, response, client.principal, 1);
  }

  private async letOperatorIn(
    request: Request,
    response: Response,
    permission: Permission | null,
  ): Promise<void> {
    const [, token] = /^Bearer +([^ ]+)$/i.exec(request.headers.authorization ?? '') ?? [];
    if (token === undefined) throw credentialsMissing(['authorization']);
    const operator = await this.operators.authenticate(token);
    if (operator === 'EXPIRED') throw new DomainError('TOKEN_EXPIRED');
    if (operator === null) throw await this.countFailure(request, response, 'operator');
    exchangeOf(request).operator = operator;
    await this.limitOperator(response, operator);
    const refusalCode = permission === null ? null : refusalCodeOf(operator, permission);
    if (permission === null || refusalCode === null) return;
    const { requestId, correlationId } = exchangeOf(request).context;
    const route = (request.route as { path: string }).path;
    const ip = request.ip ?? null;
    await this.operators.recordRefusal(operator, {
      permission,
      reason: refusalCode,
      route,
      ip,
      requestId,
      correlationId,
    });
    throw new DomainError(refusalCode, {
      details: [
        {
          path: 'authorization',
          code: 'PERMISSION_MISSING',
          message: `The permission ${permission} is needed.`,
        },
      ],
    });
  }

  private async limitOperator(response: Response, { id, organisationId }: OperatorPrincipal): Promise<void> {
    const limit = perMinute(this.settings.rateLimitOperatorPerMinute);
    requireAllowed(response, 'operator', limit, await this.limiter.take(`operator:${id}`, limit));
    // The limit of all operators together is at least the limit of one operator.
    const { perSecond, burst } = organisationRate(this.quotas.cachedLimits(organisationId).requestsPerSecond);
    const together = { perSecond: Math.max(perSecond, limit.perSecond), burst: Math.max(burst, limit.burst) };
    requireTokens(await this.limiter.take(`operators:${organisationId}`, together));
  }

  private async limitStranger(request: Request, response: Response): Promise<void> {
    const limit = perMinute(this.settings.rateLimitPublicPerMinute);
    const verdict = await spendNetworkTokens(this.limiter, 'public', request.ip, limit);
    requireAllowed(response, 'public', limit, verdict);
  }

  /**
   * Counts failures per network, over all ids tried from it, so that an attacker cannot use up the limit of an
   * application. Clients and operators are counted separately. Returns the error of the response.
   */
  private async countFailure(request: Request, response: Response, of: string): Promise<DomainError> {
    const limit = perMinute(this.settings.rateLimitFailuresPerMinute);
    const verdict = await spendNetworkTokens(this.limiter, `failures:${of}`, request.ip, limit);
    if (verdict.allowed) return new DomainError('CREDENTIALS_INVALID');
    setRateHeaders(response, 'failed-credentials', limit, verdict);
    return new DomainError('RATE_LIMITED', { retryAfterSeconds: verdict.retryAfterSeconds });
  }
}

const CLIENT_HEADERS = ['x-client-id', 'x-client-secret'] as const;

const credentialsMissing = (headers: readonly string[]): DomainError =>
  new DomainError('CREDENTIALS_MISSING', {
    details: headers.map((path) => ({ path, code: 'REQUIRED', message: 'Send this header, once.' })),
  });

const perMinute = (calls: number): RateLimit => ({ perSecond: calls / 60, burst: calls });

function requireAllowed(response: Response, kind: string, limit: RateLimit, verdict: RateVerdict): void {
  setRateHeaders(response, kind, limit, verdict);
  if (!verdict.allowed) {
    throw new DomainError('RATE_LIMITED', { retryAfterSeconds: verdict.retryAfterSeconds });
  }
}

/** Returns the error code if the operator may not use the permission; null otherwise. */
function refusalCodeOf(
  operator: OperatorPrincipal,
  permission: Permission,
): 'PERMISSION_DENIED' | 'STRONG_LOGIN_REQUIRED' | null {
  if (!operator.permissions.has(permission)) return 'PERMISSION_DENIED';
  return strongPermissions.has(permission) && !operator.strong ? 'STRONG_LOGIN_REQUIRED' : null;
}
