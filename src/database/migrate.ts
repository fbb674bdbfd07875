import { DataSource } from 'typeorm';
import { ownerOptions } from '../../ormconfig.js';

// Any constant: two processes that migrate the same database at once take turns.
const MIGRATION_LOCK = 7_418_290_112;

/**
 * Runs the pending migrations as the owner of the schema and returns their names.
 * A second process waits for the first and then finds nothing to do.
 */
export async function migrate(ownerUrl: string): Promise<string[]> {
  const source = new DataSource(ownerOptions(ownerUrl));
  await source.initialize();
  const lock = source.createQueryRunner();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const applied = await source.runMigrations({ transaction: 'each' });
    await lock.query('SELECT continue_event_feed()');
    return applied.map((migration) => migration.name);
  } finally {
    await lock.query('SELECT pg_advisory_unlock_all()');
    await lock.release();
    await source.destroy();
  }
}
