/** Throws if the value is null or undefined: evidence is never stored or shown with a blank in its place. */
export function required<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`${what} is missing`);
  return value;
}
