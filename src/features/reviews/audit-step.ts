import { stepsOf } from '../audit/index.js';

/** The audit entry of one step of a case. */
export const stepOf = stepsOf('review');
