import type { EvidenceComponent } from './checks/evidence.js';
import { missingParts } from './flow/answers.js';
import type { FlowDefinition, FlowStep, LocalisedFlowText } from './flow/flow.js';
import { MAX_RESUBMISSIONS, planSession, type StepResubmission, type SessionProgress } from './plan.js';

/** The steps to request again before the session gets a result, and why a result without them is not defensible. */
export interface ResubmissionNeeds {
  readonly asked: readonly StepResubmission[];
  /** Codes of the reasons why the result is not defensible. */
  readonly against: readonly string[];
}

const NEEDED_TOO: LocalisedFlowText = {
  'pt-BR': 'Precisamos de mais esta informação.',
  en: 'We need this as well.',
  es: 'Necesitamos también esta información.',
};

/**
 * Returns the steps to request after the checks: steps that the flow names for a finding, and required steps that have
 * become visible by a finding and lack an answer. After the last round, returns no steps but reasons for a review.
 */
export function resubmissionNeeds(
  session: { readonly flow: FlowDefinition; readonly round: number },
  evidence: readonly EvidenceComponent[],
  progress: SessionProgress,
  today: string,
): ResubmissionNeeds {
  const { flow, steps, undecided } = planSession(
    { flow: session.flow, evidence },
    { ...progress, reopened: null },
    today,
  );
  const isMissing = (step: FlowStep): boolean =>
    step.required && step.type !== 'INFO' && missingParts(step, progress.answers, progress.taken).length > 0;
  const needByStep = new Map<string, StepResubmission>();
  for (const step of steps.filter(isMissing)) {
    needByStep.set(step.id, { stepId: step.id, code: 'MORE_NEEDED', message: NEEDED_TOO });
  }
  for (const { check, reason, step, message } of flow.resubmitOn ?? []) {
    const component = evidence.find(({ name }) => name === check);
    const asks =
      (component?.state === 'HIT' || component?.state === 'PARTIAL') &&
      (reason === undefined || component.reason === reason);
    if (asks && steps.some(({ id }) => id === step)) {
      needByStep.set(step, {
        stepId: step,
        code: `${check}_${component.reason ?? component.state}`.slice(0, 64),
        message,
      });
    }
  }
  const unknown = undecided.length > 0 ? ['CONDITION_UNKNOWN'] : [];
  if (session.round <= MAX_RESUBMISSIONS && !progress.reopened) {
    return { asked: [...needByStep.values()], against: unknown };
  }
  // After the last round, or one that expired unanswered, a person decides by the evidence so far.
  const open = steps.some(isMissing) || progress.reopened !== null;
  return { asked: [], against: [...unknown, ...(open ? ['RESUBMISSION_NOT_GIVEN'] : [])] };
}
