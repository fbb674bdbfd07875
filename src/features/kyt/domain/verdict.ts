import type { Outcome, RecommendedAction } from '../../rules/index.js';

/** The one word to act on, from what may go on to what must not. */
export const verdicts = ['RELEASE', 'CHALLENGE', 'HOLD', 'DECLINE'] as const;
export type Verdict = (typeof verdicts)[number];

/** The outcomes that there can be, each with its action; the database refuses any other evaluation. */
export const possible: readonly (readonly [Outcome, RecommendedAction, Verdict])[] = [
  ['APPROVED', 'NONE', 'RELEASE'],
  ['CHALLENGED', 'STEP_UP', 'CHALLENGE'],
  ['REVIEW', 'HOLD', 'HOLD'],
  ['REVIEW', 'DECLINE', 'DECLINE'],
  ['REJECTED', 'DECLINE', 'DECLINE'],
];

const BY_OUTCOME: Readonly<Record<Outcome, Verdict>> = {
  APPROVED: 'RELEASE',
  CHALLENGED: 'CHALLENGE',
  REVIEW: 'HOLD',
  REJECTED: 'DECLINE',
};
const BY_ACTION: Readonly<Record<RecommendedAction, Verdict>> = {
  NONE: 'RELEASE',
  STEP_UP: 'CHALLENGE',
  HOLD: 'HOLD',
  DECLINE: 'DECLINE',
};

/** Returns the graver of what the outcome and the action say, which agree in every evaluation. */
export function verdictOf(outcome: Outcome, action: RecommendedAction): Verdict {
  const [one, other] = [BY_OUTCOME[outcome], BY_ACTION[action]];
  return verdicts.indexOf(one) > verdicts.indexOf(other) ? one : other;
}

/** From the mildest on. */
const BY_GRAVITY: readonly Outcome[] = ['APPROVED', 'CHALLENGED', 'REVIEW', 'REJECTED'];

/** Whether an outcome is graver than another one. */
export const isGraver = (outcome: Outcome, than: Outcome): boolean =>
  BY_GRAVITY.indexOf(outcome) > BY_GRAVITY.indexOf(than);
