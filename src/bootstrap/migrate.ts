import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';
import { entities } from '../../ormconfig.js';
import { ownerConnectionOptions } from '../platform/database/connection/connection-options.js';
import { WritableDataSource } from '../platform/database/connection/connections.js';
import { installBindings, setBindingsAside } from '../platform/database/regulated/install-bindings.js';
import { isRetryable } from '../platform/database/work/database-errors.js';
import { sheets } from '../sheets.js';
import { pinCatalogue } from '../platform/database/regulated/pin-catalogue.js';

// The id of an advisory lock (any constant): processes that migrate the same database take turns.
const MIGRATION_LOCK = 7_418_290_112;
const MAX_TRIES = 5;

/** The timestamp (ms) in the name of the first migration of the first release. */
const FIRST_RELEASE = 1_765_000_000_000;

/** The database has a schema from before the first release, which no migration can upgrade. */
export class UnreleasedSchemaError extends Error {
  override readonly name = 'UnreleasedSchemaError';
}

/**
 * Runs pending migrations as the owner of the schema; returns their names. A concurrent call waits and then finds nothing
 * to do. Migrations and bindings are one commit: after a failure the database is as it was.
 */
export const migrate = (ownerUrl: string): Promise<string[]> =>
  migrateBy(new WritableDataSource({ ...ownerConnectionOptions(ownerUrl), entities }));

/** Does what `migrate` does, with the migrations and entities of `source`. */
export async function migrateBy(source: DataSource): Promise<string[]> {
  await source.initialize();
  const runner = source.createQueryRunner();
  try {
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await refuseUnreleased(runner);
    const applied = await migrateInOneCommit(runner, source);
    await runner.query('SELECT continue_event_feed()');
    return applied;
  } finally {
    await runner.query('SELECT pg_advisory_unlock_all()');
    await runner.release();
    await source.destroy();
  }
}

/**
 * Migrates in one commit. Tries again after a deadlock with a running service, which PostgreSQL resolves by ending one
 * of the two.
 */
async function migrateInOneCommit(runner: QueryRunner, source: DataSource): Promise<string[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      await runner.startTransaction();
      const applied = await migrateIn(runner, source);
      await runner.commitTransaction();
      return applied;
    } catch (error) {
      if (runner.isTransactionActive) await runner.rollbackTransaction();
      if (tries === MAX_TRIES || !isRetryable(error)) throw error;
    }
  }
}

async function migrateIn(runner: QueryRunner, source: DataSource): Promise<string[]> {
  await setBindingsAside(runner, source, sheets);
  const executor = new MigrationExecutor(source, runner);
  executor.transaction = 'none';
  const applied = await executor.executePendingMigrations();
  await pinCatalogue(runner, async (step) => [
    ...source.migrations.map(({ name }) => name ?? ''),
    ...(await installBindings(runner, source, sheets, step)),
  ]);
  return applied.map(({ name }) => name);
}

async function refuseUnreleased(runner: QueryRunner): Promise<void> {
  if (!(await runner.hasTable('schema_migrations'))) return;
  const [found] = (await runner.query(
    'SELECT name FROM schema_migrations WHERE timestamp < $1 ORDER BY timestamp DESC LIMIT 1',
    [FIRST_RELEASE],
  )) as { name: string }[];
  if (found === undefined) return;
  throw new UnreleasedSchemaError(
    `This database was made by a version from before the first release (its last migration is ${found.name}).\n` +
      'Nothing continues that schema. Use an empty database: with the servers of npm start, stop it and remove its data ' +
      'folder (.data, or DATA_DIR); otherwise create a new database and name it in DATABASE_OWNER_URL and DATABASE_URL.',
  );
}
