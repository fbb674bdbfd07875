import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiSecurity } from '@nestjs/swagger';
import type { Permission, Role } from './permissions.js';
import type { Scope } from './scopes.js';

export * from './scopes.js';

/** Who may call a route. A route that does not say so stops the boot. */
export type Access =
  | { readonly kind: 'client'; readonly scope: Scope }
  /** A logged-in operator, with the permission if one is named. */
  | { readonly kind: 'operator'; readonly permission: Permission | null }
  /** Without credentials, limited per address. */
  | { readonly kind: 'public' }
  /** A file of the service itself, from memory and the same for everybody: refusing it costs what giving it costs. */
  | { readonly kind: 'static' }
  /** For probes and scrapers inside the network: without credentials and without limit. */
  | { readonly kind: 'internal' };

export const ACCESS = 'vigia:access';

export const OPERATOR_SCHEME = 'operator-token';

/** For client applications with this scope. */
export const forClient = (scope: Scope): Access => ({ kind: 'client', scope });

/** For operators with this permission, or for any logged-in one. The route stands below `/operator`. */
export const forOperator = (permission?: Permission): Access => ({
  kind: 'operator',
  permission: permission ?? null,
});

/** Without credentials; calls are limited per address. */
export const forEverybody: Access = { kind: 'public' };

/** A file of the service itself, without limit. */
export const forStaticFile: Access = { kind: 'static' };

/** For probes and scrapers inside the network. */
export const forProbes: Access = { kind: 'internal' };

/** Declares who may call a route, for the guard and its document. Routes use `Route`. */
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
  readonly scopes: ReadonlySet<Scope>;
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
