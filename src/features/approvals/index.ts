// Owns requests for changes that need two people. Promises that the change made is exactly the approved change, and
// that it takes effect once or not at all.
export { ApprovalsModule } from './approvals.module.js';
export { ApprovalReaderService } from './approval-reader.service.js';
export { ApprovalsService } from './approvals.service.js';
export { SecondPersonService } from './second-person.service.js';
export {
  ApplyAct,
  CheckAct,
  CurrentValues,
  ReleaseAct,
  SummarizeSubjects,
  type SummaryCommunication,
  type SummaryFact,
  type Approval,
  type ApprovalEnding,
  type SubjectSummary,
  type SummaryHit,
  type SummaryLine,
  type SummaryWords,
  summaryLine,
} from './approval-handlers.js';
export { acts, actNames, policyOf, type ApprovalAction } from './domain/acts.js';
export { areValuesEqual, type RequestedChange, type ChangedValues } from './domain/approval.js';
export { ApprovalEntity } from './store/entities.js';
export { ApprovalView, requestsApproval } from './api/approvals.dto.js';
