import { visibleSteps, type Answers, type FlowDefinition, type FlowStep } from './flow.js';
import { alwaysKnown, type AnswerValidator, type AnswerProblem, type StepUpload } from './inputs.js';
import { isUploadStep, stepKindOf } from './step-types.js';

/** Validates answers against the flow: unknown keys, wrong types and formats. Missing answers are not reported here. */
export function validateAnswers(
  flow: FlowDefinition,
  answers: Readonly<Record<string, unknown>>,
  today: string,
  parent = 'userData',
): readonly AnswerProblem[] {
  const validatorByAnswer = new Map<string, AnswerValidator>([
    ...Object.entries(alwaysKnown),
    ...flow.steps.flatMap((step) => Object.entries(stepKindOf(step).answers(step))),
  ]);
  const problems: AnswerProblem[] = [];
  for (const [key, value] of Object.entries(answers)) {
    const path = `${parent}.${/^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(key) ? key : '?'}`;
    const judge = validatorByAnswer.get(key);
    const problem = judge
      ? judge(value, today)
      : { code: 'UNKNOWN_FIELD', message: 'The flow has no field, question or consent of this name.' };
    if (problem) {
      problems.push({ path: `${path}${problem.at ?? ''}`, code: problem.code, message: problem.message });
    }
  }
  return problems;
}

/** Returns the missing parts of one step; none when it is done. Paths are below `steps.<id>`. */
export const missingParts = (
  step: FlowStep,
  answers: Answers,
  uploads: readonly StepUpload[],
): readonly AnswerProblem[] =>
  stepKindOf(step)
    .missing(
      step,
      answers,
      uploads.filter(({ stepId }) => stepId === step.id),
    )
    .map(({ at, ...rest }) => ({ path: `steps.${step.id}${at}`, ...rest }));

/** True if the step has an answer or a file. */
export const isStepStarted = (step: FlowStep, answers: Answers, uploads: readonly StepUpload[]): boolean =>
  isUploadStep(step)
    ? uploads.some(({ stepId }) => stepId === step.id)
    : answerKeysOf(step).some((key) => answers[key] !== undefined);

/**
 * Returns the missing parts of the required steps that the person sees. Any missing part prevents the submission.
 */
export const missingInFlow = (
  flow: FlowDefinition,
  answers: Answers,
  uploads: readonly StepUpload[],
): readonly AnswerProblem[] =>
  visibleSteps(flow, answers)
    .filter(({ required }) => required)
    .flatMap((step) => missingParts(step, answers, uploads));

export const answerKeysOf = (step: FlowStep): readonly string[] =>
  Object.keys(stepKindOf(step).answers(step));
