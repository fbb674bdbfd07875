import type {
  ProgressView,
  RejectionView,
  StepView,
  UploadConstraintsView,
} from '../api/public-session.view.dto.js';
import { isTouched, missingIn } from './flow/answers.js';
import { visibleSteps, textIn, type Answers, type FlowDefinition, type Language } from './flow/flow.js';
import type { StepUpload } from './flow/inputs.js';
import { stepKindOf } from './flow/step-types.js';

export interface StepRecord {
  readonly attempts: number;
  readonly lastRejection: RejectionView | null;
}

/** Where a person stands: drawn from what is kept, never showing it. */
export function publicSteps(
  flow: FlowDefinition,
  answers: Answers,
  uploads: readonly StepUpload[],
  records: ReadonlyMap<string, StepRecord>,
  limits: UploadConstraintsView,
  language: Language,
): {
  readonly steps: readonly StepView[];
  readonly currentStepId: string | null;
  readonly progress: ProgressView;
} {
  const steps = visibleSteps(flow, answers).map((step, i): StepView => {
    const { attempts, lastRejection } = records.get(step.id) ?? { attempts: 0, lastRejection: null };
    const done =
      missingIn(step, answers, uploads).length === 0 && (attempts > 0 || isTouched(step, answers, uploads));
    return {
      id: step.id,
      type: step.type,
      order: i + 1,
      required: step.required,
      status: done ? 'DONE' : 'TODO',
      title: textIn(step.title, language),
      ...stepKindOf(step).view(step, language, limits),
      attempts,
      lastRejection,
    };
  });
  const counted = steps.filter(({ type }) => type !== 'INFO');
  return {
    steps,
    // An INFO step is never done, so it is passed over as soon as something behind it is.
    currentStepId: currentOf(steps),
    progress: { done: counted.filter(({ status }) => status === 'DONE').length, total: counted.length },
  };
}

function currentOf(steps: readonly StepView[]): string | null {
  const lastDone = steps.findLastIndex(({ status }) => status === 'DONE');
  const open = steps.find(({ status, type }, i) => status === 'TODO' && (type !== 'INFO' || i > lastDone));
  return open?.id ?? null;
}
