import type pg from 'pg';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import { databaseSettings } from '../../config/database-settings.js';
import { migrations } from '../migrations/index.js';
import { ColumnNamingStrategy } from '../statements/columns.js';
import { ANSWER_GRACE_MS } from '../store/lock.statements.js';
import { APP_ROLE } from './app-role.js';
import { Connections } from './connections.js';
import { PROCESS_NAME } from './process-name.js';
import { ReconnectingClient } from './reconnecting-client.js';
import { ScopedClient } from './scoped-client.js';

const KEEP_ALIVE_MS = 5_000;
// Connections are replaced after this time. That frees their plans and caches, and gives a new host behind a load
// balancer its share of the connections.
const POOL_LIFETIME_S = 1_800;
// If the network drops packets, the server ends the session of a process that it cannot reach, and frees its locks.
// Node cannot set TCP_USER_TIMEOUT for this side; `answerTimeoutMs` replaces it.
const SERVER_GIVES_UP =
  '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c tcp_user_timeout=12000';

// Every login acts as this role, because triggers that bind the service compare `current_user` with it. The login stays
// `session_user`.
const AS_THE_SERVICE = `-c role=${APP_ROLE}`;

/**
 * The one description of the connection, used by the application and by the TypeORM command line.
 * A function, not a constant: a constant would freeze DATABASE_URL at the first import.
 */
export function appConnectionOptions(settings = databaseSettings()): PostgresDataSourceOptions {
  const connections = new Connections(settings.url, settings.connectTimeoutMs);
  return {
    type: 'postgres',
    url: connections.target,
    namingStrategy: new ColumnNamingStrategy(),
    migrations,
    migrationsTableName: 'schema_migrations',
    migrationsTransactionMode: 'each',
    synchronize: false,
    // Never 'error': TypeORM prints bind parameters with a failed query, and those are personal data.
    logging: ['migration', 'warn'],
    poolSize: settings.poolSize,
    connectTimeoutMS: settings.connectTimeoutMs,
    applicationName: PROCESS_NAME,
    extra: {
      Client: ScopedClient,
      connections,
      verify: (client: pg.Client, done: (error?: Error) => void): void => {
        connections.runChecks(client).then(() => {
          done();
        }, done);
      },
      statement_timeout: settings.statementTimeoutMs,
      answerTimeoutMs: settings.statementTimeoutMs === 0 ? 0 : settings.statementTimeoutMs + ANSWER_GRACE_MS,
      idle_in_transaction_session_timeout: settings.idleInTransactionTimeoutMs,
      maxLifetimeSeconds: POOL_LIFETIME_S,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      options: `${SERVER_GIVES_UP} ${AS_THE_SERVICE}`,
    },
  };
}

/** Options for the owner of the schema. Row-level security applies even to the owner, so migrations need a system scope. */
export function ownerConnectionOptions(url?: string): PostgresDataSourceOptions {
  const settings = databaseSettings('owner');
  const options = appConnectionOptions(url === undefined ? settings : { ...settings, url });
  const extra: object = {
    ...(options.extra as object),
    Client: ReconnectingClient,
    // A migration may take any time.
    answerTimeoutMs: 0,
    options: '-c vigia.system=migration',
  };
  return { ...options, poolSize: 2, extra };
}
