import { SettingsError } from './read-settings.js';
import { settingDefinitions } from './settings.js';

/** The settings that the TypeORM command line needs. It runs without the other settings. */
export interface DatabaseSettings {
  readonly url: string;
  readonly poolSize: number;
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs: number;
  readonly idleInTransactionTimeoutMs: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the URLs of both roles as `readSettings` does, for commands that run without the other settings. A URL is null
 * if it is unset or empty. Throws SettingsError.
 */
export function databaseUrls(env: Environment = process.env): Record<'app' | 'owner', string | null> {
  const { databaseUrl, databaseOwnerUrl } = settingDefinitions;
  const problems: string[] = [];
  const valueOf = (definition: typeof databaseUrl): string | null => {
    const text = env[definition.env];
    if (text === undefined || text === '') return null;
    const result = definition.parse(text);
    if ('value' in result) return result.value;
    problems.push(`${definition.env} ${result.problem}`);
    return null;
  };
  const urls = { app: valueOf(databaseUrl), owner: valueOf(databaseOwnerUrl) };
  if (problems.length > 0) throw new SettingsError(problems);
  return urls;
}

/** Reads the database settings from the environment. For the role `owner`, DATABASE_OWNER_URL has priority. */
export function databaseSettings(role: 'app' | 'owner' = 'app'): DatabaseSettings {
  const { app, owner } = databaseUrls();
  return {
    url: (role === 'owner' ? (owner ?? app) : app) ?? '',
    poolSize: settingDefinitions.databasePoolSize.fallback ?? 12,
    connectTimeoutMs: settingDefinitions.databaseConnectTimeoutMs.fallback ?? 2_000,
    statementTimeoutMs: 0,
    idleInTransactionTimeoutMs: 0,
  };
}
