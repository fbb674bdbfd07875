import type { Outcome } from '../../rules/index.js';

/** From the mildest on. */
const BY_GRAVITY: readonly Outcome[] = ['APPROVED', 'CHALLENGED', 'REVIEW', 'REJECTED'];

/** Whether an outcome is graver than another one. */
export const isGraver = (outcome: Outcome, than: Outcome): boolean =>
  BY_GRAVITY.indexOf(outcome) > BY_GRAVITY.indexOf(than);
