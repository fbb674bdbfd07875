import { featureSchema, type FactSheet, type RuleDefinition } from '../../language/index.js';
import type { RequestedAction } from './requested-action.js';

export const outcomes = ['APPROVED', 'CHALLENGED', 'REVIEW', 'REJECTED'] as const;
export type Outcome = (typeof outcomes)[number];
export type RecommendedAction = RuleDefinition['effect']['recommend'];

/**
 * State of the step-up session of a transaction. FAILED: it ended without an approval. UNAVAILABLE: there is no such
 * flow, no customer to ask, or no session was opened.
 */
export const challengeStates = ['OPEN', 'PASSED', 'FAILED', 'CANCELLED', 'EXPIRED', 'UNAVAILABLE'] as const;
export type ChallengeState = (typeof challengeStates)[number];

/** A step-up flow that a transaction requested, and its session (`kys_...`) if one was opened. */
export interface ChallengeFlow {
  readonly state: ChallengeState;
  readonly session: string | null;
}

/** Requested step-up flows, keyed by flow key. A missing flow counts as OPEN, as in a dry-run. */
export type ChallengeFlows = Readonly<Record<string, ChallengeFlow>>;

/** Joint state of the requested step-ups. LOST: the customer is not verified and can no longer be asked. */
export type StepUpsState = 'NONE' | 'COVERED' | 'OPEN' | 'LOST';

export interface OutcomeInputs {
  readonly score: number;
  readonly reviewAt: number;
  readonly defensible: boolean;
  /** True if a hit on a list needs a decision that nobody has made yet. */
  readonly undecidedHit: boolean;
  /** Rules whose hits count. */
  readonly counted: readonly Pick<RuleDefinition, 'effect'>[];
  readonly challenge: StepUpsState;
}

export interface Conclusion {
  readonly outcome: Outcome;
  readonly recommendedAction: RecommendedAction;
  /** True if the score, a rule or an undecided hit requires a review; false if only a missing input does. */
  readonly judgedByRules: boolean;
}

/**
 * The only place that decides the outcome and its action: REVIEW if anything is against the transaction, CHALLENGED
 * if its customer can still be asked, else APPROVED. An undecided hit on a list always means REVIEW: a ruleset without
 * a rule about lists must not approve what the law forbids.
 */
export function decideOutcome(grounds: OutcomeInputs): Conclusion {
  const { score, reviewAt, defensible, undecidedHit, counted, challenge } = grounds;
  const recommends = (action: RecommendedAction): boolean =>
    counted.some(({ effect }) => effect.recommend === action);
  const declines = recommends('DECLINE');
  const judgedByRules =
    score >= reviewAt ||
    undecidedHit ||
    declines ||
    recommends('HOLD') ||
    challenge === 'LOST' ||
    counted.some(({ effect }) => effect.minOutcome === 'REVIEW');
  if (judgedByRules || !defensible) {
    return { outcome: 'REVIEW', recommendedAction: declines ? 'DECLINE' : 'HOLD', judgedByRules };
  }
  return challenge === 'OPEN'
    ? { outcome: 'CHALLENGED', recommendedAction: 'STEP_UP', judgedByRules }
    : { outcome: 'APPROVED', recommendedAction: 'NONE', judgedByRules };
}

const UNDECIDED = featureSchema.get('hits.undecided').slot;

/** True if a hit on a list waits for its decision; false for facts that were stored before this feature existed. */
export const hasUndecidedHit = ({ bools }: FactSheet): boolean => bools[UNDECIDED] === 1;

/**
 * Returns the joint state of the step-ups. One verification covers all of them, as in `requestedActions`; one open
 * step-up is enough for OPEN.
 */
export function stepUpsStateOf(
  counted: readonly Pick<RuleDefinition, 'effect'>[],
  actions: readonly RequestedAction[],
  flows: ChallengeFlows | undefined,
): StepUpsState {
  const stepUps = actions.filter(({ action }) => action.type === 'STEP_UP_SESSION');
  if (stepUps.length === 0) {
    return counted.some(({ effect }) => effect.recommend === 'STEP_UP') ? 'LOST' : 'NONE';
  }
  const requestedActions = stepUps.filter(({ status }) => status === 'REQUESTED');
  if (requestedActions.length === 0) return 'COVERED';
  return requestedActions.some((one) => challengeFlowOf(one, flows).state === 'OPEN') ? 'OPEN' : 'LOST';
}

const CAN_BE_ASKED: ChallengeFlow = { state: 'OPEN', session: null };

export const challengeFlowOf = (
  { action }: RequestedAction,
  flows: ChallengeFlows | undefined,
): ChallengeFlow =>
  action.type === 'STEP_UP_SESSION' && flows && Object.hasOwn(flows, action.flowKey)
    ? (flows[action.flowKey] ?? CAN_BE_ASKED)
    : CAN_BE_ASKED;
