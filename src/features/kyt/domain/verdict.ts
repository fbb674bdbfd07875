import type { Outcome, RecommendedAction } from '../../rules/index.js';

/** The action for the integrator, from the mildest to the most severe. */
export const verdicts = ['RELEASE', 'CHALLENGE', 'HOLD', 'DECLINE'] as const;
export type TransactionVerdict = (typeof verdicts)[number];

/** The possible outcomes, each with its action and verdict; the database refuses any other evaluation. */
export const possibleVerdicts: readonly (readonly [Outcome, RecommendedAction, TransactionVerdict])[] = [
  ['APPROVED', 'NONE', 'RELEASE'],
  ['CHALLENGED', 'STEP_UP', 'CHALLENGE'],
  ['REVIEW', 'HOLD', 'HOLD'],
  ['REVIEW', 'DECLINE', 'DECLINE'],
  ['REJECTED', 'DECLINE', 'DECLINE'],
];

const BY_OUTCOME: Readonly<Record<Outcome, TransactionVerdict>> = {
  APPROVED: 'RELEASE',
  CHALLENGED: 'CHALLENGE',
  REVIEW: 'HOLD',
  REJECTED: 'DECLINE',
};
const BY_ACTION: Readonly<Record<RecommendedAction, TransactionVerdict>> = {
  NONE: 'RELEASE',
  STEP_UP: 'CHALLENGE',
  HOLD: 'HOLD',
  DECLINE: 'DECLINE',
};

/** Returns the more severe of the verdicts by outcome and by action. They differ only for REVIEW with DECLINE. */
export function verdictOf(outcome: Outcome, action: RecommendedAction): TransactionVerdict {
  const [one, other] = [BY_OUTCOME[outcome], BY_ACTION[action]];
  return verdicts.indexOf(one) > verdicts.indexOf(other) ? one : other;
}

/** From the mildest to the most severe. */
const BY_GRAVITY: readonly Outcome[] = ['APPROVED', 'CHALLENGED', 'REVIEW', 'REJECTED'];

export const isMoreSevere = (outcome: Outcome, than: Outcome): boolean =>
  BY_GRAVITY.indexOf(outcome) > BY_GRAVITY.indexOf(than);
