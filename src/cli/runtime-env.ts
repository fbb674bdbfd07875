import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The file where the launcher stores the environment of its service, readable by its owner only. */
export const runtimeFile = (dataDir: string): string => join(resolve(dataDir), 'runtime.json');

/** The variables that a command needs to use the databases of a running `npm start`. */
export const RUNTIME_VARIABLES = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'REDIS_URL',
  'KEY_RING',
  'AUDIT_KEYS',
  'INDEX_KEY',
  'CLIENT_SECRET_PEPPER',
  'NODE_ENV',
  'ENVIRONMENT',
  'PORT',
] as const;

/** Gives each unset variable its value in the running launcher; does nothing if no launcher runs. */
export function adoptRuntime(env: NodeJS.ProcessEnv = process.env): void {
  const dataDir = env['DATA_DIR'] ?? '.data';
  env['DATA_DIR'] = resolve(dataDir);
  if (env['DATABASE_URL'] !== undefined) return;
  let storedVariables: Record<string, string>;
  try {
    storedVariables = JSON.parse(readFileSync(runtimeFile(dataDir), 'utf8')) as Record<string, string>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  for (const name of RUNTIME_VARIABLES) {
    const value = storedVariables[name];
    if (value !== undefined) env[name] ??= value;
  }
}
