import type { OperatorPrincipal } from '../../platform/http/index.js';
import { DomainError } from '../../platform/kernel/index.js';
import type { ApprovalAction } from './domain/act-names.js';
import { policyOf } from './domain/acts.js';

/** True if the operator may request or approve the act, or export the audit log, which shows every request anyway. */
export const mayReadApproval = ({ permissions }: OperatorPrincipal, act: ApprovalAction): boolean => {
  const { ask, approve } = policyOf(act);
  return [ask, approve, 'audit:export' as const].some((one) => permissions.has(one));
};

export function requirePermission(
  operator: OperatorPrincipal,
  permission: Parameters<typeof operator.permissions.has>[0],
): void {
  const detail = {
    path: 'authorization',
    code: 'PERMISSION_MISSING',
    message: `The permission ${permission} is needed.`,
  };
  if (!operator.permissions.has(permission)) {
    throw new DomainError('PERMISSION_DENIED', { details: [detail] });
  }
  if (!operator.strong) throw new DomainError('STRONG_LOGIN_REQUIRED', { details: [detail] });
}
