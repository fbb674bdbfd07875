import type { ClientPrincipal, Scope } from './access.js';

/**
 * Recognises callers at no cost: from memory, with everything in order. Null says nothing about the caller, only that
 * the access guard has to decide. Auth provides it; foundation and features ask it.
 */
export abstract class ClientGate {
  abstract recognise(clientId: string, secret: string, scope: Scope): ClientPrincipal | null;
}
