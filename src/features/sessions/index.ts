// Owns flows, and the sessions in which people go through them. Promises that a link cannot be guessed and is in no
// log, that a session ends once, and that a check that could not run never counts as passed.
export { SessionsModule } from './sessions.module.js';
export { sessionOutcomes, sessionStatuses } from './domain/session.js';
export { SessionsJobsModule } from './sessions-jobs.module.js';
export { FlowsService } from './flows/flows.service.js';
export { SessionHistoryService } from './step-ups/session-history.service.js';
export type { SessionHistory } from './domain/session-history.js';
export { StepUpsService } from './step-ups/step-ups.service.js';
export { reEvaluatedClause, stepUpClauses, type PreparedStepUp } from './store/step-up.clauses.js';
export type { StepUpRequestLink } from './store/step-up.repository.js';
export type { OpenLink } from './domain/records.js';
export type { RequestedStepUp, StepUpRequest } from './domain/step-up.js';
export {
  SessionEvidenceReaderService,
  type FullEvidence,
  type PersonAnswers,
} from './evidence/session-evidence-reader.service.js';
export { SessionEvidenceView } from './api/session-evidence.view.dto.js';
export { SessionsService } from './sessions.service.js';
