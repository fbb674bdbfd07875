import { SchemaMigrationEntity } from './schema-migration.entity.js';

export const databaseEntities = [SchemaMigrationEntity];
