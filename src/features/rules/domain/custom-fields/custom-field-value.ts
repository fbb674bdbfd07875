import { parseInstant } from '../../../../platform/kernel/values/instant.js';
import type { CustomField } from '../../language/index.js';

/** A custom field as a submission has it. A MISMATCH is a value that is not of the field's type. */
export type CustomFieldReading =
  | { readonly state: 'VALUE'; readonly value: string | number | boolean }
  | { readonly state: 'ABSENT'; readonly isForType: boolean }
  | { readonly state: 'MISMATCH' };

type Json = Readonly<Record<string, unknown>>;

const ABSENT: CustomFieldReading = { state: 'ABSENT', isForType: true };
const NOT_FOR_TYPE: CustomFieldReading = { state: 'ABSENT', isForType: false };
const MISMATCH: CustomFieldReading = { state: 'MISMATCH' };
/** Maximum length in characters; rules do not compare longer texts. */
const MAX_TEXT = 256;
const DECIMAL = /^-?\d{1,15}(\.\d{1,15})?$/;
const MAX_DIGITS = 15;

/**
 * Reads the value of a field from the metadata of a transaction; null counts as absent. Only the check of a submission
 * passes `codes`: facts hold the sent value, even if it is not in the list.
 */
export function customFieldValueIn(
  { path, type, types }: Pick<CustomField, 'path' | 'type' | 'types'>,
  metadata: Json,
  transactionType: string,
  codes: ReadonlySet<string> | null = null,
): CustomFieldReading {
  if (!isForType(types, transactionType)) return NOT_FOR_TYPE;
  let at: unknown = metadata;
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null || Array.isArray(at)) return MISMATCH;
    at = Object.hasOwn(at, name) ? (at as Json)[name] : undefined;
    if (at === undefined || at === null) return ABSENT;
  }
  const value = typedAs(type, at, codes);
  return value === null ? MISMATCH : { state: 'VALUE', value };
}

const isForType = (types: readonly string[], type: string): boolean =>
  types.some((pattern) => (pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type));

/** The value as rules compare it; null when it is not of the type. */
function typedAs(
  type: CustomField['type'],
  value: unknown,
  codes: ReadonlySet<string> | null,
): string | number | boolean | null {
  switch (type) {
    case 'string':
      return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT ? value : null;
    case 'code':
      return typeof value === 'string' && value.length <= MAX_TEXT && (codes?.has(value) ?? true)
        ? value
        : null;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? value : null;
    case 'decimal':
      return decimalOf(value);
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'instant':
      return typeof value === 'string' ? (parseInstant(value)?.getTime() ?? null) : null;
  }
}

/** Reads a decimal from a JSON number or text, with at most 15 significant digits: doubles distinguish all of those. */
function decimalOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || !DECIMAL.test(value)) return null;
  const digits = value.replace(/[-.]/g, '').replace(/^0+/, '');
  return digits.length <= MAX_DIGITS ? Number(value) : null;
}
