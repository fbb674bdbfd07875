import { stepsOf } from '../audit/index.js';

/** Composes the audit entry of one change to a customer. */
export const stepOf = stepsOf('customer');
