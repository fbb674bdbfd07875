/** The code of a Node.js error, such as `ENOENT`; undefined for any other error. */
export const fileErrorCode = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined;

export const isMissingFile = (error: unknown): boolean => fileErrorCode(error) === 'ENOENT';
