import type { OperatorPrincipal } from '../../platform/http/index.js';
import { errorAt, type DomainError } from '../../platform/kernel/index.js';
import { type ApprovalAction, policyOf } from './domain/acts.js';

/** True if the operator may request or approve the act, or export the audit log, which shows every request anyway. */
export const mayReadApproval = ({ permissions }: OperatorPrincipal, act: ApprovalAction): boolean => {
  const { ask, approve } = policyOf(act);
  return [ask, approve, 'audit:export' as const].some((one) => permissions.has(one));
};

type Permission = Parameters<OperatorPrincipal['permissions']['has']>[0];

const refusalError = (
  code: 'PERMISSION_DENIED' | 'STRONG_LOGIN_REQUIRED',
  permission: Permission,
): DomainError =>
  errorAt(code, 'authorization', 'PERMISSION_MISSING', `The permission ${permission} is needed.`);

export const permissionMissing = (permission: Permission): DomainError =>
  refusalError('PERMISSION_DENIED', permission);

export function requirePermission(operator: OperatorPrincipal, permission: Permission): void {
  if (!operator.permissions.has(permission)) throw permissionMissing(permission);
  if (!operator.strong) throw refusalError('STRONG_LOGIN_REQUIRED', permission);
}
