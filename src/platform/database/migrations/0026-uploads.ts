import { protect } from './protect.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Uploaded files: owner, location of the encrypted file, and the key that decrypts it. The artifact store holds the
 * files; file names, hashes and the data read from a file are encrypted with it.
 */
export class Uploads1765000000026 extends SqlMigration {
  protected override readonly statements = [
    `CREATE TABLE artifacts (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       owner_type text NOT NULL CHECK (owner_type IN ('SESSION', 'REVIEW', 'CUSTOMER')),
       owner_id uuid NOT NULL,
       step_id text,
       kind text NOT NULL CHECK (kind IN ('DOCUMENT', 'SELFIE', 'PROOF_OF_ADDRESS', 'ATTACHMENT')),
       document_type text,
       side text CHECK (side IN ('FRONT', 'BACK')),
       mime_type text NOT NULL CHECK (mime_type IN ('image/jpeg', 'image/png', 'image/webp', 'application/pdf')),
       size_bytes integer NOT NULL CHECK (size_bytes > 0),
       width integer,
       height integer,
       pages integer,
       subject_index bytea NOT NULL,
       key_id uuid NOT NULL,
       content_index bytea NOT NULL,
       sealed bytea NOT NULL,
       storage_key text NOT NULL,
       view_key text,
       state text NOT NULL DEFAULT 'STORED' CHECK (state IN ('STORED', 'LOST', 'ERASED')),
       customer_id uuid,
       unlinked_reason text,
       received_by text NOT NULL,
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       linked_at timestamptz,
       ended_at timestamptz,
       retain_until timestamptz NOT NULL,
       trail_hash bytea NOT NULL,
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (customer_id, organisation_id) REFERENCES customers,
       CONSTRAINT artifacts_linked CHECK ((customer_id IS NULL) = (linked_at IS NULL)),
       CONSTRAINT artifacts_ended CHECK ((state = 'STORED') = (ended_at IS NULL))
     )`,
    // One artifact per owner, position and content, as long as its file exists. One PDF may contain both sides of a
    // document, so it may be used in two positions.
    `CREATE UNIQUE INDEX artifacts_once ON artifacts
       (organisation_id, owner_type, owner_id, content_index,
        coalesce(step_id, ''), coalesce(document_type, ''), coalesce(side, ''))
       WHERE state = 'STORED'`,
    `CREATE INDEX artifacts_content ON artifacts (organisation_id, content_index)`,
    `CREATE INDEX artifacts_customer ON artifacts (organisation_id, customer_id, id) WHERE customer_id IS NOT NULL`,
    `CREATE INDEX artifacts_key ON artifacts (key_id) WHERE state = 'STORED'`,
    ...protect('artifacts'),
    `GRANT SELECT, INSERT, UPDATE ON artifacts TO vigia_app`,
  ];
}
