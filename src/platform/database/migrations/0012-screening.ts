import { protect } from './protect.js';
import { audited } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Lists to screen against, their snapshots and entries; hits and the decisions about them.
 *
 * An entry row is one version of an entry and is never changed: it holds from one snapshot of its list on, and up to the
 * one that no longer has it. So a screening of the past can be told, and the difference between two snapshots is an index
 * scan. Entries of public lists are stored as they are; those of an organisation's own lists are sealed under the
 * organisation's key.
 */
export class Screening1764000000012 extends SqlMigration {
  override readonly name = 'Screening1764000000012';
  protected override readonly statements = [
    `CREATE TABLE screening_lists (
       id uuid NOT NULL,
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
       PRIMARY KEY (id, organisation_id),
       CONSTRAINT screening_lists_key UNIQUE (organisation_id, key)
     )`,
    `CREATE TABLE screening_snapshots (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       list_id uuid NOT NULL,
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
       ended_at timestamptz,
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (list_id, organisation_id) REFERENCES screening_lists
     )`,
    `CREATE INDEX screening_snapshots_list ON screening_snapshots (organisation_id, list_id, id)`,
    // One file at a time: two would be compared with the same snapshot, and the second would undo the first.
    `CREATE UNIQUE INDEX screening_snapshots_open ON screening_snapshots (list_id, organisation_id)
       WHERE status IN ('READING', 'AWAITING_CONFIRMATION')`,
    `CREATE TABLE screening_staged (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       snapshot_id uuid NOT NULL,
       entry_key text NOT NULL,
       content_hash bytea NOT NULL,
       content text,
       sealed bytea,
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (snapshot_id, organisation_id) REFERENCES screening_snapshots
     )`,
    `CREATE UNIQUE INDEX screening_staged_key ON screening_staged (snapshot_id, entry_key, organisation_id)`,
    `CREATE TABLE screening_entries (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       list_id uuid NOT NULL,
       entry_key text NOT NULL,
       content_hash bytea NOT NULL,
       content text,
       sealed bytea,
       from_sequence integer NOT NULL,
       to_sequence integer,
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (list_id, organisation_id) REFERENCES screening_lists,
       CONSTRAINT screening_entries_content CHECK ((content IS NULL) <> (sealed IS NULL))
     )`,
    `CREATE UNIQUE INDEX screening_entries_current ON screening_entries (list_id, entry_key, organisation_id)
       WHERE to_sequence IS NULL`,
    `CREATE INDEX screening_entries_from ON screening_entries (list_id, from_sequence, id)`,
    `CREATE INDEX screening_entries_to ON screening_entries (list_id, to_sequence) WHERE to_sequence IS NOT NULL`,
    // Moving a hit under another key may meet one that is being stored; the work is then done again (_race). awaits_case: a
    // round over the customers found it, and it has no case yet. decided_as: the hit of the same person whose disposition it took.
    `CREATE TABLE screening_hits (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       subject_index bytea NOT NULL,
       customer_id uuid,
       transaction_ref uuid,
       role text NOT NULL CHECK (role IN ('CUSTOMER', 'ORIGIN', 'DESTINATION')),
       list_id uuid NOT NULL,
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
       awaits_case boolean NOT NULL DEFAULT false,
       decided_as uuid,
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (customer_id, organisation_id) REFERENCES customers,
       FOREIGN KEY (list_id, organisation_id) REFERENCES screening_lists,
       FOREIGN KEY (decided_as, organisation_id) REFERENCES screening_hits,
       CONSTRAINT screening_hits_once_race UNIQUE (organisation_id, subject_index, list_id, entry_key)
     )`,
    `CREATE INDEX screening_hits_page ON screening_hits (organisation_id, id)`,
    `CREATE INDEX screening_hits_open ON screening_hits (organisation_id, status, mandatory, id)`,
    `CREATE INDEX screening_hits_customer ON screening_hits (organisation_id, customer_id, id)`,
    `CREATE INDEX screening_hits_awaiting ON screening_hits (id) WHERE awaits_case`,
    // Rounds screen all customers again.
    `CREATE TABLE screening_rounds (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       list_id uuid NOT NULL,
       snapshot_id uuid NOT NULL,
       sequence integer NOT NULL,
       status text NOT NULL DEFAULT 'RUNNING' CHECK (status IN ('RUNNING', 'FINISHED')),
       total integer NOT NULL,
       done integer NOT NULL DEFAULT 0,
       hits integer NOT NULL DEFAULT 0,
       cursor uuid,
       lease_until timestamptz NOT NULL DEFAULT clock_timestamp(),
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       finished_at timestamptz,
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (list_id, organisation_id) REFERENCES screening_lists,
       FOREIGN KEY (snapshot_id, organisation_id) REFERENCES screening_snapshots
     )`,
    `CREATE INDEX screening_rounds_open ON screening_rounds (lease_until) WHERE status = 'RUNNING'`,
    `CREATE INDEX screening_rounds_list ON screening_rounds (organisation_id, list_id, id)`,
    // The evaluation or the round that finds a hit tells of it; a decision about it has an entry of its own.
    ...audited('screening_hits', { subject: 'screening_hit', state: ['status'], inserts: false }),
    ...[
      ...['screening_lists', 'screening_snapshots', 'screening_staged', 'screening_entries'],
      ...['screening_hits', 'screening_rounds'],
    ].flatMap((table) => protect(table)),
    `GRANT SELECT, INSERT, UPDATE ON screening_lists, screening_snapshots, screening_entries, screening_hits,
       screening_rounds TO vigia_app`,
    `GRANT SELECT, INSERT, DELETE ON screening_staged TO vigia_app`,
  ];
}
