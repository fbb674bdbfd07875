// Owns the audit entries. Promises that an entry commits with the change it records, and that tampering is found.
export {
  CurrentActor,
  type ActorContext,
  systemActor,
  formatActor,
  auditDraftOf,
  auditDraftsOf,
} from './actor-context.js';
export { AuditModule } from './audit.module.js';
export { AuditJobsModule } from './audit-jobs.module.js';
export { CheckpointsService, type PublishedCheckpoint } from './log/checkpoints.service.js';
export { DirectExportsService } from './exports/direct-exports.service.js';
export { FindingsService } from './trail/findings.service.js';
export { ExportScope } from './exports/export-scopes.js';
export { LogRestartsService, type LogRestart } from './log/log-restarts.service.js';
export { LogTail, type IndexedAuditEntry } from './log/log-tail.js';
export {
  TrailRepairsService,
  type RepairRequest,
  type RepairRow,
  type RepairStatus,
} from './trail/trail-repairs.service.js';
export { TrailGapView } from './api/audit.view.dto.js';
export { parseSubjectId } from './api/audit.controller.js';
export { OtherName } from './watch/person-access-recorder.js';
export { stateTrailId } from './domain/state.js';
export {
  subjectTypes,
  CHAIN_START,
  composeEntry,
  OPERATIONS,
  type Actor,
  type AuditAction,
  type AuditContent,
  type AuditDraft,
  type AuditSubject,
  type ComposedEntry,
  type SubjectType,
} from './domain/entry.js';
export {
  repairKinds,
  isAltered,
  isBlocking,
  trailStatuses,
  type RepairKind,
  type TrailExpectation,
  type TrailGap,
  type TrailActionOrder,
  type TrailStatus,
  type TrailVerdict,
} from './domain/trail.js';
export { LegalHold, LegalHolds } from './log/legal-holds.js';
export { PruningService } from './log/pruning.service.js';
export { TrailSurvey, type Subject } from './trail/trail-survey.js';
export { LogAuditorService } from './log/log-auditor.service.js';
export { AuditTrail, type TrailEntry } from './trail/audit-trail.js';
export {
  ReconstructTrail,
  RederiveTrail,
  type RederivedRow,
  type RepairEvidence,
} from './trail/repair-sources.js';
export { appendClause } from './store/trail.statements.js';
export { HandedOut } from './watch/anchors.service.js';
export { LogCheck, type LogCheckFault } from './watch/log-checks.js';
export { WatchedSubjects } from './watch/watched-subjects.js';
export { TrailContract, TrailContractForMany } from './trail/trail-contracts.js';
export { expectationOf } from './domain/expectation.js';
export { sheetOf } from '../../sheets.js';
export { parseNote, createSigner, parseVerifierKey, formatVerifierKey } from './domain/signed/signed-note.js';
export {
  cosignatureLine,
  pinnedCheckpoint,
  witnessCheckpoint,
  type AcceptedCheckpoint,
} from './domain/signed/witness.js';
