import { stepsOf } from '../audit/index.js';

/** The audit entry of one step of a customer's record. */
export const stepOf = stepsOf('customer');
