import type { EvidenceComponent } from './checks/evidence.js';
import { missingParts } from './flow/answers.js';
import { resolveConditions } from './flow/conditions.js';
import {
  visibleSteps,
  type Answers,
  type FlowDefinition,
  type FlowStep,
  type Localised,
} from './flow/flow.js';
import type { StepUpload } from './flow/inputs.js';

/** Most rounds in which single steps are asked for again; then a person decides by what there is. */
export const MAX_RESUBMISSIONS = 3;

/** Why a step is asked for again: a code, and the words for the person. */
export interface StepResubmission {
  readonly stepId: string;
  readonly code: string;
  readonly message: string | Localised;
}

export interface ReopenedSteps {
  readonly askedAt: Date;
  readonly steps: ReadonlyMap<string, Pick<StepResubmission, 'code' | 'message'>>;
}

/** The answers and files of a session so far. */
export interface SessionProgress {
  readonly answers: Answers;
  readonly taken: readonly StepUpload[];
  /** Null in the first round. */
  readonly reopened: ReopenedSteps | null;
}

/** The steps that a person has to do now. */
export interface SessionPlan {
  /** The flow with its conditions decided; a step that was asked for again is required. */
  readonly flow: FlowDefinition;
  /** The steps to show. */
  readonly steps: readonly FlowStep[];
  /** Ids of the steps and inputs whose conditions cannot be decided. */
  readonly undecided: readonly string[];
}

/** Plans the steps. A later round has only those that are asked for again or that the findings require. */
export function planOf(
  session: { readonly flow: FlowDefinition; readonly evidence: readonly EvidenceComponent[] },
  { answers, taken, reopened }: SessionProgress,
  today: string,
): SessionPlan {
  const { flow, undecided } = resolveConditions(session.flow, answers, session.evidence, today);
  if (!reopened) return { flow, steps: visibleSteps(flow, answers), undecided };
  const again = {
    ...flow,
    steps: flow.steps.map((step) => (reopened.steps.has(step.id) ? { ...step, required: true } : step)),
  };
  const steps = visibleSteps(again, answers).filter(
    (step) =>
      reopened.steps.has(step.id) ||
      (step.required && step.type !== 'INFO' && missingParts(step, answers, taken).length > 0),
  );
  return { flow: again, steps, undecided };
}
