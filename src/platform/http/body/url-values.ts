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

/** Reads `true` and `false` in a path or a query. */
export const UrlFlag = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value));
