import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Settings } from '../../config/index.js';
import { DomainError } from '../../kernel/index.js';
import { spendNetworkTokens } from '../limits/networks.js';
import { RateLimiter } from '../limits/rate-limiter.js';

/** Returns the origins that may call a route with this resource id; none for a resource that does not exist. */
export type OriginsOf = (resourceId: string) => Promise<readonly string[]>;

interface OpenRoute {
  readonly pattern: RegExp;
  readonly methods: readonly string[];
  readonly originsOf: OriginsOf;
}

// Headers that a page may send beyond the headers that CORS always allows, and headers of an answer that it may read.
const REQUEST_HEADERS = 'Content-Type, X-Request-Id, X-Correlation-Id, X-API-Version';
const RESPONSE_HEADERS = 'X-Request-Id, X-Correlation-Id, RateLimit, RateLimit-Policy, Retry-After';
// Browsers cache a preflight for 10 minutes, so that the removal of an origin soon takes effect.
const PREFLIGHT_SECONDS = '600';

/**
 * Allows pages of other origins to call the few routes that are meant for browsers, each for the origins that the
 * owner of the resource has listed. Other routes have no CORS headers, and no answer allows credentials.
 */
@Injectable()
export class CrossOrigin {
  private readonly routes: OpenRoute[] = [];

  constructor(
    private readonly limiter: RateLimiter,
    private readonly settings: Settings,
  ) {}

  /** Allows cross-origin calls of a route, such as `/client-apps/public/:id`; its one parameter is the resource id. */
  allow(path: string, methods: readonly string[], originsOf: OriginsOf): void {
    const pattern = new RegExp(`^${path.replace(/:[A-Za-z]+/, '([^/]+)')}/?$`);
    this.routes.push({ pattern, methods, originsOf });
  }

  /** The middleware: answers preflights and adds CORS headers to answers. Requests without an Origin pass unchanged. */
  readonly middleware = (request: Request, response: Response, next: NextFunction): void => {
    const { origin } = request.headers;
    if (origin === undefined) next();
    else {
      this.answer(request, response, origin).then((answered) => {
        if (!answered) next();
      }, next);
    }
  };

  /** Returns true if the request was a preflight and has been answered. */
  private async answer(request: Request, response: Response, origin: string): Promise<boolean> {
    const route = this.routes.find(({ pattern }) => pattern.test(request.path));
    if (!route) return false;
    // A cache must not reuse the answer for another origin.
    response.vary('Origin');
    const requestedMethod = request.headers['access-control-request-method'];
    const isPreflight = request.method === 'OPTIONS' && requestedMethod !== undefined;
    if (isPreflight) await this.limitPreflight(request);
    const [, resource = ''] = route.pattern.exec(request.path) ?? [];
    const origins = await route.originsOf(decodePart(resource));
    if (!origins.includes(origin)) return false;
    response.setHeader('Access-Control-Allow-Origin', origin);
    if (!isPreflight) {
      response.setHeader('Access-Control-Expose-Headers', RESPONSE_HEADERS);
      return false;
    }
    if (!route.methods.includes(requestedMethod)) return false;
    response.setHeader('Access-Control-Allow-Methods', route.methods.join(', '));
    response.setHeader('Access-Control-Allow-Headers', REQUEST_HEADERS);
    response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
    response.status(204).end();
    return true;
  }

  /** Limits preflights by address, because each costs a lookup, and none has credentials. */
  private async limitPreflight(request: Request): Promise<void> {
    const perMinute = this.settings.rateLimitPublicPerMinute;
    const limit = { perSecond: perMinute / 60, burst: perMinute };
    const verdict = await spendNetworkTokens(this.limiter, 'public', request.ip, limit);
    if (!verdict.allowed) {
      throw new DomainError('RATE_LIMITED', { retryAfterSeconds: verdict.retryAfterSeconds });
    }
  }
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return ''; // no resource has this id; the route itself reports the invalid path
  }
}
