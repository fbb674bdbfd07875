import { DataSource, type QueryRunner } from 'typeorm';
import { entities } from '../../ormconfig.js';
import { ownerConnectionOptions } from '../platform/database/connection/connection-options.js';
import { installBindings } from '../platform/database/regulated/install-bindings.js';
import { pinCatalogue } from '../platform/database/regulated/pin-catalogue.js';

// The id of an advisory lock (any constant): processes that migrate the same database take turns.
const MIGRATION_LOCK = 7_418_290_112;

/** The timestamp (ms) in the name of the first migration of the first release. */
const FIRST_RELEASE = 1_765_000_000_000;

/** The database has a schema from before the first release, which no migration can upgrade. */
export class UnreleasedSchemaError extends Error {
  override readonly name = 'UnreleasedSchemaError';
}

/**
 * Runs pending migrations as the owner of the schema; returns their names. A concurrent call waits and then finds nothing
 * to do.
 */
export async function migrate(ownerUrl: string): Promise<string[]> {
  const source = new DataSource({ ...ownerConnectionOptions(ownerUrl), entities });
  await source.initialize();
  const lock = source.createQueryRunner();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await refuseUnreleased(lock);
    const applied = await source.runMigrations({ transaction: 'each' });
    await pinCatalogue(lock, async (step) => [
      ...source.migrations.map(({ name }) => name ?? ''),
      ...(await installBindings(lock, source, step)),
    ]);
    await lock.query('SELECT continue_event_feed()');
    return applied.map((migration) => migration.name);
  } finally {
    await lock.query('SELECT pg_advisory_unlock_all()');
    await lock.release();
    await source.destroy();
  }
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
