import { settingDefinitions } from './settings.js';

/** The few settings that the TypeORM command line needs; it runs without the others. */
export interface DatabaseSettings {
  readonly url: string;
  readonly poolSize: number;
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs: number;
  readonly idleInTransactionTimeoutMs: number;
}

/** Reads the database settings from the environment; `owner` prefers DATABASE_OWNER_URL. */
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
