import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiSecurity } from '@nestjs/swagger';
import type { ErrorCode } from '../../kernel/index.js';
import type { Permission, Role } from './permissions.js';
import type { ApiScope } from './scopes.js';

export * from './scopes.js';

/** Who may call a route. A route without this declaration stops the start. */
export type Access =
  | { readonly kind: 'client'; readonly scope: ApiScope }
  /** Logged-in operators with the permission; all logged-in operators if it is null. */
  | { readonly kind: 'operator'; readonly permission: Permission | null }
  /** Without credentials, limited per address. */
  | { readonly kind: 'public' }
  /** A static file of the service. No rate limit: it is served from memory, so a refusal costs as much as the file. */
  | { readonly kind: 'static' }
  /** For probes and scrapers inside the network: without credentials and without rate limit. */
  | { readonly kind: 'internal' };

/** By kind of access, the errors of the guards before the handler. */
export const accessErrors: Readonly<Record<Access['kind'], readonly ErrorCode[]>> = {
  client: [
    ...(['CREDENTIALS_MISSING', 'CREDENTIALS_INVALID', 'APP_DISABLED', 'IP_NOT_ALLOWED'] as const),
    ...(['SCOPE_INSUFFICIENT', 'RATE_LIMITED', 'NOT_READY', 'OUTCOME_UNKNOWN'] as const),
  ],
  operator: [
    ...(['CREDENTIALS_MISSING', 'CREDENTIALS_INVALID', 'TOKEN_EXPIRED'] as const),
    ...(['RATE_LIMITED', 'NOT_READY', 'OUTCOME_UNKNOWN'] as const),
  ],
  public: ['RATE_LIMITED', 'NOT_READY', 'OUTCOME_UNKNOWN'],
  static: [],
  internal: [],
};

export const ACCESS = 'vigia:access';

export const OPERATOR_SCHEME = 'operator-token';

export const forClient = (scope: ApiScope): Access => ({ kind: 'client', scope });

/** Access for operators with this permission, or for any logged-in operator. The path must be below `/operator`. */
export const forOperator = (permission?: Permission): Access => ({
  kind: 'operator',
  permission: permission ?? null,
});

/** Without credentials; calls are limited per address. */
export const forEverybody: Access = { kind: 'public' };

/** For static files of the service, without rate limit. */
export const forStaticFile: Access = { kind: 'static' };

/** For probes and scrapers inside the network. */
export const forProbes: Access = { kind: 'internal' };

/** Declares who may call a route, for the access guard and OpenAPI. Controllers use `Route`, which applies it. */
export const Allow = (access: Access): MethodDecorator =>
  applyDecorators(
    SetMetadata(ACCESS, access),
    ...(access.kind === 'client' ? [ApiSecurity({ 'client-id': [], 'client-secret': [] })] : []),
    ...(access.kind === 'operator' ? [ApiBearerAuth(OPERATOR_SCHEME)] : []),
  );

/** The application on whose behalf a request runs. */
export interface ClientPrincipal {
  readonly id: string;
  readonly clientId: string;
  readonly organisationId: string;
  readonly scopes: ReadonlySet<ApiScope>;
  readonly rateLimit: { readonly perSecond: number; readonly burst: number };
  /** Limits all applications of the organisation together. */
  readonly organisationRate: { readonly perSecond: number; readonly burst: number };
}

/** The operator on whose behalf a request runs. */
export interface OperatorPrincipal {
  readonly id: string;
  readonly organisationId: string;
  readonly kind: 'PERSON' | 'MACHINE';
  readonly roles: readonly Role[];
  readonly permissions: ReadonlySet<Permission>;
  readonly sessionId: string;
  /** True if the login of this session had a second factor. */
  readonly strong: boolean;
}
