/**
 * Makes a table that is looked up by names of others, such as the members of a body. A name that every object inherits
 * (`constructor`, `hasOwnProperty`) is not found in it.
 */
export const table = <T>(rows: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.freeze(Object.assign(Object.create(null) as Record<string, T>, rows));
