import { protect } from './protect.js';
import { audited } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

/**
 * When a customer was verified last, through which session, and until when the document is good; and how often an
 * organisation verifies its customers again, by their level of risk.
 */
export class CustomerVerifications1764000000256 extends SqlMigration {
  override readonly name = 'CustomerVerifications1764000000256';
  protected override readonly statements = [
    `CREATE TABLE customer_verifications (
       customer_id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       session_id uuid NOT NULL,
       verified_at timestamptz NOT NULL,
       document_expires_on date,
       asked_session_id uuid,
       PRIMARY KEY (customer_id, organisation_id),
       FOREIGN KEY (customer_id, organisation_id) REFERENCES customers,
       FOREIGN KEY (session_id, organisation_id) REFERENCES kyc_sessions,
       FOREIGN KEY (asked_session_id, organisation_id) REFERENCES kyc_sessions
     )`,
    `CREATE INDEX customer_verifications_due ON customer_verifications (organisation_id, verified_at)
       WHERE asked_session_id IS NULL`,
    `CREATE TABLE reverification_terms (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       flow_key text NOT NULL,
       low_months integer NOT NULL CHECK (low_months BETWEEN 1 AND 120),
       medium_months integer NOT NULL CHECK (medium_months BETWEEN 1 AND 120),
       high_months integer NOT NULL CHECK (high_months BETWEEN 1 AND 120),
       document_days integer NOT NULL CHECK (document_days BETWEEN 0 AND 365),
       enabled boolean NOT NULL,
       changed_by text NOT NULL,
       changed_at timestamptz NOT NULL,
       PRIMARY KEY (id, organisation_id),
       CONSTRAINT reverification_terms_once UNIQUE (organisation_id)
     )`,
    ...audited('reverification_terms', { subject: 'reverification', state: ['changed_at'] }),
    ...protect('customer_verifications'),
    ...protect('reverification_terms'),
    `GRANT SELECT, INSERT, UPDATE ON customer_verifications, reverification_terms TO vigia_app`,
  ];
}
