import { settingDefinitions } from './settings.js';

/** The settings that the TypeORM command line needs. It runs without the other settings. */
export interface DatabaseSettings {
  readonly url: string;
  readonly poolSize: number;
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs: number;
  readonly idleInTransactionTimeoutMs: number;
}

/** Reads the database settings from the environment. For the role `owner`, DATABASE_OWNER_URL has priority. */
export function databaseSettings(role: 'app' | 'owner' = 'app'): DatabaseSettings {
  const appUrl = process.env[settingDefinitions.databaseUrl.env] ?? '';
  const ownerUrl = process.env[settingDefinitions.databaseOwnerUrl.env] ?? appUrl;
  return {
    url: role === 'owner' ? ownerUrl : appUrl,
    poolSize: settingDefinitions.databasePoolSize.fallback ?? 12,
    connectTimeoutMs: settingDefinitions.databaseConnectTimeoutMs.fallback ?? 2_000,
    statementTimeoutMs: 0,
    idleInTransactionTimeoutMs: 0,
  };
}
