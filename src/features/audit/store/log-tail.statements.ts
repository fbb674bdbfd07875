import { properties, statement } from '../../../platform/database/index.js';
import { AuditEntryEntity } from './entities/audit-entry.entity.js';
import { AuditLeafEntity } from './entities/audit-leaf.entity.js';
import { AuditLogEntity } from './entities/audit-log.entity.js';

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
