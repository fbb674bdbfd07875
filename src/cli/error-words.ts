import { DomainError } from '../platform/kernel/index.js';

/** Converts an error into a message that a person can act on, without a stack. */
export function describeError(error: unknown, env: NodeJS.ProcessEnv = process.env): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (error instanceof DomainError) {
    return [
      error.message,
      ...error.details.map(({ path, code, message }) => `  ${path}: ${code}, ${message}`),
    ].join('\n');
  }
  if (error.name === 'SettingsError' && env['DATABASE_URL'] === undefined) {
    return `${error.message}\n${noServiceIn(env['DATA_DIR'] ?? '.data')}`;
  }
  return systemWords(error) ?? error.message;
}

const noServiceIn = (folder: string): string =>
  `No npm start is running on ${folder}. Start it, or name its folder with DATA_DIR;\n` +
  'where there is none, give this command the settings of the service (docs/generated/settings.md).';

/** Describes an error of the operating system. */
function systemWords(error: NodeJS.ErrnoException): string | null {
  const { code, path } = error;
  if (path !== undefined) {
    if (code === 'ENOENT') return `There is no file ${path}.`;
    if (code === 'EEXIST') return `${path} exists already; it is not overwritten.`;
    if (code === 'EACCES') return `${path} may not be read or written by this user.`;
  }
  // Node tries every address of a host and reports all failures as one error with an empty message.
  if (code === 'ECONNREFUSED') {
    return 'The database does not answer: is it running, and is DATABASE_URL right?';
  }
  return null;
}
