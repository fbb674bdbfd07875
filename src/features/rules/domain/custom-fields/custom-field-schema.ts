import type { ErrorDetail } from '../../../../platform/kernel/domain-error.js';
import { sha256 } from '../../../../platform/kernel/values/digest.js';
import { canonicalJson } from '../../../../platform/kernel/values/canonical-json.js';
import { customFieldTypes, isPattern, type CustomField, type Localised } from '../../language/index.js';

/** How to treat a transaction with an invalid value of a field: refuse, accept with a warning, or accept. */
export const mismatchPolicies = ['REFUSE', 'WARN', 'IGNORE'] as const;
export type MismatchPolicy = (typeof mismatchPolicies)[number];

/** A requested custom field; `numberCustomFields` adds its number. */
export interface CustomFieldRequest extends Omit<CustomField, 'number'> {
  /** The allowed values of a code; null if the type is not a code. */
  readonly codes: readonly string[] | null;
  /** True if each transaction of these types must have the field. */
  readonly required: boolean;
  readonly onMismatch: MismatchPolicy;
  readonly label: Localised;
}

export interface CustomFieldDefinition extends CustomFieldRequest {
  readonly number: number;
}

export const MAX_CUSTOM_FIELDS = 50;
const MAX_CODES = 500;
/** Maximum number of fields whose values are stored for windows: each costs a row per transaction that has it. */
const MAX_KEPT = 10;
const NAME = /^[a-z][A-Za-z0-9]{0,39}$/;
const PATH = /^[A-Za-z0-9_-]{1,64}(\.[A-Za-z0-9_-]{1,64}){0,3}$/;
/** Metadata keys that the service itself reads. */
const RESERVED_KEYS: readonly string[] = [
  'direction',
  'deviceId',
  'ipAddress',
  'cardId',
  'deviceRegistered',
  'declines',
  'wallet',
  'dict',
  'occurredAt',
];

export function inspectCustomFields(fields: readonly CustomFieldRequest[]): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  const wrong = (path: string, code: string, message: string): void => {
    details.push({ path, code, message });
  };
  if (fields.length > MAX_CUSTOM_FIELDS) {
    wrong('fields', 'TOO_MANY_ITEMS', `There are at most ${MAX_CUSTOM_FIELDS} fields.`);
  }
  if (fields.filter(({ history }) => history !== 'NONE').length > MAX_KEPT) {
    wrong('fields', 'TOO_MANY_ITEMS', `Values of at most ${MAX_KEPT} fields are kept for windows.`);
  }
  fields.forEach((field, i) => {
    const at = `fields[${i}]`;
    const { name, path, type, types, codes, personal, history } = field;
    if (!NAME.test(name)) wrong(`${at}.name`, 'FORMAT_INVALID', 'A small letter, then letters and digits.');
    if (!PATH.test(path)) {
      wrong(`${at}.path`, 'FORMAT_INVALID', 'Members of the metadata, at most four, separated by points.');
    }
    if (RESERVED_KEYS.includes(path.split('.')[0] ?? '')) {
      wrong(`${at}.path`, 'VALUE_NOT_ALLOWED', 'The service itself reads this member of the metadata.');
    }
    if (!customFieldTypes.includes(type)) {
      wrong(`${at}.type`, 'VALUE_NOT_ALLOWED', customFieldTypes.join(', '));
    }
    if (types.length === 0 || !types.every(isPattern)) {
      wrong(
        `${at}.types`,
        'VALUE_NOT_ALLOWED',
        'Codes such as PIX_TRANSFER, beginnings such as PIX_*, or *.',
      );
    }
    const isList = codes !== null && codes.length > 0 && codes.length <= MAX_CODES;
    if (type === 'code' ? !isList || new Set(codes).size < codes.length : codes !== null) {
      wrong(
        `${at}.codes`,
        'VALUE_NOT_ALLOWED',
        `A code has 1 to ${MAX_CODES} values, each once; no other type has.`,
      );
    }
    if (personal && history === 'VALUE') {
      wrong(
        `${at}.history`,
        'VALUE_NOT_ALLOWED',
        'Of a personal field only the keyed hash can be kept: NONE or KEY.',
      );
    }
    if (history === 'KEY' && type !== 'string' && type !== 'code') {
      wrong(`${at}.history`, 'VALUE_NOT_ALLOWED', 'Windows are by a string or a code.');
    }
  });
  for (const member of ['name', 'path'] as const) {
    const members = fields.map((field) => field[member]);
    const twice = members.findIndex((value, i) => members.indexOf(value) < i);
    if (twice >= 0) wrong(`fields[${twice}].${member}`, 'DUPLICATE', 'Another field has this already.');
  }
  return details;
}

/**
 * Numbers fields: with the number of an earlier field of the same meaning, else the next free number. Stored values
 * are found by number, so a field that is stored differently gets a new number.
 */
export function numberCustomFields(
  wanted: readonly CustomFieldRequest[],
  ever: readonly CustomFieldDefinition[],
): CustomFieldDefinition[] {
  const numberByMeaning = new Map(ever.map((field) => [meaningOf(field), field.number]));
  let last = ever.reduce((most, { number }) => Math.max(most, number), 0);
  return wanted.map((field) => {
    const number = numberByMeaning.get(meaningOf(field)) ?? (last += 1);
    return { ...field, number };
  });
}

const meaningOf = ({ name, path, type, types, personal, history }: CustomFieldRequest): string =>
  canonicalJson({ name, path, type, types, personal, isKey: history === 'KEY' });

/** Returns the fields whose values are stored from now on; a back-fill takes earlier values from stored bodies. */
export const fieldsToBackfill = (
  before: readonly CustomFieldDefinition[],
  after: readonly CustomFieldDefinition[],
): number[] =>
  after
    .filter(({ history }) => history !== 'NONE')
    .filter(({ number }) => !before.some((one) => one.number === number && one.history !== 'NONE'))
    .map(({ number }) => number);

/** The hash that a version is published under. */
export const hashOfCustomFields = (fields: readonly CustomFieldDefinition[]): Buffer =>
  sha256(canonicalJson(fields));

export function customFieldOf(field: CustomFieldDefinition): CustomField {
  const { number, name, path, type, types, personal, history, label } = field;
  return { number, name, path, type, types, personal, history, label };
}
