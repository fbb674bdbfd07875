import { In } from 'typeorm';
import { SchemaMigrationEntity } from './store/entities.js';
import type { Reader } from './work/unit-of-work.js';

/**
 * True if all `steps` have run, which are names in `schema_migrations`. The database may have more: an upgrade migrates it
 * first, while processes of the older release still serve.
 */
export const isMigrated = async (db: Reader, steps: readonly string[]): Promise<boolean> =>
  (await db.countBy(SchemaMigrationEntity, { name: In(steps) })) === steps.length;
