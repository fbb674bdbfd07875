import { AuditCheckpointEntity } from './audit-checkpoint.entity.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { AuditFindingEntity } from './audit-finding.entity.js';
import { AuditLateSealEntity } from './audit-late-seal.entity.js';
import { AuditLeafEntity } from './audit-leaf.entity.js';
import { AuditLogEntity } from './audit-log.entity.js';
import { AuditNodeEntity } from './audit-node.entity.js';
import { AuditPendingEntity } from './audit-pending.entity.js';
import { AuditPrunedEntity } from './audit-pruned.entity.js';
import { AuditRepairEntity } from './audit-repair.entity.js';
import { AuditSweepEntity } from './watch/audit-sweep.entity.js';
import { AuditExportLeafEntity } from './exports/audit-export-leaf.entity.js';
import { AuditExportPieceEntity } from './exports/audit-export-piece.entity.js';
import { AuditExportSubjectEntity } from './exports/audit-export-subject.entity.js';
import { AuditExportEntity } from './exports/audit-export.entity.js';
import { LogRestartEntity } from './log-restart.entity.js';
import { AuditAnchorEntity } from './watch/audit-anchor.entity.js';

export const auditEntities = [
  AuditCheckpointEntity,
  AuditEntryEntity,
  AuditFindingEntity,
  AuditLateSealEntity,
  AuditLeafEntity,
  AuditLogEntity,
  AuditNodeEntity,
  AuditPendingEntity,
  AuditPrunedEntity,
  AuditRepairEntity,
  AuditSweepEntity,
  AuditExportLeafEntity,
  AuditExportPieceEntity,
  AuditExportSubjectEntity,
  AuditExportEntity,
  LogRestartEntity,
  AuditAnchorEntity,
];
