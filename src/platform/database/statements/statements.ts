import { getMetadataArgsStorage } from 'typeorm';
import { columnName, type ColumnName } from './columns.js';

type EntityClass<Entity = object> = new () => Entity;

/** A column of a result: a column of an entity, or a computed value of a PostgreSQL type. */
export interface Field<Value> {
  readonly column?: { readonly entity: EntityClass; readonly property: string };
  readonly type?: string;
  /** Exists for the compiler alone. */
  readonly value?: Value;
}

/** PostgreSQL types and the types of their values in the driver. No `date`: it would depend on the local time zone. */
interface Values {
  boolean: boolean;
  smallint: number;
  integer: number;
  real: number;
  float8: number;
  bigint: string;
  numeric: string;
  text: string;
  uuid: string;
  bytea: Buffer;
  timestamptz: Date;
  json: unknown;
  jsonb: unknown;
  'text[]': string[];
  'uuid[]': string[];
  'integer[]': number[];
  'bytea[]': Buffer[];
}

/** The columns of a result by name: fields of entities, or types of computed values such as `'text | null'`. */
export type RowShape = Readonly<Record<string, Field<unknown> | keyof Values | `${keyof Values} | null`>>;

type ValueOf<F> =
  F extends Field<infer Value>
    ? Value
    : F extends keyof Values
      ? Values[F]
      : F extends `${infer Type extends keyof Values} | null`
        ? Values[Type] | null
        : never;

export type RowOf<S extends RowShape> = { readonly [Name in keyof S]: ValueOf<S[Name]> };

/**
 * A statement for hot paths, composites and reports. Only this file creates them, so that a test can prepare every SQL
 * text on the migrated database. A statement with a `name` is prepared: parsed and planned per connection, at most every
 * 30 s (ScopedClient), which saves up to half of its cost. Its plan is generic, so it must suit any values.
 */
class CheckedStatement<Row> {
  /** Exists for the compiler alone. */
  declare protected readonly row: Row;

  constructor(
    readonly name: string | undefined,
    readonly text: string,
  ) {}
}
export type Statement<Row = never> = CheckedStatement<Row>;

/** The rows of a statement: `Rows<typeof CLAIM>`. */
export type Rows<S> = S extends Statement<infer Row> ? Row : never;

export interface RegisteredStatement {
  readonly name: string;
  readonly text: string;
  readonly shape: RowShape;
}

const registered = new Map<string, () => RegisteredStatement[]>();

/** Returns every statement of the loaded files, in all its forms. A test prepares them on the migrated database. */
export const registeredStatements = (): RegisteredStatement[] =>
  [...registered.values()].flatMap((forms) => forms());

function register(name: string, forms: () => RegisteredStatement[]): void {
  if (registered.has(name)) throw new Error(`two statements are called ${name}`);
  registered.set(name, forms);
}

/**
 * Registers a statement under a unique name. `shape` has the columns of its rows and gives their type; without a shape
 * it returns no rows. `statement('fx.newest', 'SELECT currency, count(*)::int AS days …', { ...columns(FxRateEntity,
 * 'currency'), days: 'integer' })`
 */
export function statement<const S extends RowShape>(
  name: string,
  text: string,
  shape?: S,
): Statement<RowOf<S>> {
  register(name, () => [{ name, text, shape: shape ?? {} }]);
  return new CheckedStatement(undefined, text);
}

/** Registers a statement that is prepared under its name (`Statement.name`): for the hot paths. */
export function prepared<const S extends RowShape>(
  name: string,
  text: string,
  shape?: S,
): Statement<RowOf<S>> {
  return new CheckedStatement(name, statement(name, text, shape).text);
}

/** One text of a statement with several forms. `prepareAs`: the name of the prepared statement, if it is prepared. */
interface Form {
  readonly title: string;
  readonly text: string;
  readonly prepareAs: string | undefined;
}

/** Registers a statement with several texts (forms). The returned function finds a form by its title. */
export function statementForms<const S extends RowShape>(
  name: string,
  shape: S,
  every: () => readonly Form[],
): (title: string) => Statement<RowOf<S>> {
  register(name, () => every().map(({ title, text }) => ({ name: title, text, shape })));
  let knownForms: ReadonlyMap<string, Statement<RowOf<S>>> | undefined;
  return (title) => {
    knownForms ??= new Map(
      every().map((form) => [form.title, new CheckedStatement(form.prepareAs, form.text)]),
    );
    const knownStatement = knownForms.get(title);
    if (!knownStatement) throw new Error(`no test prepares this form: ${title}`);
    return knownStatement;
  };
}

type Key<Entity> = keyof Entity & string;
type Columns<Entity, K extends Key<Entity>> = { readonly [P in K as ColumnName<P>]: Field<Entity[P]> };
type Properties<Entity, K extends Key<Entity>> = { readonly [P in K]: Field<Entity[P]> };

/** A column of an entity, for a column of a result with another name. */
export const column = <Entity extends object, P extends Key<Entity>>(
  entity: EntityClass<Entity>,
  property: P,
): Field<Entity[P]> => ({ column: { entity, property } });

/** Columns of an entity under their own names. */
export const columns = <Entity extends object, K extends Key<Entity>>(
  entity: EntityClass<Entity>,
  ...properties: readonly K[]
): Columns<Entity, K> =>
  Object.fromEntries(properties.map((p) => [columnName(p), column(entity, p)])) as Columns<Entity, K>;

/** Columns of an entity under the names of its properties: `organisation_id AS "organisationId"`. */
export const properties = <Entity extends object, K extends Key<Entity>>(
  entity: EntityClass<Entity>,
  ...names: readonly K[]
): Properties<Entity, K> =>
  Object.fromEntries(names.map((p) => [p, column(entity, p)])) as Properties<Entity, K>;

/** A SELECT list and the shape of its columns. */
interface Selection<S> {
  readonly sql: string;
  readonly shape: S;
}

/** Columns of an entity under the names of its properties, read from the table of that alias. */
export const selectColumns = <Entity extends object, K extends Key<Entity>>(
  entity: EntityClass<Entity>,
  alias: string,
  ...names: readonly K[]
): Selection<Properties<Entity, K>> => ({
  sql: names.map((name) => `${alias}.${columnName(name)} AS "${name}"`).join(', '),
  shape: properties(entity, ...names),
});

/** Like `selectColumns`, with all columns of the entity except the given ones. */
export function selectColumnsExcept<Entity extends object, K extends Key<Entity> = never>(
  entity: EntityClass<Entity>,
  alias: string,
  ...left: readonly K[]
): Selection<Properties<Entity, Exclude<Key<Entity>, K>>> {
  const names = getMetadataArgsStorage()
    .filterColumns(entity)
    .map(({ propertyName }) => propertyName as Key<Entity>)
    .filter((name): name is Exclude<Key<Entity>, K> => !left.some((one) => one === name));
  return selectColumns(entity, alias, ...names);
}

/** Marks a field that is null when an outer join finds no row. */
export const nullable = <Value>(field: Field<Value>): Field<Value | null> => field;

/** Marks a field that may be null in the table but not in the rows of the statement. */
export const notNullColumn = <Value>(field: Field<Value>): Field<NonNullable<Value>> =>
  field as Field<NonNullable<Value>>;

/** Narrows the type of a column, because an entity must not use the types of other modules. */
export const narrowColumn = <Value>(field: Field<unknown>): Field<Value> => field as Field<Value>;

/** Declares the type of a computed value: a union of texts, or the contents of JSON. */
export const value = <Value>(type: keyof Values): Field<Value> => ({ type });
