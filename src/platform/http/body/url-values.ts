import { Transform } from 'class-transformer';

/**
 * Converts the text of a number in a path or a query. Another spelling (1e2, 0x10, an empty text) stays a text, and
 * the next check refuses it.
 */
export const UrlNumber = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    // At most nine digits, so that the value is in the range of PostgreSQL's integer.
    typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value,
  );

const LISTS = 'vigia:url-lists';

/** Reads a list of a query: with commas, or the parameter once for each item. */
export const UrlList = (): PropertyDecorator => (owner, name) => {
  Reflect.defineMetadata(LISTS, new Set([...urlListsOf(owner), String(name)]), owner);
  Transform(({ value }: { value: unknown }) =>
    [value].flat().flatMap((one: unknown) => (typeof one === 'string' ? one.split(',') : [one])),
  )(owner, name);
};

/** The parameters of a query that may be given more than once. */
export const urlListsOf = (owner: object): ReadonlySet<string> =>
  (Reflect.getMetadata(LISTS, owner) as ReadonlySet<string> | undefined) ?? new Set();

/** Reads `true` and `false` in a path or a query. */
export const UrlFlag = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value));
