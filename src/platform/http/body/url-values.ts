import { Transform } from 'class-transformer';

/**
 * A number in a path or a query, which is text. What is written differently (1e2, 0x10, an empty text) is left as it is,
 * and so refused by the check that follows.
 */
export const UrlNumber = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    // Nine digits at the most, so that it fits the integers of the database.
    typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value,
  );

/** The same for `true` and `false`. */
export const UrlFlag = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value));
