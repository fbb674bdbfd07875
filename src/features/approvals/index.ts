// Owns what two people have to agree on. Promises that an approved change is exactly what was asked for, and that it
// takes effect once or not at all.
export { ApprovalsModule } from './approvals.module.js';
export { ApprovalReader } from './approval-reader.service.js';
export { Approvals, type Wanted } from './approvals.service.js';
export { SecondPerson } from './second-person.service.js';
export {
  ApplyAct,
  CheckAct,
  CurrentValues,
  EndAct,
  type Approval,
  type Ending,
} from './approval-handlers.js';
export { actNames, type Act } from './domain/act-names.js';
export { acts, policyOf, type ActPolicy } from './domain/acts.js';
export { type Change, type Values } from './domain/approval.js';
export { ApprovalEntity } from './store/entities/approval.entity.js';
export { ApprovalView } from './api/approvals.dto.js';
export { askingRoutes, onePersonRoutes } from './domain/routes.js';
