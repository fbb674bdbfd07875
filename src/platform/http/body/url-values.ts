import { Transform } from 'class-transformer';

/**
 * Converts the text of a number in a path or a query. Another spelling (1e2, 0x10, an empty text) stays a text, and
 * the next check refuses it.
 */
export const UrlNumber = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    // Nine digits at the most, so that it fits the integers of the database.
    typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value,
  );

/** Reads `true` and `false` in a path or a query. */
export const UrlFlag = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value));
