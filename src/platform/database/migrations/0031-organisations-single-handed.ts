import { SqlMigration } from './sql-migration.js';

/** `single_handed_at`: since this time one person may both request and approve; set on the command line. */
export class OrganisationsSingleHanded1765000000031 extends SqlMigration {
  protected override readonly statements = [
    `ALTER TABLE organisations ADD COLUMN single_handed_at timestamptz`,
  ];
}
