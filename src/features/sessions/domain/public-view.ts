import type { PublicProgress, Rejection, PublicStep, UploadConstraints } from './public-session.js';
import { isStepStarted, missingParts } from './flow/answers.js';
import {
  textInLanguage,
  type Answers,
  type FieldRole,
  type FlowStep,
  type FlowLanguage,
} from './flow/flow.js';
import { roleOf } from './flow/roles.js';
import type { SessionProgress } from './plan.js';
import { stepKindOf } from './flow/step-types.js';

export interface StepRecord {
  readonly attempts: number;
  readonly lastRejection: Rejection | null;
}

/** Builds the steps and progress from the stored answers without including any answer. */
export function publicSteps(
  shown: readonly FlowStep[],
  {
    answers,
    taken: uploads,
    prefill,
  }: Pick<SessionProgress, 'answers' | 'taken'> & { readonly prefill: Answers },
  records: ReadonlyMap<string, StepRecord>,
  limits: UploadConstraints,
  language: FlowLanguage,
): {
  readonly steps: readonly PublicStep[];
  readonly currentStepId: string | null;
  readonly progress: PublicProgress;
} {
  const steps = shown.map((step, i): PublicStep => {
    const { attempts, lastRejection } = records.get(step.id) ?? { attempts: 0, lastRejection: null };
    const view = withPrefilled(stepKindOf(step).view(step, language, limits), step, prefill);
    const done =
      missingParts(step, answers, uploads).length === 0 &&
      (attempts > 0 || (isStepStarted(step, answers, uploads) && !showsPrefilled(view)));
    return {
      id: step.id,
      type: step.type,
      order: i + 1,
      required: step.required,
      status: done ? 'DONE' : 'TODO',
      title: textInLanguage(step.title, language),
      ...view,
      attempts,
      lastRejection,
    };
  });
  const countedSteps = steps.filter(({ type }) => type !== 'INFO');
  return {
    steps,
    // An INFO step is never done; it is skipped once a later step is done.
    currentStepId: currentOf(steps),
    progress: {
      done: countedSteps.filter(({ status }) => status === 'DONE').length,
      total: countedSteps.length,
    },
  };
}

/** Roles of fields whose value is shown when it is prefilled, because it weighs in results. */
const WEIGHING_ROLES: readonly (FieldRole | null)[] = ['INCOME', 'REVENUE', 'OCCUPATION'];

/**
 * Marks the fields and questions that the creator of the session has prefilled. Answers are not shown, except those that
 * weigh in results: the person has to see what somebody else says in their place.
 */
function withPrefilled(view: Partial<PublicStep>, step: FlowStep, prefill: Answers): Partial<PublicStep> {
  const shownFields = new Set(
    step.type === 'DATA_FORM'
      ? step.fields.filter((field) => WEIGHING_ROLES.includes(roleOf(field))).map(({ id }) => id)
      : view.questions?.map(({ id }) => id),
  );
  const marked = <Input extends { readonly id: string }>(input: Input): Input => {
    const value = prefill[input.id];
    if (value === undefined) return input;
    const isShown = shownFields.has(input.id) && (typeof value === 'string' || typeof value === 'boolean');
    return { ...input, prefilled: true, ...(isShown && { prefilledValue: value }) };
  };
  return {
    ...view,
    ...(view.fields && { fields: view.fields.map(marked) }),
    ...(view.questions && { questions: view.questions.map(marked) }),
  };
}

/**
 * True if the step shows prefilled answers. It is not done before the person has seen what the creator of the session
 * says in their place.
 */
const showsPrefilled = ({ fields = [], questions = [] }: Partial<PublicStep>): boolean =>
  [...fields, ...questions].some(({ prefilledValue }) => prefilledValue !== undefined);

function currentOf(steps: readonly PublicStep[]): string | null {
  const lastDone = steps.findLastIndex(({ status }) => status === 'DONE');
  const open = steps.find(({ status, type }, i) => status === 'TODO' && (type !== 'INFO' || i > lastDone));
  return open?.id ?? null;
}
