import {
  execute,
  properties,
  selectColumnsExcept,
  statement,
  type Tx,
} from '../../../platform/database/index.js';
import { AuditEntryEntity, AuditLeafEntity, AuditLogEntity, LogRestartEntity } from './entities.js';

export const LOG_SIZES = statement(
  'audit.log-sizes',
  `SELECT organisation_id AS "organisationId", size::float8 AS size FROM audit_logs
   WHERE organisation_id = ANY ($1::uuid[])`,
  { ...properties(AuditLogEntity, 'organisationId'), size: 'float8' },
);

export const LOG_TAIL = statement(
  'audit.log-tail',
  `SELECT l.leaf_index::float8 AS index, l.subject_type AS "subjectType", l.subject_id AS "subjectId", e.action,
     e.recorded_at AS "recordedAt"
   FROM audit_leaves l JOIN audit_entries e USING (organisation_id, subject_type, subject_id, subject_seq)
   WHERE l.organisation_id = $1 AND l.leaf_index >= $2 AND l.leaf_index < $3 AND l.subject_type = ANY ($4::text[])
   ORDER BY l.leaf_index`,
  {
    ...{ index: 'float8', ...properties(AuditLeafEntity, 'subjectType', 'subjectId') },
    ...properties(AuditEntryEntity, 'action', 'recordedAt'),
  },
);

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
