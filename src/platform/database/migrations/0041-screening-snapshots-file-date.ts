import { SqlMigration } from './sql-migration.js';

/** `file_dated_at`: the day on which the file of an import says that it was made. A list is as old as its file. */
export class ScreeningSnapshotsFileDate1765000000041 extends SqlMigration {
  protected override readonly statements = [
    `ALTER TABLE screening_snapshots ADD COLUMN file_dated_at timestamptz`,
  ];
}
