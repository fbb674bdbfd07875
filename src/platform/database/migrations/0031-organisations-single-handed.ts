import { SqlMigration } from './sql-migration.js';

/** `single_handed_at`: since when one person alone may close a case with an approval; set by whoever runs the installation. */
export class OrganisationsSingleHanded1765000000031 extends SqlMigration {
  protected override readonly statements = [
    `ALTER TABLE organisations ADD COLUMN single_handed_at timestamptz`,
  ];
}
