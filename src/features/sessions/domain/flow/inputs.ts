import { TaxId } from '../../../../platform/kernel/values/tax-id.js';
import { countryCodes } from '../../../../platform/kernel/reference/countries.js';
import { roleOf } from './roles.js';
import type { AcceptedDocument, FlowField, FlowStep, GroupItem, FlowQuestion } from './flow.js';

/** One problem of an answer. Never contains the value. */
export interface AnswerProblem {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** A file of a step, with the fields that decide whether the step is complete. */
export interface StepUpload {
  readonly stepId: string;
  readonly documentType: string | null;
  /** Null: the file shows the whole document. */
  readonly side: 'FRONT' | 'BACK' | null;
}

/** Keys that every flow accepts; the specification names them. */
export const ALWAYS_KNOWN = ['name', 'cpf', 'selfie_url'] as const;

const MAX_TEXT = 500;
const MAX_REFERENCE = 2_048;
const NUL = '\u0000';

/** `at`: the path below the answer of a group, such as `[1].cpf`. */
export type InputProblem = { readonly code: string; readonly message: string; readonly at?: string } | null;
export type AnswerValidator = (value: unknown, today: string) => InputProblem;

const NOT_TEXT: InputProblem = { code: 'TYPE_INVALID', message: 'Must be a string.' };
const NOT_BOOLEAN: InputProblem = { code: 'TYPE_INVALID', message: 'Must be true or false.' };
const NOT_ALLOWED: InputProblem = {
  code: 'VALUE_NOT_ALLOWED',
  message: 'The value is not one of those allowed.',
};
const TOO_LONG: InputProblem = { code: 'TOO_LONG', message: 'The value is too long.' };
const WRONG_FORM: InputProblem = {
  code: 'PATTERN_MISMATCH',
  message: 'The value does not have the required form.',
};

/** Validates the answers that every flow accepts. */
export const alwaysKnown: Readonly<Record<(typeof ALWAYS_KNOWN)[number], (value: unknown) => InputProblem>> =
  {
    name: (value) => validateText(value, 1, 200),
    cpf: (value) => validateTaxId(value, 'CPF'),
    // Names an artifact of this session. It is never fetched, even if it looks like a URL.
    selfie_url: (value) => validateText(value, 1, MAX_REFERENCE),
  };

export const validateConsent: AnswerValidator = (value) => (typeof value === 'boolean' ? null : NOT_BOOLEAN);

function validateText(value: unknown, min: number, max: number): InputProblem {
  if (typeof value !== 'string') return NOT_TEXT;
  if (value.trim().length < min) return { code: 'TOO_SHORT', message: 'The value is too short.' };
  if (value.length > max) return TOO_LONG;
  return value.includes(NUL) ? WRONG_FORM : null;
}

function validateTaxId(value: unknown, kind: 'CPF' | 'CNPJ'): InputProblem {
  if (typeof value !== 'string') return NOT_TEXT;
  const parsed = TaxId.parse(value);
  return parsed.ok && parsed.id.kind === kind && !parsed.id.isMasked
    ? null
    : { code: 'TAX_ID_INVALID', message: `Must be a ${kind} with correct check digits.` };
}

const FORMS: Readonly<Partial<Record<FlowField['type'], RegExp>>> = {
  // Deliberately loose: the format does not show whether a mailbox exists.
  EMAIL: /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/,
  PHONE: /^\+?[0-9 ().-]{8,25}$/,
  CEP: /^\d{5}-?\d{3}$/,
  AMOUNT: /^\d{1,12}([.,]\d{1,2})?$/,
  // From 0 to 100 with at most two decimals.
  PERCENT: /^(100([.,]0{1,2})?|\d{1,2}([.,]\d{1,2})?)$/,
};

/** Validates the answer to a field of a form. */
export function validateField(field: FlowField, value: unknown, today: string): InputProblem {
  switch (field.type) {
    case 'CPF':
    case 'CNPJ':
      return validateTaxId(value, field.type);
    case 'DATE':
      return validateDate(value, today, roleOf(field) === 'DOCUMENT_EXPIRY');
    case 'COUNTRY':
      return typeof value !== 'string' ? NOT_TEXT : countryCodes.has(value) ? null : NOT_ALLOWED;
    case 'SELECT':
      return validateChoice(field.options ?? [], value);
    case 'TEXT':
      return validateText(value, field.minLength ?? 1, field.maxLength ?? MAX_TEXT);
    case 'EMAIL':
    case 'PHONE':
    case 'CEP':
    case 'AMOUNT':
    case 'PERCENT':
      return (
        validateText(value, 1, 254) ?? (FORMS[field.type]?.test(value as string) === true ? null : WRONG_FORM)
      );
    default:
      return field.type satisfies never;
  }
}

/** Validates a date. It must not be in the future, except for the date on which a document expires. */
function validateDate(value: unknown, today: string, mayLieAhead: boolean): InputProblem {
  if (typeof value !== 'string') return NOT_TEXT;
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  const at = match ? new Date(`${value}T00:00:00Z`) : null;
  if (!at || Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== value || value < '1900-01-01') {
    return { code: 'DATE_INVALID', message: 'Must be a date as YYYY-MM-DD.' };
  }
  if (mayLieAhead) {
    return value > '2100-01-01' ? { code: 'DATE_INVALID', message: 'Lies too far ahead.' } : null;
  }
  return value > today ? { code: 'DATE_IN_FUTURE', message: 'Must not lie ahead.' } : null;
}

function validateChoice(options: readonly { readonly value: string }[], value: unknown): InputProblem {
  if (typeof value !== 'string') return NOT_TEXT;
  return options.some((option) => option.value === value) ? null : NOT_ALLOWED;
}

export function validateQuestion(question: FlowQuestion, value: unknown): InputProblem {
  switch (question.type) {
    case 'BOOLEAN':
      return typeof value === 'boolean' ? null : NOT_BOOLEAN;
    case 'SINGLE_CHOICE':
      return validateChoice(question.options ?? [], value);
    case 'MULTIPLE_CHOICE':
      if (!Array.isArray(value)) return { code: 'TYPE_INVALID', message: 'Must be a list of choices.' };
      if (new Set(value).size !== value.length) {
        return { code: 'ITEMS_NOT_UNIQUE', message: 'The items must differ from each other.' };
      }
      return (
        value.map((one) => validateChoice(question.options ?? [], one)).find((found) => found !== null) ??
        null
      );
    case 'TEXT':
      return validateText(value, 1, question.maxLength ?? MAX_TEXT);
    default:
      return question.type satisfies never;
  }
}

/** Validates the items of a repeated group, each field like a field of a form. */
export function validateGroup(
  { fields, max }: Extract<FlowStep, { type: 'REPEATED_GROUP' }>,
  value: unknown,
  today: string,
): InputProblem {
  if (!Array.isArray(value)) return { code: 'TYPE_INVALID', message: 'Must be a list of items.' };
  if (value.length > max) return { code: 'TOO_MANY_ITEMS', message: `Must have at most ${max} items.` };
  for (const [i, item] of value.entries()) {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) {
      return { code: 'TYPE_INVALID', message: 'Must be an object.', at: `[${i}]` };
    }
    for (const [key, said] of Object.entries(item as object)) {
      const at = `[${i}].${/^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(key) ? key : '?'}`;
      const field = fields.find(({ id }) => id === key);
      const problem = field
        ? validateField(field, said, today)
        : { code: 'UNKNOWN_FIELD', message: 'The group has no such field.' };
      if (problem) return { ...problem, at };
    }
  }
  return null;
}

/** Returns the missing parts of a group's items, with paths below the step. */
export function missingInGroup(
  { fields, min }: Extract<FlowStep, { type: 'REPEATED_GROUP' }>,
  items: readonly GroupItem[] | undefined,
): { readonly at: string; readonly code: string; readonly message: string }[] {
  if ((items?.length ?? 0) < min || items === undefined) {
    return [{ at: '', code: 'TOO_FEW_ITEMS', message: `At least ${min} are needed.` }];
  }
  return items.flatMap((item, i) =>
    fields
      .filter(({ id, required }) => required && item[id] === undefined)
      .map(({ id }) => ({ at: `[${i}].${id}`, code: 'REQUIRED', message: 'This field is required.' })),
  );
}

export const validateCode: AnswerValidator = (value) =>
  typeof value !== 'string' ? NOT_TEXT : /^\d{4,10}$/.test(value.trim()) ? null : WRONG_FORM;

/** Returns the missing sides of the most complete document. */
export function missingSides(
  documents: readonly AcceptedDocument[],
  uploads: readonly StepUpload[],
): { readonly side: string }[] {
  if (uploads.length === 0) return [{ side: '' }];
  const open = documents.map((document) => {
    const uploadsOfDocument = uploads.filter(
      (one) => one.documentType === null || one.documentType === document.type,
    );
    if (uploadsOfDocument.some(({ side }) => side === null)) return [];
    return document.sides.filter((side) => !uploadsOfDocument.some((one) => one.side === side));
  });
  return (open.sort((a, b) => a.length - b.length)[0] ?? []).map((side) => ({ side }));
}
