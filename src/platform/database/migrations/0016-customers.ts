import { protect } from './protect.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Customers: identification, profile, risk level, legal hold, merge, erasure.
 *
 * `customer_relations`: owners and representatives of a company, as declared in its session. Hits and risk of these
 * people count for the company.
 */
export class Customers1765000000016 extends SqlMigration {
  protected override readonly statements = [
    // risk_single_control: one person alone lowered the current risk level.
    `CREATE TABLE customers (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       client_app_id uuid,
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
       trail_hash bytea NOT NULL,
       risk_level text CHECK (risk_level IN ('LOW', 'MEDIUM', 'HIGH')),
       risk_level_by text CHECK (risk_level_by IN ('SYSTEM', 'OPERATOR')),
       merged_into uuid,
       relationship_ended_on date,
       last_activity_at timestamptz,
       legal_hold_by uuid,
       legal_hold_at timestamptz,
       legal_hold_reason bytea,
       restricted_at timestamptz,
       erased_at timestamptz,
       profile_version integer NOT NULL DEFAULT 1,
       merged_at timestamptz,
       keys_changed_at timestamptz,
       risk_single_control boolean NOT NULL DEFAULT false,
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (client_app_id, organisation_id) REFERENCES client_apps,
       FOREIGN KEY (merged_into, organisation_id) REFERENCES customers,
       FOREIGN KEY (legal_hold_by, organisation_id) REFERENCES operators,
       -- Only a record without a document is merged, into one that has it: so there are no chains.
       CONSTRAINT customers_merge CHECK ((merged_into IS NULL) = (merged_at IS NULL)
         AND (merged_into IS NULL OR document_index IS NULL))
     )`,
    // Encrypted bytes do not compress.
    `ALTER TABLE customers ALTER COLUMN sealed SET STORAGE EXTERNAL`,
    `CREATE UNIQUE INDEX customers_document ON customers (organisation_id, document_index) WHERE document_index IS NOT NULL`,
    `CREATE UNIQUE INDEX customers_external ON customers (organisation_id, external_index) WHERE external_index IS NOT NULL`,
    `CREATE INDEX customers_page ON customers (organisation_id, id)`,
    `CREATE INDEX customers_merged ON customers (merged_into) WHERE merged_into IS NOT NULL`,
    // Every process looks once per second for merged records and changed keys.
    `CREATE INDEX customers_merged_at ON customers (merged_at) WHERE merged_at IS NOT NULL`,
    `CREATE INDEX customers_keys_changed ON customers (keys_changed_at) WHERE keys_changed_at IS NOT NULL`,
    `CREATE TABLE customer_relations (
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       company_id uuid NOT NULL,
       person_id uuid NOT NULL,
       kind text NOT NULL CHECK (kind IN ('OWNER', 'REPRESENTATIVE')),
       share numeric(5, 2) CHECK (share BETWEEN 0 AND 100),
       session_id uuid NOT NULL,
       recorded_at timestamptz NOT NULL,
       ended_at timestamptz,
       PRIMARY KEY (company_id, person_id, kind, organisation_id),
       FOREIGN KEY (company_id, organisation_id) REFERENCES customers,
       FOREIGN KEY (person_id, organisation_id) REFERENCES customers
     )`,
    `CREATE INDEX customer_relations_person ON customer_relations (organisation_id, person_id)`,
    ...protect('customers', 'customer_relations'),
    `GRANT SELECT, INSERT, UPDATE ON customers, customer_relations TO vigia_app`,
  ];
}
