import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The same content is the same artifact only at the same place: one PDF may hold both sides of a document. */
export class ArtifactPlaces1763600000150 implements MigrationInterface {
  name = 'ArtifactPlaces1763600000150';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Artifacts of two places cannot become one again. Restore a backup.');
  }
}

const statements = [
  `DROP INDEX artifacts_once`,
  `CREATE UNIQUE INDEX artifacts_once ON artifacts
     (organisation_id, owner_type, owner_id, content_index,
      coalesce(step_id, ''), coalesce(document_type, ''), coalesce(side, ''))
     WHERE state = 'STORED'`,
];
