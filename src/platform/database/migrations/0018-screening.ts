import { protect } from './protect.js';
import { SERVICE } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

// An import gets its number only when all its entries are stored.
const PUBLISHED_NOW = `SELECT l.id, l.sequence FROM screening_lists l JOIN screening_snapshots s ON s.id = l.snapshot_id
  WHERE s.status = 'PUBLISHED' AND s.sequence IS NULL`;

/**
 * Screening lists with their snapshots and entries.
 *
 * A row of an entry is one version of it and never changes: it is valid from one snapshot of its list up to the first
 * snapshot without it. So a past screening can be reproduced, and an index scan finds the difference between two
 * snapshots. Entries of public lists are stored in clear text, those of an organisation's own lists encrypted under its
 * key.
 *
 * Entries change only by the publication of an import, and an import that weakens its list needs two people. An import
 * that waits for approval does not change.
 */
export class Screening1765000000018 extends SqlMigration {
  protected override readonly statements = [
    // single_control: one person alone changed the current thresholds. import_single_control: one person alone
    // published an import that weakened the list.
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
       single_control boolean NOT NULL DEFAULT false,
       import_single_control boolean NOT NULL DEFAULT false,
       PRIMARY KEY (id, organisation_id),
       CONSTRAINT screening_lists_key UNIQUE (organisation_id, key)
     )`,
    // The line counts of an import add up: each line is a new entry, merged into another entry, or broken. Unreadable
    // fields are counted too.
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
       lines integer NOT NULL DEFAULT 0,
       lines_merged integer NOT NULL DEFAULT 0,
       fields_dropped integer NOT NULL DEFAULT 0,
       dropped jsonb NOT NULL DEFAULT '[]',
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (list_id, organisation_id) REFERENCES screening_lists
     )`,
    `CREATE INDEX screening_snapshots_list ON screening_snapshots (organisation_id, list_id, id)`,
    // One open import per list: two would be compared with the same snapshot, and the second would undo the first.
    `CREATE UNIQUE INDEX screening_snapshots_open ON screening_snapshots (list_id, organisation_id)
       WHERE status IN ('READING', 'AWAITING_CONFIRMATION')`,
    `CREATE FUNCTION guard_snapshot() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF (OLD.list_id, OLD.requested_by) IS DISTINCT FROM (NEW.list_id, NEW.requested_by)
          OR (OLD.status NOT IN ('READING', 'AWAITING_CONFIRMATION') AND NOT (OLD.status = 'PUBLISHED'
            AND OLD.sequence IS NULL AND to_jsonb(OLD) - 'sequence' = to_jsonb(NEW) - 'sequence'))
          OR (OLD.status = 'AWAITING_CONFIRMATION' AND (NEW.status NOT IN ('PUBLISHED', 'REJECTED')
            OR (OLD.sha256, OLD.added, OLD.changed, OLD.removed, OLD.entries) IS DISTINCT FROM
               (NEW.sha256, NEW.added, NEW.changed, NEW.removed, NEW.entries))) THEN
         RAISE EXCEPTION 'an import stays as it was read' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NEW;
     END $$`,
    `CREATE TRIGGER screening_snapshots_kept BEFORE UPDATE ON screening_snapshots FOR EACH ROW
       WHEN (${SERVICE}) EXECUTE FUNCTION guard_snapshot()`,
    // Checked at the end of a publication. Two people publish an operator's import that removes or changes an entry:
    // the uploader may have left out the one name to be cleared. The same holds for the first import of a sanctions or
    // PEP list: from then on a party without a match counts as on no list.
    `CREATE FUNCTION require_confirmation() RETURNS trigger LANGUAGE plpgsql AS $$
     DECLARE
       list screening_lists;
       number integer;
       loses boolean;
       adds boolean;
       began boolean;
     BEGIN
       SELECT * INTO list FROM screening_lists l WHERE l.organisation_id = NEW.organisation_id AND l.id = NEW.list_id;
       SELECT sequence INTO number FROM screening_snapshots s WHERE s.organisation_id = NEW.organisation_id AND s.id = NEW.id;
       IF number IS NULL OR list.sequence <> number OR list.snapshot_id <> NEW.id THEN
         RAISE EXCEPTION 'a published import is that of its list' USING ERRCODE = 'restrict_violation';
       END IF;
       IF OLD.status = 'AWAITING_CONFIRMATION' OR by_system(NEW.organisation_id, 'screening_list', NEW.list_id) THEN
         RETURN NULL;
       END IF;
       loses := EXISTS (SELECT 1 FROM screening_entries e WHERE e.list_id = NEW.list_id AND e.to_sequence = number);
       adds := EXISTS (SELECT 1 FROM screening_entries e WHERE e.list_id = NEW.list_id AND e.from_sequence = number);
       began := EXISTS (SELECT 1 FROM screening_entries e WHERE e.list_id = NEW.list_id AND e.from_sequence < number
         AND (e.to_sequence IS NULL OR e.to_sequence = number));
       IF (list.kind = 'ALLOWLIST' AND adds) OR (list.kind <> 'ALLOWLIST' AND loses)
          OR (list.kind IN ('SANCTIONS', 'PEP') AND NOT began AND adds) THEN
         RAISE EXCEPTION 'an import weakens its list without an approved request' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NULL;
     END $$`,
    `CREATE CONSTRAINT TRIGGER screening_snapshots_agreed AFTER UPDATE ON screening_snapshots
       DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
       WHEN (${SERVICE} AND OLD.status <> 'PUBLISHED' AND NEW.status = 'PUBLISHED') EXECUTE FUNCTION require_confirmation()`,
    `CREATE FUNCTION guard_list() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF NEW.key <> OLD.key OR NEW.sequence <> OLD.sequence + 1
          OR NOT EXISTS (SELECT FROM screening_snapshots s WHERE s.organisation_id = NEW.organisation_id
            AND s.id = NEW.snapshot_id AND s.list_id = NEW.id AND s.status = 'PUBLISHED' AND s.sequence IS NULL) THEN
         RAISE EXCEPTION 'a list shows what was published last' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NEW;
     END $$`,
    `CREATE TRIGGER screening_lists_published BEFORE UPDATE ON screening_lists FOR EACH ROW WHEN (${SERVICE}
         AND (OLD.key, OLD.sequence, OLD.snapshot_id) IS DISTINCT FROM (NEW.key, NEW.sequence, NEW.snapshot_id))
       EXECUTE FUNCTION guard_list()`,
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
    // Policies instead of triggers: a publication changes a million rows, and a policy reads the values that it
    // compares once per statement.
    `CREATE POLICY published_now ON screening_entries AS RESTRICTIVE FOR INSERT TO vigia_app
       WITH CHECK ((list_id, from_sequence) IN (${PUBLISHED_NOW}))`,
    `CREATE POLICY ended_now ON screening_entries AS RESTRICTIVE FOR UPDATE TO vigia_app USING (to_sequence IS NULL)
       WITH CHECK ((list_id, to_sequence) IN (${PUBLISHED_NOW}))`,
    `CREATE POLICY read_now ON screening_staged AS RESTRICTIVE FOR INSERT TO vigia_app
       WITH CHECK (snapshot_id IN (SELECT s.id FROM screening_snapshots s WHERE s.status = 'READING'))`,
    `CREATE POLICY not_waiting ON screening_staged AS RESTRICTIVE FOR DELETE TO vigia_app USING (snapshot_id NOT IN
       (SELECT s.id FROM screening_snapshots s WHERE s.status IN ('READING', 'AWAITING_CONFIRMATION')))`,
    // A round screens all customers again.
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
    ...protect('screening_lists', 'screening_snapshots', 'screening_staged', 'screening_entries'),
    ...protect('screening_rounds'),
    `GRANT SELECT, INSERT, UPDATE ON screening_lists, screening_snapshots, screening_rounds TO vigia_app`,
    `GRANT SELECT, INSERT ON screening_entries TO vigia_app`,
    `GRANT UPDATE (to_sequence) ON screening_entries TO vigia_app`,
    `GRANT SELECT, INSERT, DELETE ON screening_staged TO vigia_app`,
  ];
}
