import type { Tx } from '../../platform/database/index.js';
import type { Approval } from '../approvals/index.js';
import { newUuid, required } from '../../platform/kernel/index.js';
import type { OperatorRef } from './operator-trail.js';
import { OperatorLineageEntity } from './store/entities/operator-lineage.entity.js';

/**
 * Records that an administrator disabled an operator or removed roles, so that nobody removes an approver first: for 30
 * days that administrator decides nothing alone, and nobody decides alone what these roles could have approved.
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

/** The approval by which two administrators agreed. */
export type Agreement = Pick<Approval, 'requestedBy' | 'decidedBy' | 'singleControl'>;

/**
 * Records who invited, reset or empowered an operator. For 30 days the two are no second person for each other, nor are
 * two operators whom the same administrator invited, reset or empowered under single control. The command line leaves no
 * lineage, because it belongs to no operator.
 */
export async function recordLineage(
  tx: Tx,
  { id: operatorId, organisationId }: OperatorRef,
  kind: OperatorLineageEntity['kind'],
  { requestedBy, decidedBy, singleControl }: Agreement,
): Promise<void> {
  for (const byId of new Set([requestedBy, required(decidedBy, 'who approved')])) {
    await tx.insert(OperatorLineageEntity, {
      id: newUuid(),
      organisationId,
      operatorId,
      byId,
      kind,
      singleControl,
    });
  }
}
