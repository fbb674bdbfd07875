import { protect } from './protect.js';
import { SqlMigration } from './sql-migration.js';

/** Saved views of the case list, of one operator or of the whole organisation. */
export class Workspace1765000000029 extends SqlMigration {
  protected override readonly statements = [
    `CREATE TABLE saved_views (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       owner_id uuid NOT NULL,
       shared boolean NOT NULL DEFAULT false,
       sealed bytea NOT NULL,
       updated_at timestamptz NOT NULL,
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (owner_id, organisation_id) REFERENCES operators
     )`,
    `CREATE INDEX saved_views_owner ON saved_views (organisation_id, owner_id)`,
    ...protect('saved_views'),
    `GRANT SELECT, INSERT, UPDATE, DELETE ON saved_views TO vigia_app`,
  ];
}
