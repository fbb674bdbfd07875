import { featureSchema, type FactSheet, type RuleDefinition } from '../../language/index.js';
import type { RequestedAction } from './requested-action.js';

export const outcomes = ['APPROVED', 'CHALLENGED', 'REVIEW', 'REJECTED'] as const;
export type Outcome = (typeof outcomes)[number];
export type RecommendedAction = RuleDefinition['effect']['recommend'];

/**
 * Where the session stands that a transaction asked for. FAILED: it ended without an approval. UNAVAILABLE: there is no
 * such flow, nobody to ask, or no session was opened.
 */
export const challengeStates = ['OPEN', 'PASSED', 'FAILED', 'CANCELLED', 'EXPIRED', 'UNAVAILABLE'] as const;
export type ChallengeState = (typeof challengeStates)[number];

/** A flow that a transaction asked for, and its session (`kys_...`) if one was opened. */
export interface ChallengeFlow {
  readonly state: ChallengeState;
  readonly session: string | null;
}

/** Flows that a transaction asked for, by key; whoever is asked through another one, as in a rehearsal, can be asked. */
export type ChallengeFlows = Readonly<Record<string, ChallengeFlow>>;

/** How it stands with the step-ups that counted hits ask for. LOST: the customer is not verified and cannot be asked. */
export type Challenge = 'NONE' | 'COVERED' | 'OPEN' | 'LOST';

/** Everything that an outcome follows from. */
export interface Grounds {
  readonly score: number;
  readonly reviewAt: number;
  readonly defensible: boolean;
  /** A hit on a list forces a decision that nobody has made yet. */
  readonly undecidedHit: boolean;
  /** Rules whose hits count. */
  readonly counted: readonly Pick<RuleDefinition, 'effect'>[];
  readonly challenge: Challenge;
}

export interface Conclusion {
  readonly outcome: Outcome;
  readonly recommendedAction: RecommendedAction;
  /** The score, a rule or an undecided hit asks for a person, and not only what is missing. */
  readonly judgedByRules: boolean;
}

/**
 * The outcome and the action that goes with it, the only place where they are decided. Whatever anything speaks against is
 * for a person, and held until then; a customer who can still be asked is challenged; the rest is approved. An undecided hit
 * holds whatever the rules say: a ruleset without a rule about lists must not approve what the law forbids.
 */
export function concludeFrom(grounds: Grounds): Conclusion {
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

/** Whether a hit on a list still waits for its decision; false of facts from before this was one. */
export const hasUndecidedHit = ({ bools }: FactSheet): boolean => bools[UNDECIDED] === 1;

/**
 * How it stands with the step-ups. Any verification covers all of them, as `requestedActions` has it; of those that are open
 * one is enough.
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
