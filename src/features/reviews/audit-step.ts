import { auditEntriesOf } from '../audit/index.js';

/** Composes an audit entry about a case. */
export const reviewEntryOf = auditEntriesOf('review');
