import { isTouched, missingIn, type StepUpload } from './answers.js';
import {
  isUploadStep,
  textIn,
  visibleSteps,
  type Answers,
  type Condition,
  type Field,
  type FlowDefinition,
  type FlowStep,
  type Language,
  type Question,
  type StepType,
} from './flow.js';

export type StepStatus = 'TODO' | 'DONE';

/** Why what was sent for a step was not taken. */
export interface Rejection {
  readonly code: string;
  readonly message: string;
}

export interface PublicOption {
  readonly value: string;
  readonly label: string;
}

export interface PublicField {
  readonly id: string;
  readonly type: Field['type'];
  readonly label: string;
  readonly help: string | null;
  readonly required: boolean;
  readonly options: readonly PublicOption[];
  readonly constraints: { readonly minLength: number | null; readonly maxLength: number | null };
}

export interface PublicQuestion {
  readonly id: string;
  readonly type: Question['type'];
  readonly label: string;
  readonly required: boolean;
  readonly options: readonly PublicOption[];
  readonly constraints: { readonly minLength: number | null; readonly maxLength: number | null };
  readonly showIf: Condition | null;
}

export interface PublicDocument {
  readonly type: string;
  readonly label: string;
  readonly sides: readonly ('FRONT' | 'BACK')[];
}

/** A step as the page draws it. Which of the optional members it has depends on its type. */
export interface PublicStep {
  readonly id: string;
  readonly type: StepType;
  readonly order: number;
  readonly required: boolean;
  readonly status: StepStatus;
  readonly title: string;
  /** CONSENT and INFO. */
  readonly text?: string;
  /** CONSENT: which version of the notice is shown. */
  readonly noticeVersion?: string;
  readonly fields?: readonly PublicField[];
  readonly questions?: readonly PublicQuestion[];
  readonly acceptedDocuments?: readonly PublicDocument[];
  readonly capture?: {
    readonly camera: 'user' | 'environment';
    readonly modes: readonly ('CAMERA' | 'FILE')[];
  };
  readonly constraints?: UploadConstraints;
  /** How often something was sent for it. */
  readonly attempts: number;
  readonly lastRejection: Rejection | null;
}

/** The limits of an upload, the same for every step that takes one. */
export interface UploadConstraints {
  readonly mimeTypes: readonly string[];
  readonly maxBytes: number;
  readonly maxSidePx: number;
}

export interface StepRecord {
  readonly attempts: number;
  readonly lastRejection: Rejection | null;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** Where a person stands: drawn from what is kept, never showing it. */
export function publicSteps(
  flow: FlowDefinition,
  answers: Answers,
  uploads: readonly StepUpload[],
  records: ReadonlyMap<string, StepRecord>,
  limits: UploadConstraints,
  language: Language,
): {
  readonly steps: readonly PublicStep[];
  readonly currentStepId: string | null;
  readonly progress: Progress;
} {
  const steps = visibleSteps(flow, answers).map((step, i): PublicStep => {
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
      ...partsOf(step, limits, language),
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

function currentOf(steps: readonly PublicStep[]): string | null {
  const lastDone = steps.findLastIndex(({ status }) => status === 'DONE');
  const open = steps.find(({ status, type }, i) => status === 'TODO' && (type !== 'INFO' || i > lastDone));
  return open?.id ?? null;
}

function partsOf(step: FlowStep, limits: UploadConstraints, language: Language): Partial<PublicStep> {
  if (isUploadStep(step)) {
    return {
      ...(step.type === 'SELFIE'
        ? {}
        : {
            acceptedDocuments: step.acceptedDocuments.map(({ type, label, sides }) => ({
              type,
              label: textIn(label, language),
              sides,
            })),
          }),
      capture: { camera: step.type === 'SELFIE' ? 'user' : 'environment', modes: ['CAMERA', 'FILE'] },
      constraints: limits,
    };
  }
  switch (step.type) {
    case 'INFO':
      return { text: textIn(step.text, language) };
    case 'CONSENT':
      return { text: textIn(step.text, language), noticeVersion: step.noticeVersion };
    case 'DATA_FORM':
      return { fields: step.fields.map((field) => fieldView(field, language)) };
    case 'QUESTIONNAIRE':
      return { questions: step.questions.map((question) => questionView(question, language)) };
    default:
      return step satisfies never;
  }
}

const fieldView = (field: Field, language: Language): PublicField => ({
  id: field.id,
  type: field.type,
  label: textIn(field.label, language),
  help: field.help ? textIn(field.help, language) : null,
  required: field.required,
  options: (field.options ?? []).map(({ value, label }) => ({ value, label: textIn(label, language) })),
  constraints: { minLength: field.minLength ?? null, maxLength: field.maxLength ?? null },
});

const questionView = (question: Question, language: Language): PublicQuestion => ({
  id: question.id,
  type: question.type,
  label: textIn(question.label, language),
  required: question.required,
  options: (question.options ?? []).map(({ value, label }) => ({ value, label: textIn(label, language) })),
  constraints: { minLength: null, maxLength: question.maxLength ?? null },
  showIf: question.showIf ?? null,
});
