/** Something the person at the terminal can put right: the message says what and how, so no stack trace is shown. */
export class LauncherError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LauncherError';
  }
}

/** True for an error of the system or of PostgreSQL that carries one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  // By shape: under a test runner, errors of Node itself belong to another realm and are no instance of Error here.
  if (typeof error !== 'object' || error === null || !('code' in error)) return false;
  return typeof error.code === 'string' && codes.includes(error.code);
}
