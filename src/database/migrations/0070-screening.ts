import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protect } from './protect.js';

/**
 * Lists to screen against, their snapshots and entries; customers; hits and what was decided about them.
 *
 * An entry row is one version of an entry and is never changed: it holds from one snapshot of its list on, and up to the
 * one that no longer has it. What a screening of the past saw can therefore be told, and the difference between two
 * snapshots is an index scan. Entries of public lists are stored as they are; those of an organisation's own lists are
 * sealed under the organisation's key.
 */
export class Screening1763600000070 implements MigrationInterface {
  name = 'Screening1763600000070';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Hits and decisions about them are evidence; they are not undone. Restore a backup.');
  }
}

const statements = [
  // --- lists -----------------------------------------------------------------------------------------------
  `CREATE TABLE screening_lists (
     id uuid PRIMARY KEY,
     organisation_id uuid NOT NULL REFERENCES organisations (id),
     key text NOT NULL CHECK (key ~ '^[a-z0-9][a-z0-9-]{1,62}$'),
     name text NOT NULL,
     kind text NOT NULL CHECK (kind IN ('SANCTIONS', 'PEP', 'DEBARMENT', 'BLOCKLIST', 'ALLOWLIST', 'WATCH')),
     format text NOT NULL,
     evidence_threshold real NOT NULL CHECK (evidence_threshold BETWEEN 0.5 AND 1),
     mandatory_threshold real NOT NULL CHECK (mandatory_threshold BETWEEN 0.5 AND 1),
     stale_after_days integer CHECK (stale_after_days > 0),
     sequence integer NOT NULL DEFAULT 0,
     snapshot_id uuid,
     published_at timestamptz,
     entries integer NOT NULL DEFAULT 0,
     archived_at timestamptz,
     created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     CONSTRAINT screening_lists_key UNIQUE (organisation_id, key)
   )`,
  ...protect('screening_lists'),
  `CREATE TABLE screening_snapshots (
     id uuid PRIMARY KEY,
     organisation_id uuid NOT NULL REFERENCES organisations (id),
     list_id uuid NOT NULL REFERENCES screening_lists (id),
     sequence integer,
     status text NOT NULL CHECK (status IN
       ('READING', 'AWAITING_CONFIRMATION', 'PUBLISHED', 'UNCHANGED', 'REJECTED', 'FAILED')),
     reason text,
     sha256 bytea,
     bytes_total bigint,
     bytes_read bigint NOT NULL DEFAULT 0,
     lines_broken integer NOT NULL DEFAULT 0,
     broken jsonb NOT NULL DEFAULT '[]',
     entries integer NOT NULL DEFAULT 0,
     names integer NOT NULL DEFAULT 0,
     added integer,
     changed integer,
     removed integer,
     unchanged integer,
     requested_by text NOT NULL,
     decided_by text,
     created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     touched_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     ended_at timestamptz
   )`,
  `CREATE INDEX screening_snapshots_list ON screening_snapshots (organisation_id, list_id, id)`,
  // One file at a time: two would be compared with the same snapshot, and the second would undo the first.
  `CREATE UNIQUE INDEX screening_snapshots_open ON screening_snapshots (list_id)
     WHERE status IN ('READING', 'AWAITING_CONFIRMATION')`,
  ...protect('screening_snapshots'),
  `CREATE TABLE screening_staged (
     id uuid PRIMARY KEY,
     organisation_id uuid NOT NULL REFERENCES organisations (id),
     snapshot_id uuid NOT NULL REFERENCES screening_snapshots (id),
     entry_key text NOT NULL,
     content_hash bytea NOT NULL,
     content text,
     sealed bytea
   )`,
  `CREATE UNIQUE INDEX screening_staged_key ON screening_staged (snapshot_id, entry_key)`,
  ...protect('screening_staged'),
  `CREATE TABLE screening_entries (
     id uuid PRIMARY KEY,
     organisation_id uuid NOT NULL REFERENCES organisations (id),
     list_id uuid NOT NULL REFERENCES screening_lists (id),
     entry_key text NOT NULL,
     content_hash bytea NOT NULL,
     content text,
     sealed bytea,
     from_sequence integer NOT NULL,
     to_sequence integer,
     CONSTRAINT screening_entries_content CHECK ((content IS NULL) <> (sealed IS NULL))
   )`,
  `CREATE UNIQUE INDEX screening_entries_current ON screening_entries (list_id, entry_key)
     WHERE to_sequence IS NULL`,
  `CREATE INDEX screening_entries_from ON screening_entries (list_id, from_sequence, id)`,
  `CREATE INDEX screening_entries_to ON screening_entries (list_id, to_sequence) WHERE to_sequence IS NOT NULL`,
  ...protect('screening_entries'),

  // --- customers -------------------------------------------------------------------------------------------
  `CREATE TABLE customers (
     id uuid PRIMARY KEY,
     organisation_id uuid NOT NULL REFERENCES organisations (id),
     client_app_id uuid REFERENCES client_apps (id),
     person_type text CHECK (person_type IN ('NATURAL', 'LEGAL')),
     assurance text NOT NULL CHECK (assurance IN ('DECLARED', 'DOCUMENT', 'VERIFIED')),
     identified_by text NOT NULL CHECK (identified_by IN ('KYT', 'SESSION', 'OPERATOR')),
     subject_index bytea NOT NULL,
     external_index bytea,
     document_index bytea,
     masked_index bytea,
     sealed bytea NOT NULL,
     named boolean NOT NULL,
     identified_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     trail_hash bytea NOT NULL
   )`,
  `CREATE UNIQUE INDEX customers_document ON customers (organisation_id, document_index) WHERE document_index IS NOT NULL`,
  `CREATE UNIQUE INDEX customers_external ON customers (organisation_id, external_index) WHERE external_index IS NOT NULL`,
  `CREATE INDEX customers_page ON customers (organisation_id, id)`,
  ...protect('customers'),

  // --- hits ------------------------------------------------------------------------------------------------
  `CREATE TABLE screening_hits (
     id uuid PRIMARY KEY,
     organisation_id uuid NOT NULL REFERENCES organisations (id),
     subject_index bytea NOT NULL,
     customer_id uuid REFERENCES customers (id),
     transaction_ref uuid,
     role text NOT NULL CHECK (role IN ('CUSTOMER', 'ORIGIN', 'DESTINATION')),
     list_id uuid NOT NULL REFERENCES screening_lists (id),
     entry_key text NOT NULL,
     entry_id uuid NOT NULL,
     entry_hash bytea NOT NULL,
     snapshot_id uuid NOT NULL,
     scorer_version text NOT NULL,
     score real NOT NULL,
     name_score real NOT NULL,
     strength text NOT NULL CHECK (strength IN ('DOCUMENT', 'STRONG', 'NAME', 'CONTRADICTED')),
     mandatory boolean NOT NULL,
     qualifiers text[] NOT NULL,
     sealed_explanation bytea NOT NULL,
     status text NOT NULL DEFAULT 'PENDING'
       CHECK (status IN ('PENDING', 'CONFIRMED', 'DISMISSED_FALSE_POSITIVE', 'ESCALATED')),
     reopened integer NOT NULL DEFAULT 0,
     decided_by text,
     decided_at timestamptz,
     justification bytea,
     seen integer NOT NULL DEFAULT 1,
     created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     last_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     CONSTRAINT screening_hits_once UNIQUE (organisation_id, subject_index, list_id, entry_key)
   )`,
  `CREATE INDEX screening_hits_page ON screening_hits (organisation_id, id)`,
  `CREATE INDEX screening_hits_open ON screening_hits (organisation_id, status, mandatory, id)`,
  `CREATE INDEX screening_hits_customer ON screening_hits (organisation_id, customer_id, id)`,
  ...protect('screening_hits'),

  // --- screening customers again -----------------------------------------------------------------------------
  `CREATE TABLE screening_rounds (
     id uuid PRIMARY KEY,
     organisation_id uuid NOT NULL REFERENCES organisations (id),
     list_id uuid NOT NULL REFERENCES screening_lists (id),
     snapshot_id uuid NOT NULL REFERENCES screening_snapshots (id),
     sequence integer NOT NULL,
     status text NOT NULL DEFAULT 'RUNNING' CHECK (status IN ('RUNNING', 'FINISHED')),
     total integer NOT NULL,
     done integer NOT NULL DEFAULT 0,
     hits integer NOT NULL DEFAULT 0,
     cursor uuid,
     lease_until timestamptz NOT NULL DEFAULT clock_timestamp(),
     created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     finished_at timestamptz
   )`,
  `CREATE INDEX screening_rounds_open ON screening_rounds (lease_until) WHERE status = 'RUNNING'`,
  `CREATE INDEX screening_rounds_list ON screening_rounds (organisation_id, list_id, id)`,
  ...protect('screening_rounds'),

  `GRANT SELECT, INSERT, UPDATE ON screening_lists, screening_snapshots, screening_entries, customers, screening_hits,
     screening_rounds TO vigia_app`,
  `GRANT SELECT, INSERT, DELETE ON screening_staged TO vigia_app`,
];
