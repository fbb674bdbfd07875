import { execute, selectColumnsExcept, statement, type Tx } from '../../../platform/database/index.js';
import { LogRestartEntity } from './entities/log-restart.entity.js';

const ALL = selectColumnsExcept(LogRestartEntity, 'r');
const REQUEST = statement(
  'audit.request-restart',
  `INSERT INTO audit_reincarnations AS r (id, organisation_id, incarnation, restored_size, anchor_incarnation,
     anchor_size, anchor_root, reason, requested_by)
   SELECT $2, organisation_id, greatest(incarnation, anchor_incarnation) + 1, size, anchor_incarnation, anchor_size,
     anchor_root, $3, $4
   FROM audit_logs WHERE organisation_id = $1 AND rolled_back_at IS NOT NULL
   ON CONFLICT (organisation_id) WHERE status = 'REQUESTED' DO NOTHING
   RETURNING ${ALL.sql}`,
  ALL.shape,
);

/** Stores a request; null unless the log is stopped and has no open request. */
export async function requestRestart(
  tx: Tx,
  {
    organisationId,
    id,
    reason,
    requestedBy,
  }: Pick<LogRestartEntity, 'organisationId' | 'id' | 'reason' | 'requestedBy'>,
): Promise<LogRestartEntity | null> {
  const [row] = await execute(tx, REQUEST, [organisationId, id, reason, requestedBy]);
  return row ?? null;
}
