/** Languages of the pages and messages that end users see. */
export const languages = ['pt-BR', 'en', 'es'] as const;
export type Language = (typeof languages)[number];

/** A text for end users; where a language is missing, Portuguese stands in. */
export type Localised = Readonly<{ 'pt-BR': string } & Partial<Record<Language, string>>>;

export const textIn = (text: Localised, language: Language): string => text[language] ?? text['pt-BR'];

/** Answers are texts, choices, or yes or no, by the id of the field, question or consent step. */
export type Answer = string | boolean | readonly string[];
export type Answers = Readonly<Record<string, Answer>>;

/** Holds when the earlier answer `answer` equals `equals`, or is one of `in`. */
export interface Condition {
  readonly answer: string;
  readonly equals?: string | boolean;
  readonly in?: readonly string[];
}

export interface Option {
  readonly value: string;
  readonly label: Localised;
}

export const fieldTypes = [
  'TEXT',
  'CPF',
  'CNPJ',
  'DATE',
  'EMAIL',
  'PHONE',
  'CEP',
  'COUNTRY',
  'AMOUNT',
  'SELECT',
] as const;
export type FieldType = (typeof fieldTypes)[number];

/** One input of a form. */
export interface Field {
  readonly id: string;
  readonly type: FieldType;
  readonly label: Localised;
  readonly help?: Localised;
  readonly required: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly options?: readonly Option[];
}

export const questionTypes = ['BOOLEAN', 'SINGLE_CHOICE', 'MULTIPLE_CHOICE', 'TEXT'] as const;
export type QuestionType = (typeof questionTypes)[number];

/** One question of a questionnaire. */
export interface Question {
  readonly id: string;
  readonly type: QuestionType;
  readonly label: Localised;
  readonly required: boolean;
  readonly options?: readonly Option[];
  readonly maxLength?: number;
  readonly showIf?: Condition;
}

export const documentSides = ['FRONT', 'BACK'] as const;
export type DocumentSide = (typeof documentSides)[number];

/** A kind of document that a step takes, and which of its sides it wants. */
export interface AcceptedDocument {
  readonly type: string;
  readonly label: Localised;
  readonly sides: readonly DocumentSide[];
}

interface StepBase {
  readonly id: string;
  readonly title: Localised;
  readonly required: boolean;
  readonly showIf?: Condition;
}

export type FlowStep =
  | (StepBase & { readonly type: 'CONSENT'; readonly text: Localised; readonly noticeVersion: string })
  | (StepBase & { readonly type: 'INFO'; readonly text: Localised })
  | (StepBase & { readonly type: 'DATA_FORM'; readonly fields: readonly Field[] })
  | (StepBase & { readonly type: 'QUESTIONNAIRE'; readonly questions: readonly Question[] })
  | (StepBase & {
      readonly type: 'DOCUMENT_CAPTURE';
      readonly acceptedDocuments: readonly AcceptedDocument[];
    })
  | (StepBase & { readonly type: 'SELFIE' })
  | (StepBase & {
      readonly type: 'PROOF_OF_ADDRESS';
      readonly acceptedDocuments: readonly AcceptedDocument[];
    });

export const stepTypes = [
  'CONSENT',
  'DATA_FORM',
  'DOCUMENT_CAPTURE',
  'SELFIE',
  'PROOF_OF_ADDRESS',
  'QUESTIONNAIRE',
  'INFO',
] as const;
export type StepType = (typeof stepTypes)[number];

/** The steps that take files. */
export type UploadStep = Extract<FlowStep, { type: 'DOCUMENT_CAPTURE' | 'SELFIE' | 'PROOF_OF_ADDRESS' }>;

/** The kinds of evidence that a session can be asked for. */
export const checkNames = [
  'TAX_ID',
  'PROFILE',
  'AGE',
  'PEP_DECLARATION',
  'LISTS',
  'DOCUMENT_QUALITY',
  'DOCUMENT_CODE',
  'DUPLICATE_ARTIFACT',
  'DOCUMENT',
  'FACE_MATCH',
  'LIVENESS',
] as const;
export type CheckName = (typeof checkNames)[number];

/** A flow as an organisation defines it. Plain data, stored as JSON. */
export interface FlowDefinition {
  readonly name: Localised;
  /** How long a link lives unless its maker says otherwise; 5 minutes to 30 days. */
  readonly expiresInMinutes: number;
  readonly minimumAge: number;
  readonly steps: readonly FlowStep[];
  /** Evidence without which the result is not defensible. */
  readonly requiredChecks: readonly CheckName[];
}

export const EXPIRY_MINUTES = { min: 5, max: 30 * 24 * 60, default: 24 * 60 } as const;

/** Whether a condition holds for what has been answered so far. */
export function holds(condition: Condition | undefined, answers: Answers): boolean {
  if (!condition) return true;
  const answer = answers[condition.answer];
  if (answer === undefined) return false;
  if (condition.in) {
    const allowed = condition.in;
    return Array.isArray(answer)
      ? (answer as readonly string[]).some((one) => allowed.includes(one))
      : typeof answer === 'string' && allowed.includes(answer);
  }
  return answer === condition.equals;
}

/** The steps that this person gets to see. */
export const visibleSteps = (flow: FlowDefinition, answers: Answers): readonly FlowStep[] =>
  flow.steps.filter((step) => holds(step.showIf, answers));
