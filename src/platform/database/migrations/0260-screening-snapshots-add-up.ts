import { SqlMigration } from './sql-migration.js';

/** The lines of an import add up: each is an entry, merged with one, or broken. Fields that could not be read are counted. */
export class ScreeningSnapshotsAddUp1764000000260 extends SqlMigration {
  override readonly name = 'ScreeningSnapshotsAddUp1764000000260';
  protected override readonly statements = [
    `ALTER TABLE screening_snapshots
       ADD COLUMN lines integer NOT NULL DEFAULT 0,
       ADD COLUMN lines_merged integer NOT NULL DEFAULT 0,
       ADD COLUMN fields_dropped integer NOT NULL DEFAULT 0,
       ADD COLUMN dropped jsonb NOT NULL DEFAULT '[]'`,
  ];
}
