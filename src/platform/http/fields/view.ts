import type { Type as Class } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { publicId, type IdPrefix } from '../../kernel/ids.js';
import { optionsOf, type DecoratorArguments, type Documentation } from './field-options.js';

interface ViewOptions extends Documentation {
  /** True if an answer may lack the property. */
  readonly optional?: true;
}

/**
 * `never` for a property of type `unknown`, such as stored JSON: its type is not checked, so any decorator compiles.
 */
type Known<Held> = unknown extends Held ? never : Exclude<Held, undefined>;

/** Decorates a property of type `Value`. On a property that can be null, or of another type, it does not compile. */
type ViewOf<Value> = <Owner extends object, Name extends keyof Owner & (string | symbol)>(
  owner: Owner,
  name: [Known<Owner[Name]>] extends [Value] ? Name : never,
) => void;

const schemaView =
  <Value>(schema: object) =>
  (...given: DecoratorArguments<ViewOptions>): ViewOf<Value> =>
    propertyView(schema, given);

function propertyView<Value>(schema: object, given: DecoratorArguments<ViewOptions>): ViewOf<Value> {
  const { optional, ...documentation } = optionsOf(given);
  const document = ApiProperty({ ...schema, ...documentation, required: !optional });
  return (owner, name) => {
    declareProperty(owner, String(name), null);
    document(owner, name);
  };
}

/** The properties of each class of views, each with the prefix that its stored id gets; null if it is not an id. */
const declaredProperties = new WeakMap<object, Map<string, IdPrefix | null>>();

type Properties = ReadonlyMap<string, IdPrefix | null>;

function propertiesOf(owner: object | null): Properties {
  return owner === null
    ? new Map()
    : (declaredProperties.get(owner) ?? propertiesOf(Object.getPrototypeOf(owner) as object | null));
}

function declareProperty(owner: object, name: string, prefix: IdPrefix | null): void {
  const properties = declaredProperties.get(owner) ?? new Map<string, IdPrefix | null>(propertiesOf(owner));
  declaredProperties.set(owner, properties.set(name, prefix));
}

const EXAMPLE_HEX = '019364d0c0de7000a000000000000001';

/** Documents a public id; `viewOf` makes it from the stored uuid. */
function idView<Value>(
  prefix: IdPrefix,
  schema: object,
  given: DecoratorArguments<ViewOptions>,
): ViewOf<Value> {
  const { example = `${prefix}_${EXAMPLE_HEX}`, ...options } = optionsOf(given);
  const document = propertyView<Value>(schema, [{ ...options, example }]);
  return (owner, name) => {
    document(owner, name);
    declareProperty(owner, String(name), prefix);
  };
}

const PUBLIC_ID = /^[a-z]{3}_[0-9a-f]{32}$/;

/** Documents a text. Throws if its example is an id, because `viewOf` would show the stored uuid as it is. */
const textView =
  <Value>(schema: object) =>
  (...given: DecoratorArguments<ViewOptions>): ViewOf<Value> => {
    const { example } = optionsOf(given);
    if (typeof example === 'string' && PUBLIC_ID.test(example)) {
      throw new Error(`the example ${example} is that of an id: declare it with View.id`);
    }
    return propertyView(schema, given);
  };

const checkedOwners = new WeakSet();

/** Throws if the class documents a property that `viewOf` would not show, by a mapped type or `@ApiProperty`. */
function checkedProperties(owner: object): Properties {
  const properties = propertiesOf(owner);
  if (checkedOwners.has(owner)) return properties;
  const documented = (Reflect.getMetadata('swagger/apiModelPropertiesArray', owner) ?? []) as string[];
  const missingProperties = documented.map((name) => name.slice(1)).filter((name) => !properties.has(name));
  if (missingProperties.length > 0) {
    throw new TypeError(`${owner.constructor.name} declares without View: ${missingProperties.join(', ')}`);
  }
  checkedOwners.add(owner);
  return properties;
}

/** The shown form of a stored value: times as ISO 8601. */
type Shown<Stored> = Stored extends Date ? string : Stored;

/** The properties of `View` that `Source` has under the same name, in the same shape. */
type Mapped<View, Source> = {
  [Name in keyof View & keyof Source]: Shown<Source[Name]> extends View[Name] ? Name : never;
}[keyof View & keyof Source];

/** The argument `rest` of `viewOf`: the properties that `Source` lacks are required, the others optional. */
type Rest<View, Source> = Omit<View, Mapped<View, Source>> & Partial<Pick<View, Mapped<View, Source>>>;

/**
 * Makes a view of a row: properties of the same name are copied, times become ISO 8601, ids get the prefix that the
 * view declares. `rest` has everything else. Only declared properties are shown; the row may have others.
 */
export function viewOf<View extends object, Source extends object>(
  view: Class<View>,
  source: Source,
  rest: Rest<View, Source>,
): View {
  const viewProperties: Record<string, unknown> = {};
  const overrides = rest as Readonly<Record<string, unknown>>;
  const row = source as Readonly<Record<string, unknown>>;
  for (const [name, prefix] of checkedProperties(view.prototype as object)) {
    const value = name in overrides ? overrides[name] : viewValue(row[name], prefix);
    if (value !== undefined) viewProperties[name] = value;
  }
  return viewProperties as View;
}

function viewValue(value: unknown, prefix: IdPrefix | null): unknown {
  if (value instanceof Date) return value.toISOString();
  return prefix !== null && typeof value === 'string' ? publicId(prefix, value) : value;
}

const nullable = true;
const INSTANT = { type: String, format: 'date-time', example: '2026-11-20T12:00:00.000Z' };

/** Documents a property of an answer. */
export const View = {
  text: textView<string>({ type: String }),
  textOrNull: textView<string | null>({ type: String, nullable }),
  id: (prefix: IdPrefix, ...given: DecoratorArguments<ViewOptions>): ViewOf<string> =>
    idView(prefix, { type: String }, given),
  idOrNull: (prefix: IdPrefix, ...given: DecoratorArguments<ViewOptions>): ViewOf<string | null> =>
    idView(prefix, { type: String, nullable }, given),
  texts: schemaView<readonly string[]>({ type: [String] }),
  integer: schemaView<number>({ type: 'integer' }),
  integerOrNull: schemaView<number | null>({ type: 'integer', nullable }),
  number: schemaView<number>({ type: Number }),
  numberOrNull: schemaView<number | null>({ type: Number, nullable }),
  flag: schemaView<boolean>({ type: Boolean }),
  flagOrNull: schemaView<boolean | null>({ type: Boolean, nullable }),
  instant: schemaView<string>(INSTANT),
  instantOrNull: schemaView<string | null>({ ...INSTANT, nullable }),

  /** The `error` of a success. */
  noError: (): ViewOf<null> =>
    propertyView({ type: 'null', nullable }, ['What went wrong; null on success.', { example: null }]),

  /** Any other schema. */
  of: <Value>(schema: object, ...given: DecoratorArguments<ViewOptions>): ViewOf<Value> =>
    propertyView(schema, given),

  textByName: schemaView<Readonly<Record<string, string>>>({
    type: 'object',
    additionalProperties: { type: 'string' },
  }),

  /** An object whose properties are not documented. */
  json: schemaView<unknown>({ type: 'object', additionalProperties: true }),
  jsonOrNull: schemaView<unknown>({ type: 'object', additionalProperties: true, nullable }),
  jsons: schemaView<readonly unknown[]>({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
  }),

  enum: (
    values: readonly (string | number)[],
    ...given: DecoratorArguments<ViewOptions>
  ): ViewOf<string | number> => propertyView({ enum: values }, given),
  enumOrNull: (values: readonly string[], ...given: DecoratorArguments<ViewOptions>): ViewOf<string | null> =>
    propertyView({ enum: [...values, null], type: String, nullable }, given),
  enums: (values: readonly string[], ...given: DecoratorArguments<ViewOptions>): ViewOf<readonly string[]> =>
    propertyView({ enum: values, isArray: true }, given),

  object: <Value extends object>(
    of: Class<Value>,
    ...given: DecoratorArguments<ViewOptions>
  ): ViewOf<Value> => propertyView({ type: of }, given),
  objectOrNull: <Value extends object>(
    of: Class<Value>,
    ...given: DecoratorArguments<ViewOptions>
  ): ViewOf<Value | null> => propertyView({ type: of, nullable }, given),
  list: <Value extends object>(
    of: Class<Value>,
    ...given: DecoratorArguments<ViewOptions>
  ): ViewOf<readonly Value[]> => propertyView({ type: [of] }, given),
} as const;
