import { In } from 'typeorm';
import { migrationNames } from './migrations/index.js';
import { SchemaMigrationEntity } from './store/entities/schema-migration.entity.js';
import type { Reader } from './work/unit-of-work.js';

/**
 * True if every migration of this release ran. Further ones belong to a newer release: the database is migrated first,
 * and this process may serve meanwhile.
 */
export const isMigrated = async (db: Reader): Promise<boolean> =>
  (await db.countBy(SchemaMigrationEntity, { name: In(migrationNames) })) === migrationNames.length;
