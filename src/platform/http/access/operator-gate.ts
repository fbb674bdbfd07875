import type { OperatorPrincipal } from './access.js';
import type { Permission } from './permissions.js';

/** The verdict on an access token: the caller, EXPIRED when it was once valid, or null. */
export type TokenVerdict = OperatorPrincipal | 'EXPIRED' | null;

/** A refused call, for the audit trail. */
export interface RefusedCall {
  readonly permission: Permission;
  readonly reason: 'PERMISSION_DENIED' | 'STRONG_LOGIN_REQUIRED';
  readonly route: string;
  readonly ip: string | null;
  readonly requestId: string;
  readonly correlationId: string;
}

/** Recognises operators by their access tokens. The module of the operators provides it; the access guard asks it. */
export abstract class OperatorGate {
  abstract authenticate(token: string): Promise<TokenVerdict>;

  /** Notes in the audit trail that an operator was refused for want of a permission. */
  abstract refused(operator: OperatorPrincipal, call: RefusedCall): Promise<void>;
}
