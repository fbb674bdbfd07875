import { protect } from './protect.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Who outside the database has a checkpoint of a log: the file of each host, and witnesses that handed in what they signed.
 * It says where to look; what it says is proven by the file and by the notes of the witness alone.
 */
export class AuditAnchors1764000000112 extends SqlMigration {
  override readonly name = 'AuditAnchors1764000000112';
  protected override readonly statements = [
    `CREATE TABLE audit_anchors (
       organisation_id uuid NOT NULL,
       kind text NOT NULL CHECK (kind IN ('FILE', 'WITNESS')),
       name text NOT NULL CHECK (length(name) BETWEEN 1 AND 300),
       incarnation integer NOT NULL,
       size bigint NOT NULL CHECK (size >= 0),
       root bytea NOT NULL CHECK (length(root) = 32),
       note text NOT NULL,
       seen_at timestamptz NOT NULL,
       PRIMARY KEY (organisation_id, kind, name)
     )`,
    ...protect('audit_anchors'),
    `GRANT SELECT, INSERT, UPDATE ON audit_anchors TO vigia_app`,
  ];
}
