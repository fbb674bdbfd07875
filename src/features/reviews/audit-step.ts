import { stepsOf } from '../audit/index.js';

/** Makes the audit entry of a step of a case. */
export const stepOf = stepsOf('review');
