import { protect } from './protect.js';
import { appendOnly, approved } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

/**
 * A communication is edited before it is filed: each edit is kept with who made it and why, and the content is the draft with
 * all edits one after the other. A wrong draft is dismissed by two people.
 */
export class CoafEdits1764000000082 extends SqlMigration {
  override readonly name = 'CoafEdits1764000000082';
  protected override readonly statements = [
    `ALTER TABLE coaf_communications
       ADD COLUMN revision integer NOT NULL DEFAULT 0,
       DROP CONSTRAINT coaf_communications_status_check,
       ADD CONSTRAINT coaf_communications_status_check CHECK (status IN ('DRAFT', 'RECORDED', 'FILED', 'DISMISSED')),
       DROP CONSTRAINT coaf_communications_recorded,
       ADD CONSTRAINT coaf_communications_recorded CHECK ((status IN ('DRAFT', 'DISMISSED')) = (recorded_by IS NULL)
         AND (recorded_by IS NULL) = (filing_number IS NULL) AND (recorded_by IS NULL) = (sealed_content IS NULL))`,
    // A draft that was dismissed stays so, and is dismissed by two.
    ...approved('coaf_communications', {
      name: 'dismissed',
      acts: ['communication.dismiss'],
      when: `(NEW.status = 'DISMISSED' OR OLD.status = 'DISMISSED') AND NEW.status IS DISTINCT FROM OLD.status`,
      columns: { status: 'status', revision: 'revision' },
    }),
    `CREATE TABLE coaf_edits (
       communication_id uuid NOT NULL,
       revision integer NOT NULL CHECK (revision > 0),
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       edited_by uuid NOT NULL,
       edited_at timestamptz NOT NULL,
       fields text[] NOT NULL,
       sealed bytea NOT NULL,
       PRIMARY KEY (communication_id, revision, organisation_id),
       FOREIGN KEY (communication_id, organisation_id) REFERENCES coaf_communications,
       FOREIGN KEY (edited_by, organisation_id) REFERENCES operators
     )`,
    ...appendOnly('coaf_edits'),
    ...protect('coaf_edits'),
    `GRANT SELECT, INSERT ON coaf_edits TO vigia_app`,
  ];
}
