import { table } from '../../../platform/kernel/table.js';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiSchema, type ApiPropertyOptions } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsDefined, IsObject, IsOptional, ValidateNested } from 'class-validator';
import { compileValidator, type DtoClass } from '../../../platform/http/body/compiled-validation.js';
import {
  Check,
  IsText,
  isJsonObject,
  type PropertyCheck,
  type TextRule,
} from '../../../platform/http/body/property-check.js';
import { declareName } from '../../../platform/http/fields/contract-names.js';
import {
  createFault,
  NOT_AN_OBJECT,
  NOT_TEXT,
  type ValidationFault,
} from '../../../platform/http/errors/violations.js';
import {
  epochMillisOf,
  isCalendarDate,
  MAX_INSTANT_LENGTH,
} from '../../../platform/kernel/values/instant.js';
import { amountProblem, MAX_AMOUNT } from '../../../platform/kernel/values/money.js';
import { countryCodes } from '../../../platform/kernel/reference/countries.js';
import { currencyCodes, minorUnitOf } from '../../../platform/kernel/reference/currencies.js';
import { TaxId } from '../../../platform/kernel/values/tax-id.js';
import { metadataNames } from '../domain/submission/known-metadata.js';
import { findMetadataProblem, METADATA_LIMITS } from '../domain/submission/metadata.js';

/** The documentation of a field. Its decorator adds the rest of the OpenAPI schema, beside the validation. */
export interface FieldDocs {
  readonly description: string;
  readonly example?: unknown;
}

/** Documents a body whose unknown fields are refused. */
export const StrictSchema = (description: string): ClassDecorator =>
  // Nest copies every option into the schema; its type names only two of them.
  ApiSchema({ description, additionalProperties: false } as Parameters<typeof ApiSchema>[0]);

type Presence = 'required' | 'optional';

/** Documents a field and whether it is required. An optional field may be null, which means the same as absent. */
const documentField = (presence: Presence, schema: ApiPropertyOptions): PropertyDecorator =>
  presence === 'required'
    ? applyDecorators(ApiProperty(schema), IsDefined())
    : applyDecorators(
        ApiProperty({ ...schema, required: false, nullable: true } as ApiPropertyOptions),
        IsOptional(),
      );

const MAX_TEXT = 256;
const TRANSACTION_ID: TextRule = {
  max: 128,
  pattern: /^[A-Za-z0-9._:-]+$/,
  form: 'letters, digits and . _ : - only',
};
const CODE: TextRule = {
  max: 64,
  pattern: /^[A-Z][A-Z0-9_]{1,63}$/,
  form: 'a capital letter, then capital letters, digits and _',
};

const textField = (presence: Presence, rule: TextRule, docs: FieldDocs): PropertyDecorator =>
  applyDecorators(
    documentField(presence, {
      type: String,
      maxLength: rule.max,
      ...(rule.pattern ? { pattern: rule.pattern.source } : { minLength: 1 }),
      ...docs,
    }),
    IsText(rule),
  );

export const NameField = (docs: FieldDocs): PropertyDecorator =>
  textField('required', { max: MAX_TEXT }, docs);

export const OptionalText = (docs: FieldDocs): PropertyDecorator =>
  textField('optional', { max: MAX_TEXT }, docs);

export const TransactionIdField = (presence: Presence, docs: FieldDocs): PropertyDecorator =>
  textField(presence, TRANSACTION_ID, docs);

/** Declares a type or channel: an open set of upper-case codes. */
export const CodeField = (presence: Presence, docs: FieldDocs): PropertyDecorator =>
  textField(presence, CODE, docs);

const TAX_ID_INVALID = createFault('TAX_ID_INVALID');
/**
 * Returns a function that suggests the same code in capitals, and no similar code: there are so many codes that any
 * wrong one resembles some of them.
 */
const suggestCapitals =
  (codes: ReadonlySet<string>) =>
  (value: unknown): string | undefined => {
    const capitals = typeof value === 'string' && value.length < 8 ? value.toUpperCase() : '';
    return codes.has(capitals) ? capitals : undefined;
  };
const CURRENCY_UNKNOWN = {
  ...createFault('CURRENCY_UNKNOWN'),
  meant: suggestCapitals(new Set(currencyCodes)),
};
const COUNTRY_UNKNOWN = { ...createFault('COUNTRY_UNKNOWN'), meant: suggestCapitals(countryCodes) };

const textCheck =
  (otherwise: ValidationFault, isOne: (text: string) => boolean): PropertyCheck =>
  (value) =>
    typeof value !== 'string' ? NOT_TEXT : isOne(value) ? null : otherwise;

/** Declares a CPF or CNPJ, full or masked. */
export const TaxIdField = (docs: FieldDocs): PropertyDecorator =>
  applyDecorators(
    documentField('optional', {
      type: String,
      minLength: 11,
      maxLength: 32,
      pattern: '^[0-9A-Za-z*./ -]+$',
      ...docs,
    }),
    Check(
      'taxId',
      textCheck(TAX_ID_INVALID, (text) => TaxId.accepts(text)),
    ),
  );

export const CountryField = (docs: FieldDocs): PropertyDecorator =>
  applyDecorators(
    documentField('optional', { type: String, pattern: '^[A-Z]{2}$', example: 'BR', ...docs }),
    Check(
      'country',
      textCheck(COUNTRY_UNKNOWN, (text) => countryCodes.has(text)),
    ),
  );

export const CurrencyField = (
  presence: Presence,
  docs: FieldDocs & { readonly default?: string },
): PropertyDecorator =>
  applyDecorators(
    documentField(presence, { type: String, pattern: '^[A-Z]{3}$', example: 'BRL', ...docs }),
    Check(
      'currency',
      textCheck(CURRENCY_UNKNOWN, (text) => minorUnitOf(text) !== undefined),
    ),
  );

const NOT_A_NUMBER = createFault('TYPE_INVALID', 'Must be a number.');
const AMOUNT_FINDINGS = {
  AMOUNT_INVALID: NOT_A_NUMBER,
  AMOUNT_NOT_POSITIVE: createFault('AMOUNT_NOT_POSITIVE'),
  AMOUNT_TOO_LARGE: createFault('AMOUNT_TOO_LARGE'),
  AMOUNT_TOO_PRECISE: createFault('AMOUNT_TOO_PRECISE'),
} as const;

/** Checks an amount in the currency of its sibling; a wrong currency is reported at `currency` only. */
const amountCheck =
  (defaultCurrency?: string): PropertyCheck =>
  (value, siblings) => {
    if (typeof value !== 'number') return NOT_A_NUMBER;
    const currency = siblings['currency'] ?? defaultCurrency;
    const problem = amountProblem(value, typeof currency === 'string' ? minorUnitOf(currency) : undefined);
    return problem === null ? null : AMOUNT_FINDINGS[problem];
  };

export const AmountField = (docs: FieldDocs & { readonly defaultCurrency?: string }): PropertyDecorator => {
  const { defaultCurrency, ...rest } = docs;
  return applyDecorators(
    documentField('required', {
      type: 'number',
      format: 'decimal',
      // A number in OpenAPI 3.1; Nest's type is for 3.0, where it is a boolean.
      exclusiveMinimum: 0 as unknown as boolean,
      maximum: MAX_AMOUNT,
      ...rest,
    }),
    Check('amount', amountCheck(defaultCurrency)),
  );
};

const DATETIME_INVALID = createFault('DATETIME_INVALID');
const DATETIME_IN_FUTURE = createFault('DATETIME_IN_FUTURE');
/** Tolerance for the clock of the sender; a time further in the future is an error. */
const MAX_AHEAD_MS = 5 * 60_000;

const checkPastInstant: PropertyCheck = (value, _siblings, { now }) => {
  if (typeof value !== 'string') return NOT_TEXT;
  const time = epochMillisOf(value);
  if (Number.isNaN(time)) return DATETIME_INVALID;
  return time - now() > MAX_AHEAD_MS ? DATETIME_IN_FUTURE : null;
};

export const OccurredAtField = (docs: FieldDocs): PropertyDecorator =>
  applyDecorators(
    documentField('required', { type: String, format: 'date-time', maxLength: MAX_INSTANT_LENGTH, ...docs }),
    Check('pastInstant', checkPastInstant),
  );

/** Declares a required object of a DTO class. */
export const ObjectField = (docs: FieldDocs & { readonly type: () => new () => object }): PropertyDecorator =>
  applyDecorators(
    // All three are needed: `@ValidateNested()` alone accepts a missing object, and an array of objects.
    documentField('required', docs),
    IsObject(),
    ValidateNested(),
    Type(docs.type),
  );

const NOT_A_LIST = createFault('TYPE_INVALID', 'Must be a list.');

/** Declares a list of objects of a DTO class; errors name the position of the item. */
export const ListField = ({
  type,
  maxItems,
  description,
}: FieldDocs & { readonly type: DtoClass; readonly maxItems: number }): PropertyDecorator => {
  const judge = compileValidator(type);
  const tooMany = createFault('TOO_MANY_ITEMS', `Must not have more than ${maxItems} items.`);
  return applyDecorators(
    documentField('optional', { type: () => [type], maxItems, description }),
    Check('list', (value, _siblings, context) => {
      if (!Array.isArray(value)) return NOT_A_LIST;
      if (value.length > maxItems) return tooMany;
      for (const [i, item] of value.entries()) {
        const [wrong] = judge(item, context, `[${i}]`);
        if (wrong) {
          const { code, message, path, suggestion } = wrong;
          return { code, message, at: path, meant: () => suggestion };
        }
      }
      return null;
    }),
  );
};

const BIRTH_DATE = createFault('DATETIME_INVALID', 'Must be a date that exists: YYYY-MM-DD.');

export const BirthDateField = (docs: FieldDocs): PropertyDecorator =>
  applyDecorators(
    documentField('optional', { type: String, format: 'date', maxLength: 10, ...docs }),
    Check('birthDate', textCheck(BIRTH_DATE, isCalendarDate)),
  );

export const WordField = (words: readonly string[], docs: FieldDocs): PropertyDecorator => {
  const other = createFault('VALUE_NOT_ALLOWED', `Must be one of ${words.join(', ')}.`);
  return applyDecorators(
    documentField('required', { enum: [...words], ...docs }),
    Check(
      'word',
      textCheck(other, (text) => words.includes(text)),
    ),
  );
};

const METADATA_FINDINGS = {
  METADATA_TOO_LARGE: createFault('METADATA_TOO_LARGE'),
  METADATA_TOO_DEEP: createFault('METADATA_TOO_DEEP'),
  METADATA_TOO_MANY_KEYS: createFault('METADATA_TOO_MANY_KEYS'),
} as const;

const metadataCheck: PropertyCheck = (value) => {
  if (!isJsonObject(value)) return NOT_AN_OBJECT;
  const problem = findMetadataProblem(value);
  return problem === null ? null : METADATA_FINDINGS[problem];
};

/** A metadata key that the service reads. It may be absent or null. */
export interface MetadataMember {
  readonly description: string;
  readonly schema: ApiPropertyOptions;
  readonly check: PropertyCheck;
}

for (const name of metadataNames) declareName(name);

/** Declares free-form metadata. `members` are the keys that the service reads; only these are validated. */
export const MetadataField = (
  docs: FieldDocs,
  members: Readonly<Record<string, MetadataMember>> = {},
): PropertyDecorator => {
  const { size, depth, keys } = METADATA_LIMITS;
  const properties = Object.fromEntries(
    Object.entries(members).map(([name, { schema, description }]) => [
      name,
      { ...schema, description, nullable: true },
    ]),
  );
  return applyDecorators(
    documentField('optional', {
      type: 'object',
      additionalProperties: true,
      ...(Object.keys(members).length > 0 ? { properties } : {}),
      ...docs,
      description: `${docs.description} At most ${size / 1_024} KiB as JSON, ${depth} levels, ${keys} keys.`,
    }),
    Check('metadata', metadataCheck),
    ...Object.entries(members).map(([name, { check }]) =>
      Check(`metadata.${name}`, memberCheck(name, check)),
    ),
  );
};

const memberCheck =
  (name: string, check: PropertyCheck): PropertyCheck =>
  (metadata, _siblings, context) => {
    if (!isJsonObject(metadata)) return null; // reported by the check of the metadata itself
    const value = metadata[name];
    if (value === undefined || value === null) return null;
    const fault = check(value, metadata, context);
    return fault === null ? null : { ...fault, at: name };
  };

const WRONG_DIRECTION = createFault('VALUE_NOT_ALLOWED', 'Must be IN or OUT.');

const textMember = (description: string, example: string): MetadataMember => ({
  description,
  schema: { type: 'string', example },
  check: textCheck(NOT_TEXT, () => true),
});

/** The metadata keys of a transaction that the service reads under the ingest and the legacy contract. */
export const transactionMetadata: Readonly<Record<string, MetadataMember>> = table({
  direction: {
    description: 'Which way the money went, seen from the customer. Without it, it is derived or assumed.',
    schema: { type: 'string', enum: ['IN', 'OUT'] },
    check: textCheck(WRONG_DIRECTION, (text) => text === 'IN' || text === 'OUT'),
  },
  deviceId: textMember('Identifier of the device that ordered the transaction.', 'dev-9f2c41'),
  ipAddress: textMember('Address the order came from.', '203.0.113.7'),
});

export const occurredAtMember: MetadataMember = {
  description: 'When the transaction occurred; without it, when it was received.',
  schema: { type: 'string', format: 'date-time', maxLength: MAX_INSTANT_LENGTH },
  check: checkPastInstant,
};
