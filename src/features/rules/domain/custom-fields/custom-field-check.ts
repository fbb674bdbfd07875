import { table } from '../../../../platform/kernel/table.js';
import type { ErrorDetail } from '../../../../platform/kernel/domain-error.js';
import type { CustomFieldDefinition } from './custom-field-schema.js';
import { customFieldValueIn } from './custom-field-value.js';

/** The result of checking the metadata of a transaction against the custom fields. */
export interface CustomFieldCheck {
  /** Faults for which the submission is refused; never a value. */
  readonly refusals: readonly ErrorDetail[];
  /** True if the transaction is accepted with a warning, because a field has an invalid value. */
  readonly isWarned: boolean;
}

const NO_PROBLEMS: CustomFieldCheck = { refusals: [], isWarned: false };
const TYPE_WORDS: Readonly<Record<string, string>> = table({
  string: 'a text of 1 to 256 characters',
  number: 'a number',
  decimal: 'a decimal of at most 15 digits, as number or text',
  boolean: 'true or false',
  instant: 'a date-time (RFC 3339)',
});

export function checkCustomFields(
  fields: readonly CustomFieldDefinition[],
  type: string,
  metadata: Readonly<Record<string, unknown>>,
): CustomFieldCheck {
  if (fields.length === 0) return NO_PROBLEMS;
  const refusals: ErrorDetail[] = [];
  let isWarned = false;
  for (const field of fields) {
    const problem = problemOf(field, type, metadata);
    if (problem === null || field.onMismatch === 'IGNORE') continue;
    if (field.onMismatch === 'WARN') isWarned = true;
    else refusals.push({ ...problem, path: `metadata.${field.path}` });
  }
  return refusals.length === 0 && !isWarned ? NO_PROBLEMS : { refusals, isWarned };
}

function problemOf(
  field: CustomFieldDefinition,
  type: string,
  metadata: Readonly<Record<string, unknown>>,
): Omit<ErrorDetail, 'path'> | null {
  const reading = customFieldValueIn(field, metadata, type, field.codes && codesOf(field.codes));
  if (reading.state === 'VALUE') return null;
  if (reading.state === 'MISMATCH') {
    return field.type === 'code'
      ? { code: 'VALUE_NOT_ALLOWED', message: 'Must be one of the codes of this field.' }
      : { code: 'TYPE_INVALID', message: `Must be ${TYPE_WORDS[field.type] ?? field.type}.` };
  }
  return field.required && reading.isForType
    ? { code: 'REQUIRED', message: 'Transactions of this type need this field.' }
    : null;
}

// The code list of a field is the same array for each transaction, so its set is built once.
const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

function codesOf(codes: readonly string[]): ReadonlySet<string> {
  let set = sets.get(codes);
  if (!set) sets.set(codes, (set = new Set(codes)));
  return set;
}
