import type { EvidenceComponent } from './checks/evidence.js';
import { missingParts } from './flow/answers.js';
import { resolveConditions } from './flow/conditions.js';
import {
  visibleSteps,
  type Answers,
  type FlowDefinition,
  type FlowStep,
  type LocalisedFlowText,
} from './flow/flow.js';
import type { StepUpload } from './flow/inputs.js';

/** Maximum number of resubmission rounds; after them a person decides by the evidence so far. */
export const MAX_RESUBMISSIONS = 3;

/** A step to request again: a code for the reason, and the message for the person. */
export interface StepResubmission {
  readonly stepId: string;
  readonly code: string;
  readonly message: string | LocalisedFlowText;
}

export interface ReopenedSteps {
  readonly askedAt: Date;
  readonly steps: ReadonlyMap<string, Pick<StepResubmission, 'code' | 'message'>>;
}

/** The current answers and files of a session. */
export interface SessionProgress {
  readonly answers: Answers;
  readonly taken: readonly StepUpload[];
  /** Null in the first round. */
  readonly reopened: ReopenedSteps | null;
}

/** The steps that a person has to do now. */
export interface SessionPlan {
  /** The flow after its conditions were evaluated. A step that is requested again is required. */
  readonly flow: FlowDefinition;
  readonly steps: readonly FlowStep[];
  /** Ids of the steps and inputs whose conditions depend on missing values. */
  readonly undecided: readonly string[];
}

/** Plans the steps. A later round has only the steps that are requested again or that the findings require. */
export function planSession(
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
