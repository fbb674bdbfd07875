import { auditDraftsOf } from '../audit/index.js';

/** Composes an audit entry about a case. */
export const reviewAuditDraft = auditDraftsOf('review');
