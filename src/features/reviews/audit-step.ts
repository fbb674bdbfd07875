import { stepsOf } from '../audit/index.js';

/** Composes an audit entry about a case. */
export const stepOf = stepsOf('review');
