import { SqlMigration } from './sql-migration.js';

/** `single_handed_at`: the time since which one person may both propose and approve; set from the command line. */
export class OrganisationsSingleHanded1765000000031 extends SqlMigration {
  protected override readonly statements = [
    `ALTER TABLE organisations ADD COLUMN single_handed_at timestamptz`,
  ];
}
