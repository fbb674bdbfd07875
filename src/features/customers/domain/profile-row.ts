import { table } from '../../../platform/kernel/table.js';
import { isRealName } from '../../../platform/kernel/values/canonical/missing-name.js';
import { isPlaceholder, tidyText } from '../../../platform/kernel/values/canonical/plain-text.js';
import { TaxId } from '../../../platform/kernel/values/tax-id.js';
import type { Declaration } from './customer.js';

/** A fault of a row. Never holds the value. */
export interface RowProblem {
  /** Counted from 1. */
  readonly line: number;
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** A valid row of a bulk change. */
export interface ProfileRow {
  readonly line: number;
  readonly externalCustomerId: string | null;
  readonly taxId: TaxId | null;
  readonly name: string | null;
  readonly birthDate: string | null;
  readonly riskLevel: 'LOW' | 'MEDIUM' | 'HIGH' | null;
  readonly change: Declaration;
  /** The day on which the values were true; null means now. */
  readonly asOf: string | null;
}

type Validated = { readonly value: unknown } | { readonly code: string; readonly message: string };
type Validator = (value: unknown, today: string) => Validated;

const faultOf = (code: string, message: string): Validated => ({ code, message });

const text =
  (max: number): Validator =>
  (value) => {
    if (typeof value !== 'string') return faultOf('TYPE_INVALID', 'Must be a string.');
    const trimmed = value.trim();
    if (trimmed === '') return faultOf('TOO_SHORT', 'The value is too short.');
    return trimmed.length > max ? faultOf('TOO_LONG', 'The value is too long.') : { value: trimmed };
  };

const knownText =
  (validator: Validator, isGiven: (text: string) => boolean): Validator =>
  (value, today) => {
    const validated = validator(value, today);
    return 'value' in validated && !isGiven(validated.value as string)
      ? faultOf('VALUE_NOT_ALLOWED', 'Leave out what is not known.')
      : validated;
  };

const day: Validator = (value, today) => {
  const at =
    typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? new Date(`${value}T00:00:00Z`) : null;
  if (!at || Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== value || value < '1900-01-01') {
    return faultOf('DATE_INVALID', 'Must be a date as YYYY-MM-DD.');
  }
  return value > today ? faultOf('DATE_IN_FUTURE', 'Must not lie ahead.') : { value };
};

const amount: Validator = (value) => {
  if (typeof value !== 'number') return faultOf('TYPE_INVALID', 'Must be a number.');
  const cents = Math.round(value * 100);
  const inRange = value >= 0 && value <= 1_000_000_000_000;
  return inRange && Math.abs(cents - value * 100) < 1e-6 * Math.max(1, cents)
    ? { value }
    : faultOf('OUT_OF_RANGE', 'Must be from 0 to 1,000,000,000,000 with at most two decimals.');
};

const flag: Validator = (value) =>
  typeof value === 'boolean' ? { value } : faultOf('TYPE_INVALID', 'Must be true or false.');

const level: Validator = (value) =>
  value === 'LOW' || value === 'MEDIUM' || value === 'HIGH'
    ? { value }
    : faultOf('VALUE_NOT_ALLOWED', 'Must be LOW, MEDIUM or HIGH.');

const document: Validator = (value) => {
  const parsed = typeof value === 'string' ? TaxId.parse(value) : null;
  return parsed?.ok === true && !parsed.id.isMasked
    ? { value: parsed.id }
    : faultOf('TAX_ID_INVALID', 'Must be a full CPF or CNPJ.');
};

/** Fields that the profile has under the same name. */
const PROFILE_VALIDATORS = {
  monthlyIncome: amount,
  monthlyRevenue: amount,
  occupation: text(200),
  segment: text(60),
  relationshipSince: day,
  pep: flag,
} satisfies Partial<Record<keyof Declaration, Validator>>;

const VALIDATORS: Readonly<Record<string, Validator>> = table({
  ...PROFILE_VALIDATORS,
  externalCustomerId: knownText(text(256), (id) => !isPlaceholder(tidyText(id))),
  document,
  name: knownText(text(200), isRealName),
  birthDate: day,
  riskLevel: level,
  asOf: day,
});

/** Validates a row and returns all of its faults. A null field counts as omitted. */
export function validateRow(
  line: number,
  row: unknown,
  today: string,
): { readonly row: ProfileRow } | { readonly problems: readonly RowProblem[] } {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) {
    return { problems: [{ line, path: '', code: 'TYPE_INVALID', message: 'A row is an object.' }] };
  }
  const problems: RowProblem[] = [];
  const valueByMember = new Map<string, unknown>();
  for (const [path, value] of Object.entries(row)) {
    const validator = VALIDATORS[path];
    if (value === null && validator) continue;
    const validated = validator?.(value, today) ?? faultOf('UNKNOWN_FIELD', 'There is no such field.');
    if ('value' in validated) valueByMember.set(path, validated.value);
    else {
      problems.push({ line, path: validator ? path : '?', code: validated.code, message: validated.message });
    }
  }
  if (problems.length === 0 && !valueByMember.has('externalCustomerId') && !valueByMember.has('document')) {
    const message = 'externalCustomerId or document is needed.';
    problems.push({ line, path: 'externalCustomerId', code: 'REQUIRED', message });
  }
  if (problems.length > 0) return { problems };
  const readMember = (member: string): unknown => valueByMember.get(member) ?? null;
  return {
    row: {
      line,
      externalCustomerId: readMember('externalCustomerId') as string | null,
      taxId: readMember('document') as TaxId | null,
      name: readMember('name') as string | null,
      birthDate: readMember('birthDate') as string | null,
      riskLevel: readMember('riskLevel') as ProfileRow['riskLevel'],
      change: Object.fromEntries(
        Object.keys(PROFILE_VALIDATORS).flatMap((member) =>
          valueByMember.has(member) ? [[member, valueByMember.get(member)]] : [],
        ),
      ),
      asOf: readMember('asOf') as string | null,
    },
  };
}
