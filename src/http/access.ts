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

/** The route is for client applications with this scope. */
export const ForClient = (scope: Scope): MethodDecorator =>
  applyDecorators(
    SetMetadata(ACCESS, { kind: 'client', scope } satisfies Access),
    ApiSecurity({ 'client-id': [], 'client-secret': [] }),
  );

export const OPERATOR_SCHEME = 'operator-token';

/** The route is for operators with this permission, or for any logged-in one. It stands below `/operator`. */
export const ForOperator = (permission?: Permission): MethodDecorator =>
  applyDecorators(
    SetMetadata(ACCESS, { kind: 'operator', permission: permission ?? null } satisfies Access),
    ApiBearerAuth(OPERATOR_SCHEME),
  );

/** The route needs no credentials; its calls are limited per address. */
export const Public = (): MethodDecorator => SetMetadata(ACCESS, { kind: 'public' } satisfies Access);

/** The route gives out a file of the service itself, to everybody and without limit. */
export const StaticFile = (): MethodDecorator => SetMetadata(ACCESS, { kind: 'static' } satisfies Access);

/** The route is for probes and scrapers inside the network. */
export const Internal = (): MethodDecorator & ClassDecorator =>
  SetMetadata(ACCESS, { kind: 'internal' } satisfies Access);

/** The application on whose behalf a request runs. */
export interface ClientPrincipal {
  readonly id: string;
  readonly clientId: string;
  readonly organisationId: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly rateLimit: { readonly perSecond: number; readonly burst: number };
}

/** The operator on whose behalf a request runs. */
export interface OperatorPrincipal {
  readonly id: string;
  readonly organisationId: string;
  readonly kind: 'PERSON' | 'MACHINE';
  readonly roles: readonly Role[];
  readonly permissions: ReadonlySet<Permission>;
  readonly sessionId: string;
  /** Whether the login of this session had a second factor. */
  readonly strong: boolean;
}
