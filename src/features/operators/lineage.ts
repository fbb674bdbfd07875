import type { Tx } from '../../platform/database/index.js';
import type { Approval } from '../approvals/index.js';
import { newUuid, present } from '../../platform/kernel/index.js';
import type { OperatorRef } from './operator-trail.js';
import { OperatorLineageEntity } from './store/entities/operator-lineage.entity.js';

/**
 * Writes down that one administrator disabled somebody or took roles away: for 30 days that one decides nothing under
 * single control, and nobody what these roles could have approved, or whoever stands in the way could be sent away first.
 */
export async function noteRemoval(
  tx: Tx,
  { id: operatorId, organisationId }: OperatorRef,
  byId: string,
  roles: string[],
): Promise<void> {
  const kind = 'REMOVED' as const;
  const row = { id: newUuid(), organisationId, operatorId, byId, kind, singleControl: true, roles };
  await tx.insert(OperatorLineageEntity, row);
}

/** The request by which two administrators agreed. */
export type Agreement = Pick<Approval, 'requestedBy' | 'decidedBy' | 'singleControl'>;

/**
 * Writes down that somebody invited, reset or empowered an operator: for 30 days the two are no second person for each
 * other, and neither are two whom an administrator under single control made into what they are. The command line leaves no
 * lineage: whoever runs the service is nobody's colleague.
 */
export async function noteLineage(
  tx: Tx,
  { id: operatorId, organisationId }: OperatorRef,
  kind: OperatorLineageEntity['kind'],
  { requestedBy, decidedBy, singleControl }: Agreement,
): Promise<void> {
  for (const byId of new Set([requestedBy, present(decidedBy, 'who approved')])) {
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
