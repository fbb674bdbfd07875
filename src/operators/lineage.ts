import type { Tx } from '../database/index.js';
import { newUuid } from '../kernel/index.js';
import type { Cause } from './call-origin.js';
import type { OperatorRef } from './operator-trail.js';
import { OperatorLineageEntity } from './store/entities/operator-lineage.entity.js';

/**
 * Writes down that somebody invited, reset or empowered an operator: for 30 days the two are no second person for each
 * other, and neither are two whom the same administrator alone made into what they are. The command line leaves no
 * lineage: whoever runs the service is nobody's colleague.
 */
export async function noteLineage(
  tx: Tx,
  { id: operatorId, organisationId }: OperatorRef,
  kind: OperatorLineageEntity['kind'],
  { actor }: Pick<Cause, 'actor'>,
): Promise<void> {
  if (actor.type !== 'operator') return;
  const row = { id: newUuid(), organisationId, operatorId, byId: actor.id, kind, singleControl: true };
  await tx.insert(OperatorLineageEntity, row);
}
