/** Something the person at the terminal can put right: the message says what and how, so no stack trace is shown. */
export class LauncherError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LauncherError';
  }
}

/** True for an error of the system or of PostgreSQL that carries one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && codes.includes(code);
}
