import { auditEntriesOf } from '../audit/index.js';

export const customerEntryOf = auditEntriesOf('customer');
