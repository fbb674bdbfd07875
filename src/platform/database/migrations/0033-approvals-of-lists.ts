import { SqlMigration } from './sql-migration.js';

// An import has no number before all of its entries are there.
const PUBLISHED_NOW = `SELECT l.id, l.sequence FROM screening_lists l JOIN screening_snapshots s ON s.id = l.snapshot_id
  WHERE s.status = 'PUBLISHED' AND s.sequence IS NULL`;

const SERVICE = `current_user = 'vigia_app'`;

/**
 * The entries of a list change by the publication of an import and by nothing else, and an import that weakens its list is
 * published by two people: the database counts for itself what went. What waits for them stays as it was read.
 */
export class ApprovalsOfLists1764000000033 extends SqlMigration {
  override readonly name = 'ApprovalsOfLists1764000000033';
  protected override readonly statements = [
    // Whether one person alone published what the list lost.
    `ALTER TABLE screening_lists ADD COLUMN import_single_control boolean NOT NULL DEFAULT false`,
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
    // At the end of the publication: what it took away, with what others took away alone within 30 days.
    `CREATE FUNCTION require_confirmation() RETURNS trigger LANGUAGE plpgsql AS $$
     DECLARE
       list screening_lists;
       number integer;
       gone bigint;
       came bigint;
       lately bigint;
       had bigint;
     BEGIN
       SELECT * INTO list FROM screening_lists l WHERE l.organisation_id = NEW.organisation_id AND l.id = NEW.list_id;
       SELECT sequence INTO number FROM screening_snapshots s WHERE s.organisation_id = NEW.organisation_id AND s.id = NEW.id;
       IF number IS NULL OR list.sequence <> number OR list.snapshot_id <> NEW.id THEN
         RAISE EXCEPTION 'a published import is that of its list' USING ERRCODE = 'restrict_violation';
       END IF;
       IF OLD.status = 'AWAITING_CONFIRMATION' OR by_system(NEW.organisation_id, 'screening_list', NEW.list_id) THEN
         RETURN NULL;
       END IF;
       SELECT count(*) INTO gone FROM screening_entries e WHERE e.list_id = NEW.list_id AND e.to_sequence = number;
       SELECT count(*) INTO came FROM screening_entries e WHERE e.list_id = NEW.list_id AND e.from_sequence = number;
       SELECT count(*) INTO had FROM screening_entries e WHERE e.list_id = NEW.list_id AND e.from_sequence < number
         AND (e.to_sequence IS NULL OR e.to_sequence = number);
       SELECT count(*) INTO lately FROM screening_snapshots s
         JOIN screening_entries e ON e.list_id = s.list_id AND e.to_sequence = s.sequence
       WHERE s.list_id = NEW.list_id AND s.id <> NEW.id AND s.status = 'PUBLISHED' AND s.reason IS NULL
         AND s.ended_at > clock_timestamp() - interval '30 days';
       IF (list.kind = 'ALLOWLIST' AND came > 0)
          OR (list.kind <> 'ALLOWLIST' AND (gone + lately) * 5 > had + lately) THEN
         RAISE EXCEPTION 'an import weakens its list without an approved request' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NULL;
     END $$`,
    `CREATE CONSTRAINT TRIGGER screening_snapshots_confirmed AFTER UPDATE ON screening_snapshots
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
    // Policies, because a publication changes a million rows: what they compare with is looked up once for a statement.
    `CREATE POLICY published_now ON screening_entries AS RESTRICTIVE FOR INSERT TO vigia_app
       WITH CHECK ((list_id, from_sequence) IN (${PUBLISHED_NOW}))`,
    `CREATE POLICY ended_now ON screening_entries AS RESTRICTIVE FOR UPDATE TO vigia_app USING (to_sequence IS NULL)
       WITH CHECK ((list_id, to_sequence) IN (${PUBLISHED_NOW}))`,
    `REVOKE UPDATE ON screening_entries FROM vigia_app`,
    `GRANT UPDATE (to_sequence) ON screening_entries TO vigia_app`,
    `CREATE POLICY read_now ON screening_staged AS RESTRICTIVE FOR INSERT TO vigia_app
       WITH CHECK (snapshot_id IN (SELECT s.id FROM screening_snapshots s WHERE s.status = 'READING'))`,
    `CREATE POLICY not_waiting ON screening_staged AS RESTRICTIVE FOR DELETE TO vigia_app USING (snapshot_id NOT IN
       (SELECT s.id FROM screening_snapshots s WHERE s.status IN ('READING', 'AWAITING_CONFIRMATION')))`,
  ];
}
