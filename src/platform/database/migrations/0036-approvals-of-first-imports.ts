import { SqlMigration } from './sql-migration.js';

/**
 * Also the import that begins a list of sanctions or of politically exposed persons is published by two people: from then
 * on a party that stands on none of them is on no list.
 */
export class ApprovalsOfFirstImports1764000000036 extends SqlMigration {
  override readonly name = 'ApprovalsOfFirstImports1764000000036';
  protected override readonly statements = [
    `CREATE OR REPLACE FUNCTION require_confirmation() RETURNS trigger LANGUAGE plpgsql AS $$
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
       IF (list.kind = 'ALLOWLIST' AND came > 0) OR (list.kind IN ('SANCTIONS', 'PEP') AND had = 0 AND came > 0)
          OR (list.kind <> 'ALLOWLIST' AND (gone + lately) * 5 > had + lately) THEN
         RAISE EXCEPTION 'an import weakens its list without an approved request' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NULL;
     END $$`,
  ];
}
