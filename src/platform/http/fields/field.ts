import type { Type as Class } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsDefined,
  IsIn,
  IsInt,
  IsISO8601,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import type { IdPrefix } from '../../kernel/ids.js';
import { HasDecimals, IsInstant, IsText, OfObjects, type TextRule } from '../body/property-check.js';
import { IsOrdinal } from '../body/ordinal.js';
import { UrlFlag, UrlList, UrlNumber } from '../body/url-values.js';
import { declareName } from './contract-names.js';
import { optionsOf, type DecoratorArguments, type Documentation } from './field-options.js';

interface FieldOptions extends Documentation {
  /** True: may be left out or null. 'not null': may be left out. A field with a default is optional without this. */
  readonly optional?: true | 'not null';
  /** False documents a field as optional. Its initial value, or a `@ValidateIf` below, must make it optional. */
  readonly required?: false;
  /** Reports a missing field as REQUIRED instead of TYPE_INVALID. */
  readonly defined?: true;
  readonly nullable?: true;
}

interface UrlOptions extends FieldOptions {
  /** True for a field of a path or a query, where every value is a text. */
  readonly url?: true;
}

interface NumberOptions extends UrlOptions {
  readonly min: number;
  readonly max: number;
}

interface DecimalOptions extends NumberOptions {
  /** The most digits after the point: what is stored with fewer digits would not be what was sent. */
  readonly decimals?: number;
}

/** `maxLength` is checked like `max`; in addition, OpenAPI documents it. */
type TextOptions = FieldOptions &
  Omit<TextRule, 'max'> &
  ({ readonly max: number } | { readonly max?: undefined; readonly maxLength: number });

/** `maxItems` is checked like `max`; in addition, OpenAPI documents it. */
type ItemsOptions = FieldOptions & { readonly min?: 1 } & (
    | { readonly max: number; readonly maxItems?: undefined }
    | { readonly max?: undefined; readonly maxItems: number }
  );

/** Decorates a property that can hold `Value`. On a property of another type it does not compile. */
type FieldOf<Value> = <Owner extends object, Name extends keyof Owner & (string | symbol)>(
  owner: Owner,
  name: [Value] extends [Owner[Name]] ? Name : never,
) => void;

interface Declaration {
  /** The schema that follows from the rules; options add to it and override it. */
  readonly schema: object;
  readonly rules: readonly PropertyDecorator[];
}

/** Makes a decorator of `Field`: documentation and checks follow from the same options. */
const fieldKind =
  <Value, Options extends FieldOptions>(declare: (options: Options) => Declaration) =>
  (...given: DecoratorArguments<Options>): FieldOf<Value> =>
    declareField(optionsOf(given), declare);

function declareField<Value, Options extends FieldOptions>(
  options: Options,
  declare: (options: Options) => Declaration,
): FieldOf<Value> {
  const { schema, rules } = declare(options);
  const { optional, defined, required = !optional && !('default' in options), ...documentation } = options;
  const decorators = [
    ApiProperty({ ...schema, ...documentedOptions(documentation), required }),
    ...(optional === true ? [IsOptional()] : []),
    ...(optional === 'not null' ? [ValidateIf((_, value: unknown) => value !== undefined)] : []),
    ...(defined ? [IsDefined()] : []),
    ...rules,
  ].reverse();
  return (owner, name) => {
    if (typeof name === 'string') declareName(name);
    // TypeScript applies stacked decorators from the last to the first; so does this reversed list.
    for (const decorate of decorators) decorate(owner, name);
  };
}

const NOT_DOCUMENTED = new Set(['url', 'min', 'max', 'pattern', 'form', 'decimals']);

const documentedOptions = (options: object): object =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !NOT_DOCUMENTED.has(name)));

/**
 * Declares a field of a body, a query or a path once: its type, its checks, its conversion from the text of a URL, and
 * its OpenAPI documentation. `@Check` and `@ValidateIf` below it add rules for that field only.
 */
export const Field = {
  text: fieldKind<string, TextOptions>((options) => ({
    schema: { type: String },
    rules: [IsText(textRule(options))],
  })),

  /** A public id, such as cus_…; `form` describes it in the error for any other text. */
  id: (
    prefix: IdPrefix,
    ...given: DecoratorArguments<FieldOptions & Pick<TextRule, 'form'>>
  ): FieldOf<string> =>
    declareField(optionsOf(given), ({ form = `an id that begins with ${prefix}_` }) => ({
      schema: { type: String, example: `${prefix}_019364d0c0de7000a000000000000001` },
      rules: [IsText({ max: 36, pattern: new RegExp(`^${prefix}_[0-9a-f]{32}$`), form })],
    })),

  /** A text that may be empty, unless `minLength` forbids it. With a `max`, both lengths are only documented. */
  string: fieldKind<string, FieldOptions & { readonly maxLength: number; readonly max?: number }>(
    ({ minLength = 0, maxLength, max }) => ({
      schema: { type: String },
      rules: [
        IsString(),
        max === undefined && minLength > 0 ? Length(minLength, maxLength) : MaxLength(max ?? maxLength),
      ],
    }),
  ),

  matching: (pattern: RegExp, ...given: DecoratorArguments<FieldOptions>): FieldOf<string> =>
    declareField(optionsOf(given), () => ({
      schema: { type: String, pattern: pattern.source },
      rules: [Matches(pattern)],
    })),

  /** A date or a date-time of ISO 8601. */
  date: fieldKind<string, FieldOptions>(() => ({
    schema: { type: String, format: 'date-time' },
    rules: [IsISO8601({ strict: true, strictSeparator: true })],
  })),

  /** An RFC 3339 date-time. */
  instant: fieldKind<string, FieldOptions>(() => ({
    schema: { type: String, format: 'date-time' },
    rules: [IsInstant()],
  })),

  integer: fieldKind<number, NumberOptions>(({ min, max, url }) => ({
    schema: { type: 'integer', minimum: min, maximum: max },
    rules: [...(url ? [UrlNumber()] : []), IsInt(), Min(min), Max(max)],
  })),

  /** A counting number, such as a version; from 1, or from 0 if `min` is 0. */
  ordinal: fieldKind<number, UrlOptions & { readonly min?: 0 | 1 }>(({ min = 1, url }) => ({
    schema: { type: 'integer', minimum: min },
    rules: [...(url ? [UrlNumber()] : []), IsOrdinal(min)],
  })),

  number: fieldKind<number, DecimalOptions>(({ min, max, decimals }) => ({
    schema: {
      type: 'number',
      ...(decimals !== undefined && { format: 'decimal' }),
      minimum: min,
      maximum: max,
    },
    rules: [IsNumber(), Min(min), Max(max), ...(decimals === undefined ? [] : [HasDecimals(decimals)])],
  })),

  flag: fieldKind<boolean, UrlOptions>(({ url }) => ({
    schema: { type: Boolean },
    rules: [...(url ? [UrlFlag()] : []), IsBoolean()],
  })),

  enum: <const Value extends string | number>(
    values: readonly Value[],
    ...given: DecoratorArguments<FieldOptions>
  ): FieldOf<Value> =>
    declareField(optionsOf(given), () => ({ schema: { enum: values }, rules: [IsIn(values)] })),

  /** A list of public ids in a query. */
  ids: (
    prefix: IdPrefix,
    ...given: DecoratorArguments<FieldOptions & { readonly maxItems: number }>
  ): FieldOf<string[]> =>
    declareField(optionsOf(given), ({ maxItems }) => ({
      schema: { type: [String], minItems: 1 },
      rules: [
        UrlList(),
        ArrayNotEmpty(),
        ArrayMaxSize(maxItems),
        Matches(new RegExp(`^${prefix}_[0-9a-f]{32}$`), { each: true }),
      ],
    })),

  /** A list of distinct values of an enumeration, at least one. */
  enums: <const Value extends string>(
    values: readonly Value[],
    ...given: DecoratorArguments<UrlOptions>
  ): FieldOf<Value[]> =>
    declareField(optionsOf(given), ({ url }) => ({
      schema: { enum: values, isArray: true, minItems: 1, uniqueItems: true },
      rules: [
        ...(url ? [UrlList()] : []),
        IsArray(),
        ArrayMinSize(1),
        ArrayMaxSize(values.length),
        ArrayUnique(),
        IsIn(values, { each: true }),
      ],
    })),

  texts: fieldKind<string[], ItemsOptions>(({ min, max, maxItems }) => ({
    schema: { type: [String], minItems: min },
    rules: [IsString({ each: true }), ...(min ? [ArrayNotEmpty()] : []), ArrayMaxSize(max ?? maxItems)],
  })),

  /** @IsObject() refuses a list. @ValidateNested() alone would accept one and validate its items. */
  object: <Value extends object>(
    of: () => Class<Value>,
    ...given: DecoratorArguments<FieldOptions>
  ): FieldOf<Value> =>
    declareField(optionsOf(given), () => ({
      schema: { type: () => of() },
      rules: [IsObject(), ValidateNested(), Type(of)],
    })),

  list: <Value extends object>(
    of: () => Class<Value>,
    ...given: DecoratorArguments<ItemsOptions>
  ): FieldOf<Value[]> =>
    declareField(optionsOf(given), ({ min, max, maxItems }) => ({
      schema: { type: () => [of()], minItems: min },
      rules: [
        IsArray(),
        ...(min ? [ArrayNotEmpty()] : []),
        ArrayMaxSize(max ?? maxItems),
        OfObjects(),
        ValidateNested({ each: true }),
        Type(of),
      ],
    })),
} as const;

function textRule({
  max,
  maxLength = 0,
  pattern,
  form,
}: TextOptions & { readonly maxLength?: number }): TextRule {
  return { max: max ?? maxLength, ...(pattern && { pattern }), ...(form !== undefined && { form }) };
}
