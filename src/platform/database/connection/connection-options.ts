import type pg from 'pg';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import { databaseSettings } from '../../config/database-settings.js';
import { migrations } from '../migrations/index.js';
import { ColumnNamingStrategy } from '../statements/columns.js';
import { ANSWER_GRACE_MS } from '../store/lock.statements.js';
import { Connections } from './connections.js';
import { ReconnectingClient } from './reconnecting-client.js';
import { ScopedClient } from './scoped-client.js';
import { ownerSession, PROCESS_NAME, serviceSession } from './session-settings.js';

const KEEP_ALIVE_MS = 5_000;
// Connections are replaced after this time. That frees their plans and caches, and gives a new host behind a load
// balancer its share of the connections.
const POOL_LIFETIME_S = 1_800;
// A new connection costs the server as much as a thousand small statements, so that one of a burst is kept for the next.
const POOL_IDLE_MS = 300_000;

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
    // The list never has 'error': TypeORM prints bind parameters with a failed query, and those are personal data.
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
      session: serviceSession(settings),
      answerTimeoutMs: settings.statementTimeoutMs === 0 ? 0 : settings.statementTimeoutMs + ANSWER_GRACE_MS,
      maxLifetimeSeconds: POOL_LIFETIME_S,
      idleTimeoutMillis: POOL_IDLE_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
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
    session: ownerSession(settings),
  };
  return { ...options, poolSize: 2, extra };
}
