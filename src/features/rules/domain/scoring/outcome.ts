import { featureSchema, type FactSheet, type RuleDefinition } from '../../language/index.js';
import type { RequestedAction } from './requested-action.js';

export const outcomes = ['APPROVED', 'CHALLENGED', 'REVIEW', 'REJECTED'] as const;
export type Outcome = (typeof outcomes)[number];
export type RecommendedAction = RuleDefinition['effect']['recommend'];

/**
 * State of the session that a transaction asked for. FAILED: it ended without an approval. UNAVAILABLE: there is no
 * such flow, nobody to ask, or no session was opened.
 */
export const challengeStates = ['OPEN', 'PASSED', 'FAILED', 'CANCELLED', 'EXPIRED', 'UNAVAILABLE'] as const;
export type ChallengeState = (typeof challengeStates)[number];

/** A flow that a transaction asked for, and its session (`kys_...`) if one was opened. */
export interface ChallengeFlow {
  readonly state: ChallengeState;
  readonly session: string | null;
}

/** Flows that a transaction asked for, by key; a flow that is not there, as in a dry-run, is OPEN. */
export type ChallengeFlows = Readonly<Record<string, ChallengeFlow>>;

/** State of the step-ups that counted hits ask for. LOST: the customer is not verified and cannot be asked. */
export type Challenge = 'NONE' | 'COVERED' | 'OPEN' | 'LOST';

/** Everything that an outcome follows from. */
export interface OutcomeInputs {
  readonly score: number;
  readonly reviewAt: number;
  readonly defensible: boolean;
  /** True if a hit on a list forces a decision that nobody has made yet. */
  readonly undecidedHit: boolean;
  /** Rules whose hits count. */
  readonly counted: readonly Pick<RuleDefinition, 'effect'>[];
  readonly challenge: Challenge;
}

export interface Conclusion {
  readonly outcome: Outcome;
  readonly recommendedAction: RecommendedAction;
  /** True if the score, a rule or an undecided hit asks for a person, and not only a missing input. */
  readonly judgedByRules: boolean;
}

/**
 * Decides the outcome and its action; no other place does. A transaction is held for a person if anything speaks
 * against it, challenged if its customer can still be asked, else approved. An undecided hit holds it whatever the
 * rules say: a ruleset without a rule about lists must not approve what the law forbids.
 */
export function concludeFrom(grounds: OutcomeInputs): Conclusion {
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

/** True if a hit on a list still waits for its decision; false for facts that are older than this feature. */
export const hasUndecidedHit = ({ bools }: FactSheet): boolean => bools[UNDECIDED] === 1;

/**
 * Returns the state of the step-ups. Any verification covers all of them, as in `requestedActions`; one open step-up is
 * enough for OPEN.
 */
export function challengeOf(
  counted: readonly Pick<RuleDefinition, 'effect'>[],
  actions: readonly RequestedAction[],
  flows: ChallengeFlows | undefined,
): Challenge {
  const stepUps = actions.filter(({ action }) => action.type === 'STEP_UP_SESSION');
  if (stepUps.length === 0) {
    return counted.some(({ effect }) => effect.recommend === 'STEP_UP') ? 'LOST' : 'NONE';
  }
  const owed = stepUps.filter(({ status }) => status === 'REQUESTED');
  if (owed.length === 0) return 'COVERED';
  return owed.some((one) => flowOf(one, flows).state === 'OPEN') ? 'OPEN' : 'LOST';
}

const CAN_BE_ASKED: ChallengeFlow = { state: 'OPEN', session: null };

/** The state of the flow that an action asks for. */
export const flowOf = ({ action }: RequestedAction, flows: ChallengeFlows | undefined): ChallengeFlow =>
  action.type === 'STEP_UP_SESSION' && flows && Object.hasOwn(flows, action.flowKey)
    ? (flows[action.flowKey] ?? CAN_BE_ASKED)
    : CAN_BE_ASKED;
