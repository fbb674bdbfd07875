/** Languages of the pages and messages that end users see. */
export const languages = ['pt-BR', 'en', 'es'] as const;
export type FlowLanguage = (typeof languages)[number];

/** A text for end users. Portuguese replaces a missing language. */
export type LocalisedFlowText = Readonly<{ 'pt-BR': string } & Partial<Record<FlowLanguage, string>>>;

export const textInLanguage = (text: LocalisedFlowText, language: FlowLanguage): string =>
  text[language] ?? text['pt-BR'];

/** One person or thing of a repeated group: texts, keyed by id of the field. */
export type GroupItem = Readonly<Record<string, string>>;

/** A text, choices, yes or no, or the items of a group. `Answers` are keyed by id of the field, question or step. */
export type StepAnswer = string | boolean | readonly string[] | readonly GroupItem[];
export type Answers = Readonly<Record<string, StepAnswer>>;

/** A condition: the earlier answer `answer` equals `equals`, or is one of `in`. */
export interface AnswerCondition {
  readonly answer: string;
  readonly equals?: string | boolean;
  readonly in?: readonly string[];
}

export interface FlowOption {
  readonly value: string;
  readonly label: LocalisedFlowText;
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
  'PERCENT',
  'SELECT',
] as const;
export type FieldType = (typeof fieldTypes)[number];

/**
 * The meaning of a field, so that checks, screening and the profile find it under any id. A field with one of the usual
 * ids has its role by default (`roles.ts`).
 */
export const fieldRoles = [
  'PERSON_NAME',
  'COMPANY_NAME',
  'OWNER_NAME',
  'DOCUMENT',
  'BIRTH_DATE',
  'INCOME',
  'REVENUE',
  'OCCUPATION',
  'EMAIL',
  'PHONE',
  'POSTAL_CODE',
  'ADDRESS',
  'SHARE',
  'DOCUMENT_NUMBER',
  'DOCUMENT_EXPIRY',
  'MACHINE_READABLE_ZONE',
] as const;
export type FieldRole = (typeof fieldRoles)[number];

/** One input of a form. */
export interface FlowField {
  readonly id: string;
  readonly type: FieldType;
  readonly role?: FieldRole;
  /** A condition of the rule language about answers to earlier steps. */
  readonly when?: string;
  readonly label: LocalisedFlowText;
  readonly help?: LocalisedFlowText;
  readonly required: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly options?: readonly FlowOption[];
}

export const questionTypes = ['BOOLEAN', 'SINGLE_CHOICE', 'MULTIPLE_CHOICE', 'TEXT'] as const;
export type QuestionType = (typeof questionTypes)[number];

export interface FlowQuestion {
  readonly id: string;
  readonly type: QuestionType;
  readonly label: LocalisedFlowText;
  readonly required: boolean;
  readonly options?: readonly FlowOption[];
  readonly maxLength?: number;
  readonly showIf?: AnswerCondition;
  readonly when?: string;
}

export const documentSides = ['FRONT', 'BACK'] as const;
export type DocumentSide = (typeof documentSides)[number];

/** A type of document that a step accepts, with the required sides. */
export interface AcceptedDocument {
  readonly type: string;
  readonly label: LocalisedFlowText;
  readonly sides: readonly DocumentSide[];
}

interface StepBase {
  readonly id: string;
  readonly title: LocalisedFlowText;
  readonly required: boolean;
  readonly showIf?: AnswerCondition;
  /** A condition of the rule language about earlier answers and check results. */
  readonly when?: string;
}

export const peopleRoles = ['OWNER', 'REPRESENTATIVE'] as const;
export type PeopleRole = (typeof peopleRoles)[number];

/** The role of a group's people in the company, and the session that each of them gets. */
export interface GroupPeople {
  readonly as: PeopleRole;
  readonly session?: {
    readonly flowKey: string;
    /** True if a person must review the company's result while one of these sessions is not approved. */
    readonly required: boolean;
  };
}

export const codeChannels = ['EMAIL', 'SMS'] as const;
export type CodeChannel = (typeof codeChannels)[number];

export type FlowStep =
  | (StepBase & {
      readonly type: 'CONSENT';
      readonly text: LocalisedFlowText;
      readonly noticeVersion: string;
    })
  | (StepBase & { readonly type: 'INFO'; readonly text: LocalisedFlowText })
  | (StepBase & { readonly type: 'DATA_FORM'; readonly fields: readonly FlowField[] })
  | (StepBase & { readonly type: 'QUESTIONNAIRE'; readonly questions: readonly FlowQuestion[] })
  | (StepBase & {
      readonly type: 'DOCUMENT_CAPTURE';
      readonly acceptedDocuments: readonly AcceptedDocument[];
    })
  | (StepBase & { readonly type: 'SELFIE' })
  | (StepBase & {
      readonly type: 'PROOF_OF_ADDRESS';
      readonly acceptedDocuments: readonly AcceptedDocument[];
    })
  | (StepBase & {
      readonly type: 'REPEATED_GROUP';
      readonly itemTitle: LocalisedFlowText;
      readonly min: number;
      readonly max: number;
      readonly fields: readonly FlowField[];
      readonly people?: GroupPeople;
    })
  | (StepBase & {
      readonly type: 'ONE_TIME_CODE';
      readonly channel: CodeChannel;
      /** The id of the earlier field with the address for the code. */
      readonly to: string;
    });

export const stepTypes = [
  'CONSENT',
  'DATA_FORM',
  'DOCUMENT_CAPTURE',
  'SELFIE',
  'PROOF_OF_ADDRESS',
  'QUESTIONNAIRE',
  'INFO',
  'REPEATED_GROUP',
  'ONE_TIME_CODE',
] as const;
export type StepType = (typeof stepTypes)[number];

/**
 * One input of a step, with the key of its answer. AGREEMENT, CODE and ITEMS are one input for the whole step, under
 * the id of the step: a consent, a code, or the items of a group with these fields.
 */
export type RequestedAnswer =
  | FlowField
  | FlowQuestion
  | { readonly id: string; readonly type: 'AGREEMENT' | 'CODE'; readonly label: LocalisedFlowText }
  | {
      readonly id: string;
      readonly type: 'ITEMS';
      readonly label: LocalisedFlowText;
      readonly fields: readonly FlowField[];
    };

/** Returns the inputs of a step in page order, for conditions, cases and samples. */
export function requestedAnswers(step: FlowStep): readonly RequestedAnswer[] {
  const { id } = step;
  switch (step.type) {
    case 'CONSENT':
      return [{ id, type: 'AGREEMENT', label: step.title }];
    case 'ONE_TIME_CODE':
      return [{ id, type: 'CODE', label: step.title }];
    case 'DATA_FORM':
      return step.fields;
    case 'QUESTIONNAIRE':
      return step.questions;
    case 'REPEATED_GROUP':
      return [{ id, type: 'ITEMS', label: step.itemTitle, fields: step.fields }];
    case 'DOCUMENT_CAPTURE':
    case 'SELFIE':
    case 'PROOF_OF_ADDRESS':
    case 'INFO':
      return [];
    default:
      return step satisfies never;
  }
}

/** The steps that accept files. */
export type UploadStep = Extract<FlowStep, { type: 'DOCUMENT_CAPTURE' | 'SELFIE' | 'PROOF_OF_ADDRESS' }>;

/** The checks that a flow can require. */
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
  'DOCUMENT_DATA',
  'RECEITA',
  'ADDRESS',
  'CONTACT',
  'OWNERS',
] as const;
export type CheckName = (typeof checkNames)[number];

/** A flow as an organisation defines it. Plain data, stored as JSON. */
export interface FlowDefinition {
  readonly name: LocalisedFlowText;
  /** Who goes through the flow; PERSON if omitted. */
  readonly subject?: FlowSubject;
  /** Minutes after which a link expires unless its request sets another time; 5 minutes to 30 days. */
  readonly expiresInMinutes: number;
  readonly minimumAge: number;
  readonly steps: readonly FlowStep[];
  /** Evidence without which the result is not defensible. */
  readonly requiredChecks: readonly CheckName[];
  /** Findings for which a step is requested again before the session gets a result. */
  readonly resubmitOn?: readonly ResubmissionRule[];
  /** Names of the providers to call, in this order; by default, all of the organisation in order of rank. */
  readonly providers?: Readonly<Partial<Record<CheckName, readonly string[]>>>;
}

/** A finding (HIT or PARTIAL, with `reason` if set) for which `step` is requested again, with this message. */
export interface ResubmissionRule {
  readonly check: CheckName;
  readonly reason?: string;
  readonly step: string;
  readonly message: LocalisedFlowText;
}

export const flowSubjects = ['PERSON', 'COMPANY'] as const;
export type FlowSubject = (typeof flowSubjects)[number];

export const EXPIRY_MINUTES = { min: 5, max: 30 * 24 * 60, default: 24 * 60 } as const;

export function conditionHolds(condition: AnswerCondition | undefined, answers: Answers): boolean {
  if (!condition) return true;
  const answer = answers[condition.answer];
  if (answer === undefined) return false;
  if (condition.in) {
    const allowed: readonly unknown[] = condition.in;
    return Array.isArray(answer)
      ? (answer as readonly unknown[]).some((one) => allowed.includes(one))
      : allowed.includes(answer);
  }
  return answer === condition.equals;
}

/** Returns the steps that this person sees, of a flow whose `when` conditions were evaluated (`conditions.ts`). */
export const visibleSteps = (flow: FlowDefinition, answers: Answers): readonly FlowStep[] =>
  flow.steps.filter((step) => conditionHolds(step.showIf, answers));
