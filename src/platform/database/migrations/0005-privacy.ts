import { protect } from './protect.js';
import { SqlMigration } from './sql-migration.js';

/** The keys of persons. A key is destroyed when a person is erased; everything sealed under it is unreadable from then on. */
export class Privacy1764000000005 extends SqlMigration {
  override readonly name = 'Privacy1764000000005';
  protected override readonly statements = [
    `CREATE TABLE subject_keys (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       subject_index bytea NOT NULL,
       generation integer NOT NULL DEFAULT 1,
       ring_key_id text NOT NULL,
       wrapped_key bytea,
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       erase_requested_at timestamptz,
       destroyed_at timestamptz,
       PRIMARY KEY (id, organisation_id),
       CONSTRAINT subject_keys_subject UNIQUE (organisation_id, subject_index, generation),
       CONSTRAINT subject_keys_destroyed CHECK ((destroyed_at IS NULL) = (wrapped_key IS NOT NULL))
     )`,
    // Few rows of many: the job that removes the files of erased persons looks for them by time.
    `CREATE INDEX subject_keys_destroyed_at ON subject_keys (destroyed_at) WHERE destroyed_at IS NOT NULL`,
    `CREATE INDEX subject_keys_erasing ON subject_keys (erase_requested_at)
       WHERE erase_requested_at IS NOT NULL AND destroyed_at IS NULL`,
    ...protect('subject_keys'),
    `GRANT SELECT, INSERT, UPDATE ON subject_keys TO vigia_app`,
  ];
}
