// Owns the audit entries. Promises that an entry commits with what it records, and that a gap or a change is found.
export { Acting, actingSystem, nameOfActor, stepOf, stepsOf } from './acting.js';
export { AuditModule } from './audit.module.js';
export { AuditJobsModule } from './audit-jobs.module.js';
export { Checkpoints, type HandedCheckpoint } from './checkpoints.js';
export { AuditPackages, type PackageRequest } from './audit-packages.js';
export { DirectExports, type DirectRequest } from './direct-exports.js';
export { Findings, type Finding } from './findings.js';
export { ExportScopes, type ScopeSource } from './export-scopes.js';
export { Holds } from './holds.js';
export { Pruning } from './pruning.service.js';
export { TrailSurvey, type Subject } from './trail-survey.js';
export { LogAuditor, type LogStatus } from './log-auditor.js';
export { AuditTrail, chainName, type TrailEntry } from './audit-trail.js';
export { RepairSources, type RepairEvidence, type RepairSource } from './repair-sources.js';
export { TrailContracts, type TrailContract } from './trail-contracts.js';
export {
  CHAIN_START,
  composeEntry,
  OPERATIONS,
  type Actor,
  type AuditAction,
  type AuditContent,
  type AuditDraft,
  type AuditSubject,
  type ChainPosition,
  type ComposedEntry,
} from './domain/entry.js';
export { parseNote, signerOf, verifierOf, vkeyOf } from './domain/signed-note.js';
export { cosignatureLine, pinnedCheckpoint, witness, type Witnessed } from './domain/witness.js';
export { isBlocking, trailStatuses } from './domain/trail.js';
export type {
  TrailAnchor,
  TrailExpectation,
  TrailGap,
  TrailGrammar,
  TrailStatus,
  TrailVerdict,
} from './domain/trail.js';
