import type { Type as Class } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { optionsOf, type Described, type Documentation } from './field-options.js';

interface ViewOptions extends Documentation {
  /** True if an answer may lack the property. */
  readonly optional?: true;
}

/** `never` for a property of type `unknown`, such as stored JSON: its type is not checked, so any decorator fits. */
type Known<Held> = unknown extends Held ? never : Exclude<Held, undefined>;

/** Decorates a property of type `Value`. On a property that can be null, or of another type, it does not compile. */
type ViewOf<Value> = <Owner extends object, Name extends keyof Owner & (string | symbol)>(
  owner: Owner,
  name: [Known<Owner[Name]>] extends [Value] ? Name : never,
) => void;

const shown =
  <Value>(schema: object) =>
  (...given: Described<ViewOptions>): ViewOf<Value> =>
    view(schema, given);

function view<Value>(schema: object, given: Described<ViewOptions>): ViewOf<Value> {
  const { optional, ...documentation } = optionsOf(given);
  return ApiProperty({ ...schema, ...documentation, required: !optional });
}

const nullable = true;

/** Documents a property of an answer. */
export const View = {
  text: shown<string>({ type: String }),
  textOrNull: shown<string | null>({ type: String, nullable }),
  texts: shown<readonly string[]>({ type: [String] }),
  integer: shown<number>({ type: 'integer' }),
  integerOrNull: shown<number | null>({ type: 'integer', nullable }),
  number: shown<number>({ type: Number }),
  numberOrNull: shown<number | null>({ type: Number, nullable }),
  flag: shown<boolean>({ type: Boolean }),
  flagOrNull: shown<boolean | null>({ type: Boolean, nullable }),
  instant: shown<string>({ type: String, format: 'date-time' }),
  instantOrNull: shown<string | null>({ type: String, format: 'date-time', nullable }),

  /** An object whose members are not documented. */
  json: shown<unknown>({ type: 'object', additionalProperties: true }),
  jsonOrNull: shown<unknown>({ type: 'object', additionalProperties: true, nullable }),
  jsons: shown<readonly unknown[]>({ type: 'array', items: { type: 'object', additionalProperties: true } }),

  enum: (values: readonly (string | number)[], ...given: Described<ViewOptions>): ViewOf<string | number> =>
    view({ enum: values }, given),
  enumOrNull: (values: readonly string[], ...given: Described<ViewOptions>): ViewOf<string | null> =>
    view({ enum: [...values, null], type: String, nullable }, given),
  enums: (values: readonly string[], ...given: Described<ViewOptions>): ViewOf<readonly string[]> =>
    view({ enum: values, isArray: true }, given),

  object: <Value extends object>(of: Class<Value>, ...given: Described<ViewOptions>): ViewOf<Value> =>
    view({ type: of }, given),
  objectOrNull: <Value extends object>(
    of: Class<Value>,
    ...given: Described<ViewOptions>
  ): ViewOf<Value | null> => view({ type: of, nullable }, given),
  list: <Value extends object>(
    of: Class<Value>,
    ...given: Described<ViewOptions>
  ): ViewOf<readonly Value[]> => view({ type: [of] }, given),
} as const;
