import { auditEntriesOf } from '../audit/index.js';

/** Composes the audit entry of one change to a customer. */
export const customerEntryOf = auditEntriesOf('customer');
