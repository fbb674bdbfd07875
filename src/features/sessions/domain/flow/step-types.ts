import type { PublicStep, UploadConstraints } from '../public-session.js';
import {
  conditionHolds,
  textInLanguage,
  type Answers,
  type FlowStep,
  type GroupItem,
  type FlowLanguage,
  type StepType,
  type UploadStep,
} from './flow.js';
import { LIMITS, type FlowValidator, type PlainObject } from './flow-validator.js';
import {
  validateCode,
  validateConsent,
  validateField,
  validateGroup,
  validateQuestion,
  missingInGroup,
  missingSides,
  type AnswerValidator,
  type StepUpload,
} from './inputs.js';
import { fieldView, questionView } from './public-step.js';

/** A missing input of a step; `at` is the path below the step. */
interface MissingInput {
  readonly at: string;
  readonly code: string;
  readonly message: string;
}

interface StepKind<Step extends FlowStep> {
  /** The properties of the definition that only this type has. */
  readonly members: readonly string[];
  /** The kind of file that the step accepts. */
  readonly takes?: 'DOCUMENT' | 'SELFIE' | 'PROOF_OF_ADDRESS';
  /** Validates these properties in a flow that a client sent. */
  judge(judge: FlowValidator, step: PlainObject, at: string): void;
  answers(step: Step): Readonly<Record<string, AnswerValidator>>;
  /** Returns the missing parts of the step. `uploads` are the files of this step. */
  missing(step: Step, answers: Answers, uploads: readonly StepUpload[]): readonly MissingInput[];
  /** Returns the data that only this type of step adds for the page. */
  view(step: Step, language: FlowLanguage, limits: UploadConstraints): Partial<PublicStep>;
}

const NO_FILE: MissingInput = { at: '', code: 'FILE_MISSING', message: 'A file is needed.' };
const MODES = ['CAMERA', 'FILE'] as const;

const documents = (
  takes: 'DOCUMENT' | 'PROOF_OF_ADDRESS',
): StepKind<Exclude<UploadStep, { type: 'SELFIE' }>> => ({
  members: ['acceptedDocuments'],
  takes,
  judge: (judge, step, at) => {
    judge.documents(step['acceptedDocuments'], `${at}.acceptedDocuments`);
  },
  answers: () => ({}),
  missing: (step, _answers, uploads) =>
    missingSides(step.acceptedDocuments, uploads).map(({ side }) =>
      side === '' ? NO_FILE : { ...NO_FILE, at: `.${side}`, message: 'A file of this side is needed.' },
    ),
  view: (step, language, limits) => ({
    acceptedDocuments: step.acceptedDocuments.map(({ type, label, sides }) => ({
      type,
      label: textInLanguage(label, language),
      sides,
    })),
    capture: { camera: 'environment', modes: MODES },
    constraints: limits,
  }),
});

/** The behaviour of each type of step. A new type needs an entry here and its properties in `FlowStep`. */
export const stepKinds: { readonly [T in StepType]: StepKind<Extract<FlowStep, { type: T }>> } = {
  CONSENT: {
    members: ['text', 'noticeVersion'],
    judge: (judge, step, at) => {
      judge.localised(step['text'], `${at}.text`, LIMITS.text);
      judge.text(step['noticeVersion'], `${at}.noticeVersion`, 40);
      judge.registerAnswer(step['id'], 'boolean');
    },
    answers: (step) => ({ [step.id]: validateConsent }),
    missing: (step, answers) =>
      answers[step.id] === true
        ? []
        : [{ at: '', code: 'CONSENT_MISSING', message: 'It has to be accepted to go on.' }],
    view: (step, language) => ({
      text: textInLanguage(step.text, language),
      noticeVersion: step.noticeVersion,
    }),
  },
  DATA_FORM: {
    members: ['fields'],
    judge: (judge, step, at) => {
      judge.each(step['fields'], `${at}.fields`, LIMITS.inputs, (field, path) => {
        judge.validateField(field, path);
      });
    },
    answers: (step) =>
      Object.fromEntries(
        step.fields.map((field) => [field.id, (value, today) => validateField(field, value, today)]),
      ),
    missing: (step, answers) =>
      step.fields
        .filter(({ id, required }) => required && answers[id] === undefined)
        .map(({ id }) => ({ at: `.${id}`, code: 'REQUIRED', message: 'This field is required.' })),
    view: (step, language) => ({ fields: step.fields.map((field) => fieldView(field, language)) }),
  },
  DOCUMENT_CAPTURE: documents('DOCUMENT'),
  SELFIE: {
    members: [],
    takes: 'SELFIE',
    judge: () => undefined,
    answers: () => ({}),
    missing: (_step, _answers, uploads) => (uploads.length > 0 ? [] : [NO_FILE]),
    view: (_step, _language, limits) => ({ capture: { camera: 'user', modes: MODES }, constraints: limits }),
  },
  PROOF_OF_ADDRESS: documents('PROOF_OF_ADDRESS'),
  QUESTIONNAIRE: {
    members: ['questions'],
    judge: (judge, step, at) => {
      judge.each(step['questions'], `${at}.questions`, LIMITS.inputs, (question, path) => {
        judge.validateQuestion(question, path);
      });
    },
    answers: (step) =>
      Object.fromEntries(
        step.questions.map((question) => [question.id, (value) => validateQuestion(question, value)]),
      ),
    missing: (step, answers) =>
      step.questions
        .filter(
          ({ id, required, showIf }) =>
            required && conditionHolds(showIf, answers) && answers[id] === undefined,
        )
        .map(({ id }) => ({ at: `.${id}`, code: 'REQUIRED', message: 'This question has to be answered.' })),
    view: (step, language) => ({
      questions: step.questions.map((question) => questionView(question, language)),
    }),
  },
  INFO: {
    members: ['text'],
    judge: (judge, step, at) => {
      judge.localised(step['text'], `${at}.text`, LIMITS.text);
      if (step['required'] === true) {
        judge.add(
          `${at}.required`,
          'VALUE_NOT_ALLOWED',
          'An INFO step asks for nothing and cannot be required.',
        );
      }
    },
    answers: () => ({}),
    missing: () => [],
    view: (step, language) => ({ text: textInLanguage(step.text, language) }),
  },
  REPEATED_GROUP: {
    members: ['itemTitle', 'min', 'max', 'fields', 'people'],
    judge: (judge, step, at) => {
      judge.validateGroup(step, at);
    },
    answers: (step) => ({ [step.id]: (value, today) => validateGroup(step, value, today) }),
    missing: (step, answers) => missingInGroup(step, answers[step.id] as readonly GroupItem[] | undefined),
    view: ({ itemTitle, min, max, fields }, language) => ({
      items: {
        ...{ title: textInLanguage(itemTitle, language), min, max },
        fields: fields.map((field) => fieldView(field, language)),
      },
    }),
  },
  ONE_TIME_CODE: {
    members: ['channel', 'to'],
    judge: (judge, step, at) => {
      judge.validateCodeStep(step, at);
    },
    answers: (step) => ({ [step.id]: validateCode }),
    // The service stores `true` in place of a correct code.
    missing: (step, answers) =>
      answers[step.id] === true
        ? []
        : [{ at: '', code: 'CODE_MISSING', message: 'The code that was sent is needed.' }],
    view: ({ channel }) => ({ channel }),
  },
};

export const stepKindOf = (step: FlowStep): StepKind<FlowStep> => stepKinds[step.type];

export const isUploadStep = (step: FlowStep): step is UploadStep => stepKinds[step.type].takes !== undefined;
