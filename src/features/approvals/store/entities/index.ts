import { ApprovalEntity } from './approval.entity.js';

export const approvalsEntities = [ApprovalEntity];
