/** The content of a sealed entry, which may contain the original values of a changed row. */
export interface SealedEntryContent {
  readonly seq: number;
  readonly hash: string;
  readonly action: string;
  /** `kind:id`. */
  readonly actor: string;
  readonly occurredAt: string;
  readonly content: Readonly<Record<string, unknown>>;
}

/** A column of a row: its type in PostgreSQL, its value as JSON, and the literals in its CHECK constraints. */
export interface RowColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly value: unknown;
  readonly literals: readonly string[];
}

/** New values as JSON, keyed by column name. */
export type Patch = Readonly<Record<string, unknown>>;

// Maximum number of patches; the database tries this many in a fraction of a second.
const MAX_PATCHES = 20_000;
const SMALL_NUMBERS = Array.from({ length: 12 }, (_, i) => i - 1);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const PUBLIC_ID = /^[a-z]{3}_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
const HEX = /^([0-9a-f]{2})+$/;

const toCamelCase = (column: string): string =>
  column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/**
 * Returns patches that may undo a change of a row, the most likely first: the columns that entries name, then one
 * column, then two. Pure. The caller tries them: the right patch gives the sealed digest of the row.
 */
export function candidatePatches(
  columns: readonly RowColumn[],
  entries: readonly SealedEntryContent[],
): Patch[] {
  const namedColumns = patchFromEntries(columns, entries);
  const values = valuesIn(columns, entries);
  const singles: Patch[] = columns.flatMap((column) =>
    fittingValues(column, values)
      .filter((value) => !isSame(value, column.value))
      .map((value) => ({ [column.name]: value })),
  );
  const bases: Patch[] = [
    namedColumns,
    // Patches also lack each one of the columns in turn: a key in an entry may have another meaning than the column.
    ...Object.keys(namedColumns).map((one) =>
      Object.fromEntries(Object.entries(namedColumns).filter(([name]) => name !== one)),
    ),
  ].filter((patch) => Object.keys(patch).length > 0);
  const patches: Patch[] = [...bases, ...singles];
  for (const base of bases) for (const single of singles) patches.push({ ...base, ...single });
  for (const [i, one] of singles.entries()) {
    for (const other of singles.slice(i + 1)) {
      if (patches.length >= MAX_PATCHES) return patches.slice(0, MAX_PATCHES);
      if (Object.keys(one)[0] !== Object.keys(other)[0]) patches.push({ ...one, ...other });
    }
  }
  return patches.slice(0, MAX_PATCHES);
}

/** Returns the columns whose value differs from the newest entry that has a key of that name. */
function patchFromEntries(columns: readonly RowColumn[], entries: readonly SealedEntryContent[]): Patch {
  const patch: Record<string, unknown> = {};
  for (const column of columns) {
    const name = toCamelCase(column.name);
    const loggedValue = entries.findLast(({ content }) => name in content)?.content[name];
    if (loggedValue === undefined || loggedValue === null) continue;
    const [value] = fittingValues(column, [loggedValue]);
    if (value !== undefined && value !== null && !isSame(value, column.value)) patch[column.name] = value;
  }
  return patch;
}

/** Collects values that may belong in the row, from the entries and from its other columns. */
function valuesIn(columns: readonly RowColumn[], entries: readonly SealedEntryContent[]): unknown[] {
  const values = entries.flatMap(({ hash, actor, occurredAt, content }) => [
    ...Object.values(content).flatMap((value) =>
      Array.isArray(value) ? [value, ...(value as unknown[])] : [value],
    ),
    ...[actor, actor.slice(actor.indexOf(':') + 1), occurredAt, hash],
  ]);
  const texts = values.filter((value): value is string => typeof value === 'string');
  const ids = texts.flatMap((text) => PUBLIC_ID.exec(text)?.slice(1).join('-') ?? []);
  return [...new Set([...values, ...ids, ...columns.map(({ value }) => value)])];
}

/** Returns the values, as JSON, that the type of the column allows; leaves out the others. */
function fittingValues({ type, nullable, literals }: RowColumn, values: readonly unknown[]): unknown[] {
  const texts = values.filter((value): value is string => typeof value === 'string');
  const none = nullable ? [null] : [];
  switch (type) {
    case 'uuid':
      return [...none, ...texts.filter((text) => UUID.test(text))];
    case 'timestamp with time zone':
      return [...none, ...texts.filter((text) => INSTANT.test(text))];
    case 'date':
      return [...none, ...texts.filter((text) => DATE.test(text))];
    case 'boolean':
      return [...none, true, false];
    case 'smallint':
    case 'integer':
    case 'bigint':
    case 'numeric':
      return [...none, ...values.filter((value) => typeof value === 'number'), ...SMALL_NUMBERS];
    case 'bytea':
      return [...none, ...texts.filter((text) => HEX.test(text)).map((text) => `\\x${text}`)];
    case 'text[]':
      return [...none, [], ...values.filter(isTexts)];
    case 'uuid[]':
      return [
        ...none,
        [],
        ...values.filter((value) => isTexts(value) && value.every((text) => UUID.test(text))),
      ];
    case 'text':
      return [...none, ...new Set([...literals, ...texts])];
    default:
      return none;
  }
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
