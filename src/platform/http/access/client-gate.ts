import type { ClientPrincipal, ApiScope } from './access.js';

/**
 * Authenticates client applications from a cache in memory. Null only means that the cache cannot decide: the access
 * guard then authenticates the caller. The module `auth` implements it for the platform and other features.
 */
export abstract class ClientGate {
  abstract authenticate(clientId: string, secret: string, scope: ApiScope): ClientPrincipal | null;

  /**
   * Reads the application again if its cached copy is too old for `authenticate` and has this secret; null otherwise.
   * Never rejects.
   */
  abstract refresh(clientId: string, secret: string): Promise<void> | null;

  /** Finds the enabled application that was used last; null if the environment has none. */
  abstract findLastUsed(): Promise<ClientPrincipal | null>;
}
