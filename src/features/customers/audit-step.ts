import { auditDraftsOf } from '../audit/index.js';

export const customerAuditDraft = auditDraftsOf('customer');
