import type { Request, Response } from 'express';
import { DomainError } from '../../../platform/kernel/index.js';
import { OIDC_LOGIN_MINUTES } from '../login/oidc-login.service.js';
import type { Grant } from '../sessions/session-grants.js';

const AUTH_PATH = '/operator/auth';
const REFRESH = 'vigia_refresh';
const DEVICE = 'vigia_device';
const OIDC = 'vigia_oidc';
/** Readable by our own pages, which send it back in a header; a page of somebody else can do neither. */
const CSRF = 'vigia_csrf';
export const CSRF_HEADER = 'x-csrf-token';

const DAY_MS = 86_400_000;

// Over plain HTTP (a laptop) a browser would not keep a Secure cookie, so there the names go without the prefix.
const named = (request: Request, name: string): string => (request.secure ? `__Secure-${name}` : name);

/** The value of a cookie; the first one when a browser sends several of the same name (the most specific path). */
function cookie(request: Request, name: string): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at !== -1 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

export const deviceCookie = (request: Request): string | undefined => cookie(request, named(request, DEVICE));
export const oidcCookie = (request: Request): string | undefined => cookie(request, named(request, OIDC));

/** Puts what a browser keeps into cookies: nothing that a script can read, but for the CSRF token. */
export function setGrantCookies(request: Request, response: Response, grant: Grant): void {
  const secret = { httpOnly: true, secure: request.secure, sameSite: 'strict', path: AUTH_PATH } as const;
  if (grant.refreshToken !== null) response.cookie(named(request, REFRESH), grant.refreshToken, secret);
  if (grant.deviceToken !== null) {
    response.cookie(named(request, DEVICE), grant.deviceToken, { ...secret, maxAge: 180 * DAY_MS });
  }
  response.cookie(named(request, CSRF), grant.csrfToken, { ...secret, httpOnly: false, path: '/' });
}

/** Takes the cookies of a session back; the device stays known. */
export function clearGrantCookies(request: Request, response: Response): void {
  const secret = { httpOnly: true, secure: request.secure, sameSite: 'strict', path: AUTH_PATH } as const;
  response.clearCookie(named(request, REFRESH), secret);
  response.clearCookie(named(request, CSRF), { ...secret, httpOnly: false, path: '/' });
}

/** Lax: the browser comes back from the identity provider, and that is another site. */
export function setOidcCookie(request: Request, response: Response, token: string): void {
  response.cookie(named(request, OIDC), token, {
    httpOnly: true,
    secure: request.secure,
    sameSite: 'lax',
    path: `${AUTH_PATH}/oidc`,
    maxAge: OIDC_LOGIN_MINUTES * 60_000,
  });
}

export function clearOidcCookie(request: Request, response: Response): void {
  const options = {
    httpOnly: true,
    secure: request.secure,
    sameSite: 'lax',
    path: `${AUTH_PATH}/oidc`,
  } as const;
  response.clearCookie(named(request, OIDC), options);
}

/**
 * The refresh token in the cookie, with the CSRF token that has to come with it. SameSite keeps the cookie from other
 * sites; this keeps out what SameSite does not know (a sibling subdomain, an old browser).
 */
export function refreshCookie(
  request: Request,
): { readonly token: string; readonly csrf: string } | undefined {
  const token = cookie(request, named(request, REFRESH));
  if (token === undefined) return undefined;
  const site = request.headers['sec-fetch-site'];
  const csrf = request.headers[CSRF_HEADER];
  if (typeof csrf !== 'string' || (site !== undefined && site !== 'same-origin')) {
    throw new DomainError('CSRF_TOKEN_INVALID');
  }
  return { token, csrf };
}
