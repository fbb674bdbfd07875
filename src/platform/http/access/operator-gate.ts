import type { OperatorPrincipal } from './access.js';
import type { Permission } from './permissions.js';

/** The operator of an access token; 'EXPIRED' if the token has expired; null if it is invalid. */
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

/** Authenticates operators by their access tokens. The module `operators` implements it for the access guard. */
export abstract class OperatorGate {
  abstract authenticate(token: string): Promise<TokenVerdict>;

  /** Records in the audit trail that a call was refused because the operator lacks the permission. */
  abstract recordRefusal(operator: OperatorPrincipal, call: RefusedCall): Promise<void>;
}
