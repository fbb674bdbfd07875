import { ApprovalEntity } from './approval.entity.js';

/** The entities of this module, one per table. */
export const approvalsEntities = [ApprovalEntity];
