/** From what is typed to what is sent, and what is wrong with it. Mirrors the service, which has the last word. */
import type { Field, Question, Step } from './api.js';
import { holds, type StepAnswer, type Answers } from './conditions.js';
import { countryCodes } from './texts/countries.js';
import { isCnpj, isCpf } from './tax-id.js';

/** The texts in the inputs, as they were typed. */
export type Drafts = Readonly<Record<string, StepAnswer>>;

/** A fault of one input. The codes are those of the service, so that a fault found here and one found there have one text. */
export type FaultCode =
  | 'REQUIRED'
  | 'TAX_ID_INVALID'
  | 'DATE_INVALID'
  | 'DATE_IN_FUTURE'
  | 'TOO_SHORT'
  | 'TOO_LONG'
  | 'PATTERN_MISMATCH'
  | 'VALUE_NOT_ALLOWED';

const MAX_TEXT = 500;

const FORMS: Readonly<Partial<Record<Field['type'], RegExp>>> = {
  EMAIL: /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/,
  PHONE: /^\+?[0-9 ().-]{8,25}$/,
  CEP: /^\d{5}-?\d{3}$/,
  AMOUNT: /^\d{1,12}([.,]\d{1,2})?$/,
  PERCENT: /^(100([.,]0{1,2})?|\d{1,2}([.,]\d{1,2})?)$/,
};

/** Returns the answer to send for a field; nothing when it is empty. */
export function fieldAnswer(field: Field, draft: StepAnswer | undefined): string | undefined {
  if (typeof draft !== 'string') return undefined;
  const text = draft.trim();
  if (text === '') return undefined;
  if (field.type === 'DATE') return isoDate(text) ?? text;
  if (field.type === 'AMOUNT') return plainAmount(text);
  return text;
}

/** The faults of a field; null when nothing is. `today` is a date as YYYY-MM-DD. */
export function fieldFault(field: Field, draft: StepAnswer | undefined, today: string): FaultCode | null {
  const value = fieldAnswer(field, draft);
  // Answers that are known already need not be typed.
  if (value === undefined) return field.required && field.prefilled !== true ? 'REQUIRED' : null;
  switch (field.type) {
    case 'CPF':
      return isCpf(value) ? null : 'TAX_ID_INVALID';
    case 'CNPJ':
      return isCnpj(value) ? null : 'TAX_ID_INVALID';
    case 'DATE':
      return dateFault(value, today);
    case 'COUNTRY':
      return countryCodes.includes(value) ? null : 'VALUE_NOT_ALLOWED';
    case 'SELECT':
      return field.options.some((option) => option.value === value) ? null : 'VALUE_NOT_ALLOWED';
    case 'TEXT':
      if (value.length < (field.constraints.minLength ?? 1)) return 'TOO_SHORT';
      return value.length > (field.constraints.maxLength ?? MAX_TEXT) ? 'TOO_LONG' : null;
    case 'EMAIL':
    case 'PHONE':
    case 'CEP':
    case 'AMOUNT':
    case 'PERCENT':
      if (value.length > 254) return 'TOO_LONG';
      return FORMS[field.type]?.test(value) === true ? null : 'PATTERN_MISMATCH';
    default:
      return field.type satisfies never;
  }
}

/** The faults of the answer to a question; null when nothing is. */
export function questionFault(question: Question, draft: StepAnswer | undefined): FaultCode | null {
  const value = questionAnswer(draft);
  if (value === undefined) return question.required ? 'REQUIRED' : null;
  if (question.type !== 'TEXT' || typeof value !== 'string') return null;
  return value.length > (question.constraints.maxLength ?? MAX_TEXT) ? 'TOO_LONG' : null;
}

/** Returns the answer to send for a question; nothing when it is not answered. */
export function questionAnswer(draft: StepAnswer | undefined): StepAnswer | undefined {
  if (typeof draft === 'string') return draft.trim() === '' ? undefined : draft.trim();
  if (Array.isArray(draft)) return draft.length === 0 ? undefined : draft;
  return draft;
}

/** The questions of a step that a person gets to see. */
export function visibleQuestions(step: Step, before: Answers, drafts: Drafts): readonly Question[] {
  const answers: Record<string, StepAnswer> = { ...before };
  const shown: Question[] = [];
  for (const question of step.questions ?? []) {
    if (!holds(question.showIf, answers)) continue;
    shown.push(question);
    const answer = questionAnswer(drafts[question.id]);
    if (answer !== undefined) answers[question.id] = answer;
  }
  return shown;
}

/** The steps that a person gets to see and what is sent for them; nothing is sent for what is hidden. */
export function flowOf(
  steps: readonly Step[],
  drafts: Drafts,
): { readonly visible: readonly Step[]; readonly answers: Answers } {
  const visible: Step[] = [];
  const answers: Record<string, StepAnswer> = {};
  for (const step of [...steps].sort((a, b) => a.order - b.order)) {
    if (!holds(step.showIf, answers)) continue;
    visible.push(step);
    const own = ownAnswer(step, drafts[step.id]);
    if (own !== undefined) answers[step.id] = own;
    for (const field of step.fields ?? []) {
      const answer = fieldAnswer(field, drafts[field.id]);
      if (answer !== undefined) answers[field.id] = answer;
    }
    for (const question of visibleQuestions(step, answers, drafts)) {
      const answer = questionAnswer(drafts[question.id]);
      if (answer !== undefined) answers[question.id] = answer;
    }
  }
  return { visible, answers };
}

export type GroupItem = Readonly<Record<string, string>>;

/** The items of a group as they are typed. */
export const groupItems = (draft: StepAnswer | undefined): readonly GroupItem[] =>
  Array.isArray(draft) ? (draft as readonly GroupItem[]) : [];

/** Where the answers to a step of a type stand: under its own id, under those of its inputs, or nowhere. */
const ANSWERED: Readonly<Record<Step['type'], 'ITSELF' | 'INPUTS' | 'NOWHERE'>> = {
  CONSENT: 'ITSELF',
  REPEATED_GROUP: 'ITSELF',
  ONE_TIME_CODE: 'ITSELF',
  DATA_FORM: 'INPUTS',
  QUESTIONNAIRE: 'INPUTS',
  DOCUMENT_CAPTURE: 'NOWHERE',
  SELFIE: 'NOWHERE',
  PROOF_OF_ADDRESS: 'NOWHERE',
  INFO: 'NOWHERE',
};

/** The answer to a step that has one under its own id: the items of a group without what is empty, a yes, or a code. */
function ownAnswer(step: Step, draft: StepAnswer | undefined): StepAnswer | undefined {
  if (ANSWERED[step.type] !== 'ITSELF' || draft === undefined || draft === false) return undefined;
  if (!step.items) return questionAnswer(draft);
  const { fields } = step.items;
  return groupItems(draft).map((item) => {
    const answers: Record<string, string> = {};
    for (const field of fields) {
      const answer = fieldAnswer(field, item[field.id]);
      if (answer !== undefined) answers[field.id] = answer;
    }
    return answers;
  });
}

/** The keys of what a step asks for. */
export function keysOf(step: Step): readonly string[] {
  if (ANSWERED[step.type] === 'ITSELF') return [step.id];
  return [...(step.fields ?? []), ...(step.questions ?? [])].map(({ id }) => id);
}

/** Answered before, in another tab or on another device: nothing of it is here, and nothing has to be. */
export const isSavedElsewhere = (step: Step, drafts: Drafts): boolean =>
  step.status === 'DONE' && keysOf(step).every((key) => drafts[key] === undefined);

/** `27/03/1985`, `27.3.1985` or `27031985` as `1985-03-27`; null when it has no such form. */
export function isoDate(text: string): string | null {
  const match = /^(\d{1,2})[/. -](\d{1,2})[/. -](\d{4})$/.exec(text) ?? /^(\d{2})(\d{2})(\d{4})$/.exec(text);
  const [, day, month, year] = match ?? [];
  if (day === undefined || month === undefined || year === undefined) return null;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function dateFault(value: string, today: string): FaultCode | null {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(value) ? new Date(`${value}T00:00:00Z`) : null;
  if (!at || Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== value || value < '1900-01-01') {
    return 'DATE_INVALID';
  }
  return value > today ? 'DATE_IN_FUTURE' : null;
}

/** `1.234,50` as it is written here, as `1234.50`. */
function plainAmount(text: string): string {
  const bare = text.replace(/^R\$\s*/, '').replaceAll(' ', '');
  return bare.includes(',') ? bare.replaceAll('.', '').replace(',', '.') : bare;
}

/** How people write what they have typed: `529.982.247-25`. What is not whole stays as it is. */
export function tidied(field: Field, text: string): string {
  const characters = text.replace(/[^0-9A-Za-z]/g, '').toUpperCase();
  switch (field.type) {
    case 'CPF':
      return characters.length === 11
        ? characters.replace(/^(.{3})(.{3})(.{3})(.{2})$/, '$1.$2.$3-$4')
        : text;
    case 'CNPJ':
      return characters.length === 14
        ? characters.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5')
        : text;
    case 'CEP':
      return characters.length === 8 ? characters.replace(/^(.{5})(.{3})$/, '$1-$2') : text;
    case 'DATE': {
      const [year, month, day] = (isoDate(text.trim()) ?? '').split('-');
      return day !== undefined && month !== undefined && year !== undefined
        ? `${day}/${month}/${year}`
        : text;
    }
    case 'AMOUNT':
    case 'PERCENT':
    case 'COUNTRY':
    case 'EMAIL':
    case 'PHONE':
    case 'SELECT':
    case 'TEXT':
      return text;
    default:
      return field.type satisfies never;
  }
}
