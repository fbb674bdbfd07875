import { TaxId } from '../../kernel/tax-id.js';
import { countryCodes } from '../../kernel/reference/countries.js';
import {
  holds,
  isUploadStep,
  visibleSteps,
  type AcceptedDocument,
  type Answers,
  type Field,
  type FlowDefinition,
  type FlowStep,
  type Question,
} from './flow.js';

/** One thing wrong with what was answered. Never holds the value. */
export interface AnswerProblem {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** What was uploaded for a step, as far as completeness goes. */
export interface StepUpload {
  readonly stepId: string;
  readonly documentType: string | null;
  /** Null shows the whole of it. */
  readonly side: 'FRONT' | 'BACK' | null;
}

/** Keys that are known whatever the flow asks for; the specification names them. */
export const ALWAYS_KNOWN = ['name', 'cpf', 'selfie_url'] as const;

const MAX_TEXT = 500;
const MAX_REFERENCE = 2_048;
const NUL = '\u0000';

const problem = (path: string, code: string, message: string): AnswerProblem => ({ path, code, message });

/** Judges answers against the flow: unknown keys, wrong types and forms. Missing ones are another question. */
export function judgeAnswers(
  flow: FlowDefinition,
  answers: Readonly<Record<string, unknown>>,
  today: string,
  parent = 'userData',
): readonly AnswerProblem[] {
  const known = entriesOf(flow);
  const problems: AnswerProblem[] = [];
  for (const [key, value] of Object.entries(answers)) {
    const path = `${parent}.${/^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(key) ? key : '?'}`;
    const entry = known.get(key);
    const found = entry
      ? entry(value, today)
      : alwaysKnown(key)
        ? ALWAYS[key](value)
        : { code: 'UNKNOWN_FIELD', message: 'The flow has no field, question or consent of this name.' };
    if (found) problems.push(problem(path, found.code, found.message));
  }
  return problems;
}

type Found = { readonly code: string; readonly message: string } | null;
type Judge = (value: unknown, today: string) => Found;

const alwaysKnown = (key: string): key is (typeof ALWAYS_KNOWN)[number] =>
  ALWAYS_KNOWN.some((known) => known === key);

const NOT_TEXT: Found = { code: 'TYPE_INVALID', message: 'Must be a string.' };
const NOT_BOOLEAN: Found = { code: 'TYPE_INVALID', message: 'Must be true or false.' };
const NOT_ALLOWED: Found = { code: 'VALUE_NOT_ALLOWED', message: 'The value is not one of those allowed.' };
const TOO_LONG: Found = { code: 'TOO_LONG', message: 'The value is too long.' };
const FORM: Found = { code: 'PATTERN_MISMATCH', message: 'The value does not have the required form.' };

const ALWAYS: Readonly<Record<(typeof ALWAYS_KNOWN)[number], (value: unknown) => Found>> = {
  name: (value) => text(value, 1, 200),
  cpf: (value) => taxId(value, 'CPF'),
  // An artifact of this session; never fetched, whatever it looks like.
  selfie_url: (value) => text(value, 1, MAX_REFERENCE),
};

function entriesOf(flow: FlowDefinition): ReadonlyMap<string, Judge> {
  const entries = new Map<string, Judge>();
  for (const step of flow.steps) {
    if (step.type === 'CONSENT') {
      entries.set(step.id, (value) => (typeof value === 'boolean' ? null : NOT_BOOLEAN));
    } else if (step.type === 'DATA_FORM') {
      for (const field of step.fields) entries.set(field.id, (value, today) => ofField(field, value, today));
    } else if (step.type === 'QUESTIONNAIRE') {
      for (const question of step.questions) entries.set(question.id, (value) => ofQuestion(question, value));
    }
  }
  return entries;
}

function text(value: unknown, min: number, max: number): Found {
  if (typeof value !== 'string') return NOT_TEXT;
  if (value.trim().length < min) return { code: 'TOO_SHORT', message: 'The value is too short.' };
  if (value.length > max) return TOO_LONG;
  return value.includes(NUL) ? FORM : null;
}

function taxId(value: unknown, kind: 'CPF' | 'CNPJ'): Found {
  if (typeof value !== 'string') return NOT_TEXT;
  const parsed = TaxId.parse(value);
  return parsed.ok && parsed.id.kind === kind && !parsed.id.isMasked
    ? null
    : { code: 'TAX_ID_INVALID', message: `Must be a ${kind} with correct check digits.` };
}

const FORMS: Readonly<Partial<Record<Field['type'], RegExp>>> = {
  // Deliberately loose: whether a mailbox exists is not told by its form.
  EMAIL: /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/,
  PHONE: /^\+?[0-9 ().-]{8,25}$/,
  CEP: /^\d{5}-?\d{3}$/,
  AMOUNT: /^\d{1,12}([.,]\d{1,2})?$/,
};

function ofField(field: Field, value: unknown, today: string): Found {
  switch (field.type) {
    case 'CPF':
    case 'CNPJ':
      return taxId(value, field.type);
    case 'DATE':
      return date(value, today);
    case 'COUNTRY':
      return typeof value !== 'string' ? NOT_TEXT : countryCodes.has(value) ? null : NOT_ALLOWED;
    case 'SELECT':
      return chosen(field.options ?? [], value);
    case 'TEXT':
      return text(value, field.minLength ?? 1, field.maxLength ?? MAX_TEXT);
    case 'EMAIL':
    case 'PHONE':
    case 'CEP':
    case 'AMOUNT':
      return text(value, 1, 254) ?? (FORMS[field.type]?.test(value as string) === true ? null : FORM);
    default:
      return field.type satisfies never;
  }
}

/** A day of the calendar that has come: every date that a form asks for is a past one. */
function date(value: unknown, today: string): Found {
  if (typeof value !== 'string') return NOT_TEXT;
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  const at = match ? new Date(`${value}T00:00:00Z`) : null;
  if (!at || Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== value || value < '1900-01-01') {
    return { code: 'DATE_INVALID', message: 'Must be a date as YYYY-MM-DD.' };
  }
  return value > today ? { code: 'DATE_IN_FUTURE', message: 'Must not lie ahead.' } : null;
}

function chosen(options: readonly { readonly value: string }[], value: unknown): Found {
  if (typeof value !== 'string') return NOT_TEXT;
  return options.some((option) => option.value === value) ? null : NOT_ALLOWED;
}

function ofQuestion(question: Question, value: unknown): Found {
  switch (question.type) {
    case 'BOOLEAN':
      return typeof value === 'boolean' ? null : NOT_BOOLEAN;
    case 'SINGLE_CHOICE':
      return chosen(question.options ?? [], value);
    case 'MULTIPLE_CHOICE':
      if (!Array.isArray(value)) return { code: 'TYPE_INVALID', message: 'Must be a list of choices.' };
      if (new Set(value).size !== value.length) {
        return { code: 'ITEMS_NOT_UNIQUE', message: 'The items must differ from each other.' };
      }
      return value.map((one) => chosen(question.options ?? [], one)).find((found) => found !== null) ?? null;
    case 'TEXT':
      return text(value, 1, question.maxLength ?? MAX_TEXT);
    default:
      return question.type satisfies never;
  }
}

/** The sides of some accepted document that are still missing; none when one document is whole. */
function missingSides(
  documents: readonly AcceptedDocument[],
  uploads: readonly StepUpload[],
): { readonly side: string }[] {
  if (uploads.length === 0) return [{ side: '' }];
  const open = documents.map((document) => {
    const own = uploads.filter((one) => one.documentType === null || one.documentType === document.type);
    if (own.some(({ side }) => side === null)) return [];
    return document.sides.filter((side) => !own.some((one) => one.side === side));
  });
  return (open.sort((a, b) => a.length - b.length)[0] ?? []).map((side) => ({ side }));
}

/** What is still missing in one step; nothing when it is done. Paths are below `steps.<id>`. */
export function missingIn(
  step: FlowStep,
  answers: Answers,
  uploads: readonly StepUpload[],
): readonly AnswerProblem[] {
  const at = (rest: string): string => `steps.${step.id}${rest}`;
  if (isUploadStep(step)) {
    const own = uploads.filter(({ stepId }) => stepId === step.id);
    if (step.type === 'SELFIE') {
      return own.length > 0 ? [] : [problem(at(''), 'FILE_MISSING', 'A file is needed.')];
    }
    return missingSides(step.acceptedDocuments, own).map(({ side }) =>
      side === ''
        ? problem(at(''), 'FILE_MISSING', 'A file is needed.')
        : problem(at(`.${side}`), 'FILE_MISSING', 'A file of this side is needed.'),
    );
  }
  switch (step.type) {
    case 'INFO':
      return [];
    case 'CONSENT':
      return answers[step.id] === true
        ? []
        : [problem(at(''), 'CONSENT_MISSING', 'It has to be accepted to go on.')];
    case 'DATA_FORM':
      return step.fields
        .filter(({ id, required }) => required && answers[id] === undefined)
        .map(({ id }) => problem(at(`.${id}`), 'REQUIRED', 'This field is required.'));
    case 'QUESTIONNAIRE':
      return step.questions
        .filter(({ id, required, showIf }) => required && holds(showIf, answers) && answers[id] === undefined)
        .map(({ id }) => problem(at(`.${id}`), 'REQUIRED', 'This question has to be answered.'));
    default:
      return step satisfies never;
  }
}

/** Whether anything has been given for a step. */
export function isTouched(step: FlowStep, answers: Answers, uploads: readonly StepUpload[]): boolean {
  if (isUploadStep(step)) return uploads.some(({ stepId }) => stepId === step.id);
  switch (step.type) {
    case 'INFO':
      return false;
    case 'CONSENT':
      return answers[step.id] !== undefined;
    case 'DATA_FORM':
      return step.fields.some(({ id }) => answers[id] !== undefined);
    case 'QUESTIONNAIRE':
      return step.questions.some(({ id }) => answers[id] !== undefined);
    default:
      return step satisfies never;
  }
}

/** What keeps the session from being submitted: everything missing in the required steps that the person sees. */
export const missingInFlow = (
  flow: FlowDefinition,
  answers: Answers,
  uploads: readonly StepUpload[],
): readonly AnswerProblem[] =>
  visibleSteps(flow, answers)
    .filter(({ required }) => required)
    .flatMap((step) => missingIn(step, answers, uploads));

/** The keys that a step asks for. */
export function keysOf(step: FlowStep): readonly string[] {
  switch (step.type) {
    case 'CONSENT':
      return [step.id];
    case 'DATA_FORM':
      return step.fields.map(({ id }) => id);
    case 'QUESTIONNAIRE':
      return step.questions.map(({ id }) => id);
    case 'INFO':
    case 'DOCUMENT_CAPTURE':
    case 'SELFIE':
    case 'PROOF_OF_ADDRESS':
      return [];
    default:
      return step satisfies never;
  }
}
