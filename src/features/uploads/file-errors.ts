/** The code of an error of Node.js (`ENOENT` of the file system …), undefined for any other. */
export const fileErrorCode = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined;

export const isMissingFile = (error: unknown): boolean => fileErrorCode(error) === 'ENOENT';
