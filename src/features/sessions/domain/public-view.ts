import type { PublicProgress, Rejection, PublicStep, UploadConstraints } from './public-session.js';
import { isStepStarted, missingParts } from './flow/answers.js';
import { textInLanguage, type Answers, type FlowStep, type FlowLanguage } from './flow/flow.js';
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
    const done =
      missingParts(step, answers, uploads).length === 0 &&
      (attempts > 0 || isStepStarted(step, answers, uploads));
    return {
      id: step.id,
      type: step.type,
      order: i + 1,
      required: step.required,
      status: done ? 'DONE' : 'TODO',
      title: textInLanguage(step.title, language),
      ...withPrefilled(stepKindOf(step).view(step, language, limits), prefill),
      attempts,
      lastRejection,
    };
  });
  const counted = steps.filter(({ type }) => type !== 'INFO');
  return {
    steps,
    // An INFO step is never done; it is skipped once a later step is done.
    currentStepId: currentOf(steps),
    progress: { done: counted.filter(({ status }) => status === 'DONE').length, total: counted.length },
  };
}

/** Marks the fields that the creator of the session has prefilled. The answers are never shown. */
function withPrefilled(view: Partial<PublicStep>, prefill: Answers): Partial<PublicStep> {
  if (!view.fields?.some(({ id }) => prefill[id] !== undefined)) return view;
  const fields = view.fields.map((field) =>
    Object.assign(field, prefill[field.id] !== undefined && { prefilled: true }),
  );
  return { ...view, fields };
}

function currentOf(steps: readonly PublicStep[]): string | null {
  const lastDone = steps.findLastIndex(({ status }) => status === 'DONE');
  const open = steps.find(({ status, type }, i) => status === 'TODO' && (type !== 'INFO' || i > lastDone));
  return open?.id ?? null;
}
