import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import { Field } from './fields/field.js';
import { View } from './fields/view.js';
import { DomainError } from '../kernel/index.js';
import { ApiErrors } from './errors/api-errors.js';

export const MAX_PAGE_SIZE = 200;
export const DEFAULT_PAGE_SIZE = 50;
// A cursor holds a handful of sort keys; this is far more than any list needs.
const MAX_CURSOR_LENGTH = 512;

/** Keyset paging of every list; queries with filters extend it. */
export class PageQuery {
  @Field.integer('At most so many items.', {
    min: 1,
    max: MAX_PAGE_SIZE,
    url: true,
    optional: true,
    default: DEFAULT_PAGE_SIZE,
  })
  limit: number = DEFAULT_PAGE_SIZE;

  @Field.text('`page.nextCursor` of the answer before; opaque.', {
    optional: true,
    maxLength: MAX_CURSOR_LENGTH,
  })
  cursor?: string;
}

export class PageInfoView {
  @View.integer('At most so many items are on a page.', { example: DEFAULT_PAGE_SIZE }) limit: number;
  @View.textOrNull('Send it as `cursor` for what follows.', { example: null }) nextCursor: string | null;
  @View.flag('Whether more follows.', { example: false }) hasMore: boolean;
}

export interface Page<T> {
  readonly data: readonly T[];
  readonly page: PageInfoView;
  readonly error: null;
}

/** The sort keys of a row, in the order of the list's ORDER BY. */
export type CursorKeys = readonly (string | number)[];

/**
 * Makes a page of a list. `rows` are up to `limit + 1` rows, the last of which only shows that there are more;
 * `keysOf` returns the sort keys of a row, `view` its item on the page.
 */
export function page<Row, T = Row>(
  rows: readonly Row[],
  limit: number,
  keysOf: (row: Row) => CursorKeys,
  view?: (row: Row) => T,
): Page<T> {
  const shownRows = rows.slice(0, limit);
  const last = shownRows.at(-1);
  const hasMore = rows.length > limit;
  return {
    data: view ? shownRows.map(view) : (shownRows as unknown as readonly T[]),
    page: { limit, nextCursor: hasMore && last !== undefined ? encodeCursor(keysOf(last)) : null, hasMore },
    error: null,
  };
}

/** Encodes sort keys as a cursor, for feeds without an end; lists get their cursors from `page`. */
export const encodeCursor = (keys: CursorKeys): string =>
  Buffer.from(JSON.stringify(keys)).toString('base64url');

/** The kinds of sort keys. A cursor is untrusted input: a key of another form is refused. */
export type CursorKind = 'uuid' | 'instant' | 'integer' | 'text';

const isOfKind: Readonly<Record<CursorKind, (key: unknown) => boolean>> = {
  uuid: (key) => typeof key === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key),
  // Up to microseconds, as in PostgreSQL: a key cut to milliseconds would show a row twice or not at all.
  instant: (key) => typeof key === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/.test(key),
  integer: (key) => Number.isSafeInteger(key),
  text: (key) => typeof key === 'string' && key.length <= 256 && !key.includes('\u0000'),
};

type KeyOf<Kind extends CursorKind> = Kind extends 'integer' ? number : string;
type KeysOf<Kinds extends readonly CursorKind[]> = { readonly [I in keyof Kinds]: KeyOf<Kinds[I]> };

/** Returns the sort keys in a cursor; null if there is no cursor. Throws CURSOR_INVALID if they are not of these kinds. */
export function cursorKeys<const Kinds extends readonly CursorKind[]>(
  cursor: string | undefined,
  ...kinds: Kinds
): KeysOf<Kinds> | null {
  if (cursor === undefined) return null;
  const keys = decode(cursor);
  const fits =
    Array.isArray(keys) && keys.length === kinds.length && kinds.every((kind, i) => isOfKind[kind](keys[i]));
  if (!fits) throw new DomainError('CURSOR_INVALID');
  return keys as unknown as KeysOf<Kinds>;
}

function decode(cursor: string): unknown {
  if (!/^[A-Za-z0-9_-]+$/.test(cursor)) return null;
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return null; // not a cursor of ours; the caller reports it
  }
}

/**
 * Reads a page of a list that is sorted by one key. `read` returns the next rows beyond that key (null: from the
 * beginning), at most `limit`, which is one more than the page has.
 */
export async function listBy<Kind extends CursorKind, Row, View>(
  kind: Kind,
  { limit, cursor }: PageQuery,
  read: (beyond: KeyOf<Kind> | null, limit: number) => Promise<readonly Row[]>,
  keyOf: (row: Row) => KeyOf<Kind>,
  view: (row: Row) => View,
): Promise<Page<View>> {
  const [beyond = null] = cursorKeys(cursor, kind) ?? [];
  return page(await read(beyond, limit + 1), limit, (row) => [keyOf(row)], view);
}

/** Reads a page of a list in the order of ids, which is the order of creation. See `listBy`. */
export const listById = <Shown, View, Row extends Shown & { readonly id: string }>(
  query: PageQuery,
  view: { readonly of: (row: Shown) => View },
  read: (beyond: string | null, limit: number) => Promise<readonly Row[]>,
): Promise<Page<View>> =>
  listBy(
    'uuid',
    query,
    read,
    ({ id }) => id,
    (row) => view.of(row),
  );

/** Documents a list that is read page by page. */
export const ApiPage = (item: Type, description: string): MethodDecorator =>
  applyDecorators(ApiErrors('VALIDATION_FAILED', 'CURSOR_INVALID'), ApiOnePage(item, description));

/** Documents an answer `{ data: [item, …], page, error: null }` that holds the whole list. */
export const ApiOnePage = (item: Type, description: string): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(item, PageInfoView),
    ApiOkResponse({
      description,
      schema: {
        type: 'object',
        required: ['data', 'page', 'error'],
        properties: {
          data: { type: 'array', items: { $ref: getSchemaPath(item) } },
          page: { $ref: getSchemaPath(PageInfoView) },
          error: { type: 'null' },
        },
      },
    }),
  );
