/**
 * Returns the value; throws if it is null or undefined, so that evidence is never stored or shown with a blank in its
 * place.
 */
export function required<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`${what} is missing`);
  return value;
}
