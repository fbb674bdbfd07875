/** The faults of one field. Codes are stable and documented; texts never hold a submitted value. */
export const violationTexts = {
  REQUIRED: 'This field is required.',
  UNKNOWN_FIELD: 'This field is not part of the contract.',
  TYPE_INVALID: 'The value has the wrong type.',
  PATTERN_MISMATCH: 'The value does not have the required form.',
  TOO_LONG: 'The value is too long.',
  TOO_SHORT: 'The value is too short.',
  TOO_SMALL: 'The value is too small.',
  TOO_LARGE: 'The value is too large.',
  TOO_FEW_ITEMS: 'There are too few items.',
  TOO_MANY_ITEMS: 'There are too many items.',
  ITEMS_NOT_UNIQUE: 'The items must differ from each other.',
  VALUE_NOT_ALLOWED: 'The value is not one of those allowed.',
  VALUE_INVALID: 'The value is not acceptable.',
  TAX_ID_INVALID: 'Must be a CPF or CNPJ with correct check digits, or a masked one.',
  CURRENCY_UNKNOWN: 'Must be an ISO 4217 alpha-3 code in use.',
  COUNTRY_UNKNOWN: 'Must be an ISO 3166-1 alpha-2 code.',
  AMOUNT_NOT_POSITIVE: 'Must be greater than zero.',
  AMOUNT_TOO_LARGE: 'Must be at most 999999999999.99.',
  AMOUNT_TOO_PRECISE: 'Must not have more decimals than the minor unit of the currency.',
  DATETIME_INVALID: 'Must be an RFC 3339 date-time with seconds and offset.',
  DATETIME_IN_FUTURE: 'Must not be more than 5 minutes ahead of now.',
  METADATA_TOO_LARGE: 'Must not be larger than 16 KiB as JSON.',
  METADATA_TOO_DEEP: 'Must not be nested deeper than 5 levels.',
  METADATA_TOO_MANY_KEYS: 'Must not have more than 100 keys.',
} as const;

export type ViolationCode = keyof typeof violationTexts;

/** A fault at one path of a body, with a message for people. */
export interface Violation {
  readonly path: string;
  readonly code: ViolationCode;
  readonly message: string;
  /** The name or value of the contract that was probably meant; never the submitted text. */
  readonly suggestion?: string;
}

/** A fault of a value, or of a field in it. */
export interface ValidationFault {
  readonly code: ViolationCode;
  readonly message: string;
  /** The path below the value; empty for the value itself. */
  readonly at: string;
  /** Returns the value that was probably meant; called only for a refused value. */
  readonly meant?: (value: unknown) => string | undefined;
}

/** Creates a fault. Checks create it once and return the same object each time, so that a refusal allocates nothing. */
export const createFault = (
  code: ViolationCode,
  message: string = violationTexts[code],
  at = '',
): ValidationFault => ({
  code,
  message,
  at,
});

/** Returns `{ suggestion }` to spread into an object; empty without a suggestion. */
export const withSuggestion = (suggestion: string | undefined): { readonly suggestion?: string } =>
  suggestion === undefined ? {} : { suggestion };

export const NOT_TEXT = createFault('TYPE_INVALID', 'Must be a string.');
export const NOT_AN_OBJECT = createFault('TYPE_INVALID', 'Must be a JSON object.');

/**
 * If a value is missing or of the wrong type, keeps only that fault, because the others follow from it. Both
 * validators use this function, so that they report the same.
 */
export function keepMostSpecific(faults: readonly ValidationFault[]): readonly ValidationFault[] {
  if (faults.length < 2) return faults;
  const decisive =
    faults.find(({ code }) => code === 'REQUIRED') ??
    faults.find(({ code, at }) => code === 'TYPE_INVALID' && at === '');
  return decisive ? [decisive] : faults;
}

/** Maximum number of violations in an error: more would not help, and a caller could make them expensive. */
export const MAX_VIOLATIONS = 50;
