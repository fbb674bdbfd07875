import { protect } from './protect.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Who owns and who represents a company, as its session said: what stands about these people counts for the company. A
 * session of a company also keeps whom it named, with the hits about each and the session that each was sent.
 */
export class CustomerRelations1764000000253 extends SqlMigration {
  override readonly name = 'CustomerRelations1764000000253';
  protected override readonly statements = [
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
    `CREATE TABLE kyc_session_people (
       session_id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       place integer NOT NULL,
       round integer NOT NULL,
       step_id text NOT NULL,
       kind text NOT NULL CHECK (kind IN ('OWNER', 'REPRESENTATIVE')),
       customer_id uuid,
       share numeric(5, 2),
       hit_ids uuid[] NOT NULL DEFAULT '{}',
       child_session_id uuid,
       PRIMARY KEY (session_id, round, place, organisation_id),
       FOREIGN KEY (session_id, organisation_id) REFERENCES kyc_sessions,
       FOREIGN KEY (customer_id, organisation_id) REFERENCES customers,
       FOREIGN KEY (child_session_id, organisation_id) REFERENCES kyc_sessions
     )`,
    ...protect('customer_relations'),
    ...protect('kyc_session_people'),
    `GRANT SELECT, INSERT, UPDATE ON customer_relations TO vigia_app`,
    `GRANT SELECT, INSERT ON kyc_session_people TO vigia_app`,
    `ALTER TABLE kyc_sessions DROP CONSTRAINT kyc_sessions_trigger_check,
       ADD CONSTRAINT kyc_sessions_trigger_check CHECK (trigger IN ('OPERATOR', 'STEP_UP', 'API', 'COMPANY', 'REVERIFICATION'))`,
  ];
}
