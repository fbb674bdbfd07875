import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiSecurity } from '@nestjs/swagger';

/** What a client application may be allowed to do. */
export const scopes = [
  'kyt:ingest',
  'transactions:write',
  'kyt:read',
  'customers:read',
  'events:read',
  'sessions:read',
  'webhooks:manage',
  'sessions:create',
] as const;
export type Scope = (typeof scopes)[number];

/** Who may call a route. A route that does not say so stops the boot. */
export type Access =
  | { readonly kind: 'client'; readonly scope: Scope }
  /** Without credentials, limited per address. */
  | { readonly kind: 'public' }
  /** For probes and scrapers inside the network: without credentials and without limit. */
  | { readonly kind: 'internal' };

export const ACCESS = 'vigia:access';

/** The route is for client applications with this scope. */
export const ForClient = (scope: Scope): MethodDecorator =>
  applyDecorators(
    SetMetadata(ACCESS, { kind: 'client', scope } satisfies Access),
    ApiSecurity({ 'client-id': [], 'client-secret': [] }),
  );

/** The route needs no credentials; its calls are limited per address. */
export const Public = (): MethodDecorator => SetMetadata(ACCESS, { kind: 'public' } satisfies Access);

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
