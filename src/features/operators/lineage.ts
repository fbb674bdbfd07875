import type { Tx } from '../../platform/database/index.js';
import type { Approval } from '../approvals/index.js';
import { newUuid, required } from '../../platform/kernel/index.js';
import type { OperatorRef } from './operator-audit.js';
import { OperatorLineageEntity } from './store/entities.js';

/**
 * Records that an administrator disabled an operator or removed roles. For 30 days that administrator decides nothing
 * alone, and nobody decides alone what these roles could have approved: removing an approver gives nobody single
 * control.
 */
export async function recordRemoval(
  tx: Tx,
  { id: operatorId, organisationId }: OperatorRef,
  byId: string,
  roles: string[],
): Promise<void> {
  const kind = 'REMOVED' as const;
  const row = { id: newUuid(), organisationId, operatorId, byId, kind, singleControl: true, roles };
  await tx.insert(OperatorLineageEntity, row);
}

/** Who requested and who approved a change to an operator. With `singleControl`, one administrator did it alone. */
export type ApprovalParties = Pick<Approval, 'requestedBy' | 'decidedBy' | 'singleControl'>;

/**
 * Records who invited an operator, reset their second factors, let them in again or granted them roles. For 30 days
 * that person and the operator cannot approve each other's requests; if `roles` is set, only requests for acts that
 * these roles enable. The same holds for two operators whom one administrator invited, reset or granted roles alone
 * (single control). Changes from the command line are not recorded, because no operator makes them.
 */
export async function recordLineage(
  tx: Tx,
  { id: operatorId, organisationId }: OperatorRef,
  kind: OperatorLineageEntity['kind'],
  { requestedBy, decidedBy, singleControl }: ApprovalParties,
  roles: string[] = [],
): Promise<void> {
  for (const byId of new Set([requestedBy, required(decidedBy, 'who approved')])) {
    await tx.insert(OperatorLineageEntity, {
      id: newUuid(),
      organisationId,
      operatorId,
      byId,
      kind,
      singleControl,
      roles,
    });
  }
}
