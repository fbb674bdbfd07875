import { In } from 'typeorm';
import { migrationNames } from './migrations/index.js';
import { SchemaMigrationEntity } from './store/entities.js';
import type { Reader } from './work/unit-of-work.js';

/**
 * True if every migration of this release has run. The database may have more: an upgrade migrates it first, while
 * processes of the older release still serve.
 */
export const isMigrated = async (db: Reader): Promise<boolean> =>
  (await db.countBy(SchemaMigrationEntity, { name: In(migrationNames) })) === migrationNames.length;
