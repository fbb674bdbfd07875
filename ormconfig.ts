import 'reflect-metadata';
import { DataSource } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import { databaseSettings } from './src/config/database-settings.js';
import { ColumnNamingStrategy } from './src/database/statements/columns.js';
import { entities } from './src/database/entities.js';
import { migrations } from './src/database/migrations/index.js';
import { ScopedClient } from './src/database/connection/scoped-client.js';
import { ReconnectingClient } from './src/database/connection/reconnecting-client.js';

/**
 * The one description of the database, used by the application and by the TypeORM command line.
 * A function, not a constant: a constant would freeze DATABASE_URL at the first import.
 */
export function ormOptions(settings = databaseSettings()): PostgresDataSourceOptions {
  return {
    type: 'postgres',
    url: settings.url,
    entities,
    namingStrategy: new ColumnNamingStrategy(),
    migrations,
    migrationsTableName: 'schema_migrations',
    migrationsTransactionMode: 'each',
    synchronize: false,
    // Never 'error': TypeORM prints bind parameters with a failed query, and those are personal data.
    logging: ['migration', 'warn'],
    poolSize: settings.poolSize,
    connectTimeoutMS: settings.connectTimeoutMs,
    applicationName: 'vigia',
    extra: {
      Client: ScopedClient,
      statement_timeout: settings.statementTimeoutMs,
      idle_in_transaction_session_timeout: settings.idleInTransactionTimeoutMs,
      keepAlive: true,
    },
  };
}

/** As the owner of the schema, whom row-level security binds too: what a migration moves may be anybody's. */
export function ownerOptions(url?: string): PostgresDataSourceOptions {
  const options = ormOptions(databaseSettings('owner'));
  const extra: object = {
    ...(options.extra as object),
    Client: ReconnectingClient,
    options: '-c vigia.system=migration',
  };
  return { ...options, ...(url === undefined ? {} : { url }), poolSize: 2, extra };
}

/** For `typeorm -d dist/ormconfig.js`. */
export default new DataSource(ownerOptions());
