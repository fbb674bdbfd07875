import type { Request, Response } from 'express';
import { DomainError } from '../../../platform/kernel/index.js';
import { OIDC_LOGIN_MINUTES } from '../login/oidc-login.service.js';
import type { LoginGrant } from '../sessions/login-token-issuer.js';

const AUTH_PATH = '/operator/auth';
const REFRESH = 'vigia_refresh';
const DEVICE = 'vigia_device';
const OIDC = 'vigia_oidc';
/** Double-submit cookie: the console sends its value in a header. A page of another site cannot read it. */
const CSRF = 'vigia_csrf';
export const CSRF_HEADER = 'x-csrf-token';

const DAY_MS = 86_400_000;

// Returns the full name of a cookie. Over plain HTTP (development) browsers refuse cookies with the `__Secure-` prefix.
const cookieName = (request: Request, name: string): string => (request.secure ? `__Secure-${name}` : name);

/** The value of a cookie; of the first cookie with that name, because browsers send the most specific path first. */
function readCookie(request: Request, name: string): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at !== -1 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

export const deviceCookie = (request: Request): string | undefined =>
  readCookie(request, cookieName(request, DEVICE));
export const oidcCookie = (request: Request): string | undefined =>
  readCookie(request, cookieName(request, OIDC));

/** Sets the cookies of a login, all HttpOnly but the CSRF token. */
export function setGrantCookies(request: Request, response: Response, grant: LoginGrant): void {
  const secret = { httpOnly: true, secure: request.secure, sameSite: 'strict', path: AUTH_PATH } as const;
  if (grant.refreshToken !== null) response.cookie(cookieName(request, REFRESH), grant.refreshToken, secret);
  if (grant.deviceToken !== null) {
    response.cookie(cookieName(request, DEVICE), grant.deviceToken, { ...secret, maxAge: 180 * DAY_MS });
  }
  response.cookie(cookieName(request, CSRF), grant.csrfToken, { ...secret, httpOnly: false, path: '/' });
}

/** Clears the cookies of a session, but not the cookie of the known device. */
export function clearGrantCookies(request: Request, response: Response): void {
  const secret = { httpOnly: true, secure: request.secure, sameSite: 'strict', path: AUTH_PATH } as const;
  response.clearCookie(cookieName(request, REFRESH), secret);
  response.clearCookie(cookieName(request, CSRF), { ...secret, httpOnly: false, path: '/' });
}

/**
 * Sets the cookie that binds a login at the provider to this browser. SameSite=Lax, because the browser is redirected
 * here from the provider, which is another site.
 */
export function setOidcCookie(request: Request, response: Response, token: string): void {
  response.cookie(cookieName(request, OIDC), token, {
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
  response.clearCookie(cookieName(request, OIDC), options);
}

/**
 * The refresh token from the cookie, and the CSRF token from the header. Throws CSRF_TOKEN_INVALID without the header.
 * SameSite keeps the cookie from other sites; the CSRF token also stops sibling subdomains and old browsers.
 */
export function refreshCookie(
  request: Request,
): { readonly token: string; readonly csrf: string } | undefined {
  const token = readCookie(request, cookieName(request, REFRESH));
  if (token === undefined) return undefined;
  const site = request.headers['sec-fetch-site'];
  const csrf = request.headers[CSRF_HEADER];
  if (typeof csrf !== 'string' || (site !== undefined && site !== 'same-origin')) {
    throw new DomainError('CSRF_TOKEN_INVALID');
  }
  return { token, csrf };
}
