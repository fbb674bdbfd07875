import type { ClientPrincipal, Scope } from './access.js';

/**
 * Recognises callers from memory, at no cost. Null says nothing about the caller: the access guard has to decide. Auth
 * provides the gate; the platform and features ask it.
 */
export abstract class ClientGate {
  abstract authenticate(clientId: string, secret: string, scope: Scope): ClientPrincipal | null;
}
