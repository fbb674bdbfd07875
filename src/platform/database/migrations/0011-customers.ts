import { protect } from './protect.js';
import { audited } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

/** Customers: identification, profile, risk level, legal hold, merge, erasure. */
export class Customers1764000000011 extends SqlMigration {
  override readonly name = 'Customers1764000000011';
  protected override readonly statements = [
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
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (client_app_id, organisation_id) REFERENCES client_apps,
       FOREIGN KEY (merged_into, organisation_id) REFERENCES customers,
       FOREIGN KEY (legal_hold_by, organisation_id) REFERENCES operators,
       -- Only a record without a document is merged, into one that has it: so there are no chains.
       CONSTRAINT customers_merge CHECK ((merged_into IS NULL) = (merged_at IS NULL)
         AND (merged_into IS NULL OR document_index IS NULL))
     )`,
    // The cipher text does not compress.
    `ALTER TABLE customers ALTER COLUMN sealed SET STORAGE EXTERNAL`,
    `CREATE UNIQUE INDEX customers_document ON customers (organisation_id, document_index) WHERE document_index IS NOT NULL`,
    `CREATE UNIQUE INDEX customers_external ON customers (organisation_id, external_index) WHERE external_index IS NOT NULL`,
    `CREATE INDEX customers_page ON customers (organisation_id, id)`,
    `CREATE INDEX customers_merged ON customers (merged_into) WHERE merged_into IS NOT NULL`,
    // Every process looks each second for records that were merged or whose key changed.
    `CREATE INDEX customers_merged_at ON customers (merged_at) WHERE merged_at IS NOT NULL`,
    `CREATE INDEX customers_keys_changed ON customers (keys_changed_at) WHERE keys_changed_at IS NOT NULL`,
    ...audited('customers', {
      subject: 'customer',
      state: [
        'risk_level',
        'relationship_ended_on',
        'legal_hold_at',
        'restricted_at',
        'erased_at',
        'merged_into',
      ],
    }),
    ...protect('customers'),
    `GRANT SELECT, INSERT, UPDATE ON customers TO vigia_app`,
  ];
}
