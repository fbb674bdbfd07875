import { SqlMigration } from './sql-migration.js';

/**
 * An operator's import that takes away or changes any entry is published by two people: whoever uploads a file may have
 * left out the one name that they want to be cleared. The command line of the installation is asked from a fifth on.
 */
export class ApprovalsOfListLosses1764000000037 extends SqlMigration {
  override readonly name = 'ApprovalsOfListLosses1764000000037';
  protected override readonly statements = [
    `CREATE OR REPLACE FUNCTION require_confirmation() RETURNS trigger LANGUAGE plpgsql AS $$
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
  ];
}
