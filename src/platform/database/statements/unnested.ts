import { columnName } from './columns.js';
import { sqlArray } from './sql.js';

const { plain, text, bytes, uuids, instants } = sqlArray;

type Encoder<T> = (values: readonly (T | null)[]) => string | Buffer;
const number: Encoder<number> = plain;

/** How a column is sent, by its type. A `code` is a text that needs no quoting, which is cheaper. */
const encoders = {
  ...{ uuid: uuids, text, bytea: bytes, timestamptz: instants },
  ...{ code: plain as Encoder<string>, boolean: plain as Encoder<boolean> },
  ...{ smallint: number, int: number, real: number, float8: number },
  ...{ bigint: plain as Encoder<number | string>, numeric: plain as Encoder<string> },
  /** An object that is stored as `jsonb`. */
  json: ((values) => text(values.map((one) => one && JSON.stringify(one)))) as Encoder<object>,
  /** A list of texts without commas, sent joined by commas: unnest would flatten an array of arrays. */
  codes: ((values) => text(values.map((one) => one?.join(',') ?? null))) as Encoder<readonly string[]>,
} as const;

type Type = keyof typeof encoders;
type Value<T extends Type> = Parameters<(typeof encoders)[T]>[0][number];

const SENT_AS: Partial<Record<Type, string>> = { code: 'text', json: 'text', codes: 'text' };
const READ_AS: Partial<Record<Type, (column: string) => string>> = {
  json: (column) => `${column}::jsonb`,
  codes: (column) => `string_to_array(${column}, ',')`,
};

type Leaf = Date | Uint8Array | readonly unknown[];

/** The path of a value in a row: `id`, `draft.organisationId`; three names at most. */
type Path<Row, V, Left extends unknown[] = [1, 2, 3]> = Left extends [unknown, ...infer Rest]
  ? {
      [K in keyof Row & string]:
        | (Row[K] extends V ? K : never)
        | (Row[K] extends Leaf ? never : Row[K] extends object ? `${K}.${Path<Row[K], V, Rest>}` : never);
    }[keyof Row & string]
  : never;

/** Columns by type: paths that end with the name of the column, or a path or function for each name. */
type ColumnsOf<Row> = {
  readonly [T in Type]?:
    readonly Path<Row, Value<T>>[] | Readonly<Record<string, Path<Row, Value<T>> | ((row: Row) => Value<T>)>>;
};

/** The parts of a statement that takes many rows, as one array for each column. */
interface Unnested<Row> {
  /** `id, organisation_id, lead` */
  readonly columns: string;
  /** The select list: `s.id, s.organisation_id, s.lead::jsonb`. It equals `s.*` if no column is JSON or codes. */
  readonly read: string;
  /**
   * `unnest($1::uuid[], …) AS s (id, …)`, with parameters from number `first` on. With `ordinal`, a column of that name
   * has the number of the row, from 1.
   */
  from(first?: number, alias?: string, ordinal?: string): string;
  /** The values of the parameters. */
  arrays(rows: readonly Row[]): unknown[];
}

/**
 * Declares the columns of rows that a statement takes as arrays; `sentAt` is the column `sent_at`.
 * `unnested<Note>({ uuid: ['id', 'case.organisationId'] }, { text: { author: 'by.name', body: (note) => note.read() } })`
 */
export function unnested<Row>(...groups: readonly ColumnsOf<Row>[]): Unnested<Row> {
  const columns = groups.flatMap((group) =>
    (Object.entries(group) as [Type, UnnestedColumns][]).flatMap(([type, given]) => columnsOf(type, given)),
  );
  const names = columns.map(({ name }) => name).join(', ');
  return {
    columns: names,
    read: columns.map(({ type, name }) => READ_AS[type]?.(`s.${name}`) ?? `s.${name}`).join(', '),
    from: (first = 1, alias = 's', ordinal) => {
      const arrays = columns.map(({ type }, i) => `$${first + i}::${SENT_AS[type] ?? type}[]`);
      const rows = `unnest(${arrays.join(', ')})`;
      return ordinal === undefined
        ? `${rows} AS ${alias} (${names})`
        : `${rows} WITH ORDINALITY AS ${alias} (${names}, ${ordinal})`;
    },
    arrays: (rows) => columns.map(({ type, read }) => (encoders[type] as Encoder<unknown>)(read(rows))),
  };
}

type UnnestedColumns = readonly string[] | Readonly<Record<string, string | ((row: unknown) => unknown)>>;
type Tree = Readonly<Record<string, unknown>>;

interface Column {
  readonly type: Type;
  readonly name: string;
  readonly read: (rows: readonly unknown[]) => readonly unknown[];
}

const isList = (given: UnnestedColumns): given is readonly string[] => Array.isArray(given);

function columnsOf(type: Type, given: UnnestedColumns): Column[] {
  const sources = isList(given)
    ? given.map((path) => [lastNameOf(path), path] as const)
    : Object.entries(given);
  return sources.map(([property, source]) => ({
    ...{ type, name: columnName(property) },
    read: typeof source === 'string' ? readPath(source.split('.')) : (rows) => rows.map(source),
  }));
}

const lastNameOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** Reads the first name of the path in all rows, then the next name: faster than the whole path row by row. */
const readPath =
  (names: readonly string[]): Column['read'] =>
  (rows) =>
    names.reduce<readonly unknown[]>((values, name) => values.map((value) => (value as Tree)[name]), rows);
