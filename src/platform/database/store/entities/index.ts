import { SchemaMigrationEntity } from './schema-migration.entity.js';

/** One for each table of this module. */
export const databaseEntities = [SchemaMigrationEntity];
