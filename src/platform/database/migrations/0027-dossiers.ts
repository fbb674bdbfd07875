import { protect } from './protect.js';
import { appendOnly } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Communications to COAF: one per case decided to be reported, and one per cash operation that a norm requires to be
 * reported alone. Until a communication is recorded as filed, its content is computed from the transactions at each
 * read, and its edits are applied in order. At filing the content is stored, encrypted under the key of the person, and
 * never changes. Each edit keeps its author and reason. Two people dismiss a wrong draft.
 */
export class Dossiers1765000000027 extends SqlMigration {
  protected override readonly statements = [
    `CREATE TABLE coaf_institutions (
       organisation_id uuid PRIMARY KEY REFERENCES organisations (id),
       tax_id text NOT NULL,
       name text NOT NULL,
       branch_number text,
       branch_name text,
       city text,
       state text,
       updated_at timestamptz NOT NULL
     )`,
    `CREATE TABLE coaf_communications (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       kind text NOT NULL CHECK (kind IN ('SUSPICION', 'CASH')),
       review_id uuid,
       transaction_ref uuid,
       customer_id uuid,
       code integer,
       amount_brl numeric,
       decided_at timestamptz NOT NULL,
       due_at timestamptz NOT NULL,
       status text NOT NULL DEFAULT 'DRAFT' CHECK (status IN ('DRAFT', 'RECORDED', 'FILED', 'DISMISSED')),
       filing_number text,
       acknowledgement text,
       received_at timestamptz,
       recorded_by uuid,
       recorded_at timestamptz,
       confirmed_by uuid,
       confirmed_at timestamptz,
       sealed_content bytea,
       content_hash bytea,
       created_at timestamptz NOT NULL,
       trail_hash bytea NOT NULL,
       approval_id uuid,
       single_control boolean NOT NULL DEFAULT false,
       revision integer NOT NULL DEFAULT 0,
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (customer_id, organisation_id) REFERENCES customers,
       FOREIGN KEY (recorded_by, organisation_id) REFERENCES operators,
       FOREIGN KEY (confirmed_by, organisation_id) REFERENCES operators,
       FOREIGN KEY (approval_id, organisation_id) REFERENCES approvals,
       CONSTRAINT coaf_communications_about
         CHECK (CASE kind WHEN 'SUSPICION' THEN review_id IS NOT NULL ELSE transaction_ref IS NOT NULL END),
       CONSTRAINT coaf_communications_recorded CHECK ((status IN ('DRAFT', 'DISMISSED')) = (recorded_by IS NULL)
         AND (recorded_by IS NULL) = (filing_number IS NULL) AND (recorded_by IS NULL) = (sealed_content IS NULL)),
       CONSTRAINT coaf_communications_four_eyes CHECK
         (confirmed_by IS NULL OR confirmed_by <> recorded_by OR single_control),
       CONSTRAINT coaf_communications_filed CHECK ((status = 'FILED') = (confirmed_at IS NOT NULL))
     )`,
    // One communication per operation and per case, even if the job runs again.
    `CREATE UNIQUE INDEX coaf_communications_cash ON coaf_communications (transaction_ref, organisation_id) WHERE kind = 'CASH'`,
    `CREATE UNIQUE INDEX coaf_communications_review ON coaf_communications (review_id, organisation_id) WHERE kind = 'SUSPICION'`,
    `CREATE INDEX coaf_communications_page ON coaf_communications (organisation_id, id)`,
    `CREATE INDEX coaf_communications_customer ON coaf_communications (organisation_id, customer_id, id)`,
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
    ...protect('coaf_institutions', 'coaf_communications', 'coaf_edits'),
    `GRANT SELECT, INSERT ON coaf_edits TO vigia_app`,
    `GRANT SELECT, INSERT, UPDATE ON coaf_institutions, coaf_communications TO vigia_app`,
  ];
}
