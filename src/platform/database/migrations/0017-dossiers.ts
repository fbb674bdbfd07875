import { protect } from './protect.js';
import { audited } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Communications to COAF: one for each case that was decided so, and one for each operation in cash that a norm wants
 * reported by itself. The content is frozen, sealed under the key of the person, once it was recorded as filed; until then it
 * is read from the transactions whenever somebody looks.
 */
export class Dossiers1764000000017 extends SqlMigration {
  override readonly name = 'Dossiers1764000000017';
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
       status text NOT NULL DEFAULT 'DRAFT' CHECK (status IN ('DRAFT', 'RECORDED', 'FILED')),
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
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (customer_id, organisation_id) REFERENCES customers,
       FOREIGN KEY (recorded_by, organisation_id) REFERENCES operators,
       FOREIGN KEY (confirmed_by, organisation_id) REFERENCES operators,
       CONSTRAINT coaf_communications_about
         CHECK (CASE kind WHEN 'SUSPICION' THEN review_id IS NOT NULL ELSE transaction_ref IS NOT NULL END),
       CONSTRAINT coaf_communications_recorded CHECK ((status = 'DRAFT') = (recorded_by IS NULL)
         AND (recorded_by IS NULL) = (filing_number IS NULL) AND (recorded_by IS NULL) = (sealed_content IS NULL)),
       CONSTRAINT coaf_communications_four_eyes CHECK (confirmed_by IS NULL OR confirmed_by <> recorded_by),
       CONSTRAINT coaf_communications_filed CHECK ((status = 'FILED') = (confirmed_at IS NOT NULL))
     )`,
    // One for each operation and for each case, however often a job comes.
    `CREATE UNIQUE INDEX coaf_communications_cash ON coaf_communications (transaction_ref, organisation_id) WHERE kind = 'CASH'`,
    `CREATE UNIQUE INDEX coaf_communications_review ON coaf_communications (review_id, organisation_id) WHERE kind = 'SUSPICION'`,
    `CREATE INDEX coaf_communications_page ON coaf_communications (organisation_id, id)`,
    `CREATE INDEX coaf_communications_customer ON coaf_communications (organisation_id, customer_id, id)`,
    ...audited('coaf_communications', { subject: 'communication', state: ['status'] }),
    ...['coaf_institutions', 'coaf_communications'].flatMap((table) => protect(table)),
    `GRANT SELECT, INSERT, UPDATE ON coaf_institutions, coaf_communications TO vigia_app`,
  ];
}
