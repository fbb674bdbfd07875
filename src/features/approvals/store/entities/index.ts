import { ApprovalEntity } from './approval.entity.js';

/** One for each table of this module. */
export const approvalsEntities = [ApprovalEntity];
