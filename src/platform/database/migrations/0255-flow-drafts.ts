import { protect } from './protect.js';
import { audited } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

/**
 * A flow is written as a draft, one for each key, with answers to try it on; what is published is a version as before. Which
 * step of a session was shown when, and done when, gives the funnel of a flow.
 */
export class FlowDrafts1764000000255 extends SqlMigration {
  override readonly name = 'FlowDrafts1764000000255';
  protected override readonly statements = [
    `CREATE TABLE flow_drafts (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       key text NOT NULL CHECK (key ~ '^[a-z0-9][a-z0-9-]{1,62}$'),
       definition jsonb NOT NULL,
       sample jsonb NOT NULL DEFAULT '{}',
       revision integer NOT NULL DEFAULT 1,
       author text NOT NULL,
       updated_at timestamptz NOT NULL,
       PRIMARY KEY (id, organisation_id),
       CONSTRAINT flow_drafts_key UNIQUE (organisation_id, key)
     )`,
    ...audited('flow_drafts', { subject: 'flow_draft', state: ['revision'] }),
    `CREATE TABLE kyc_step_visits (
       session_id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       step_id text NOT NULL,
       flow_key text NOT NULL,
       flow_version integer NOT NULL,
       shown_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       done_at timestamptz,
       tries integer NOT NULL DEFAULT 0,
       PRIMARY KEY (session_id, step_id, organisation_id),
       FOREIGN KEY (session_id, organisation_id) REFERENCES kyc_sessions
     )`,
    `CREATE INDEX kyc_step_visits_flow ON kyc_step_visits (organisation_id, flow_key, flow_version, shown_at)`,
    ...protect('flow_drafts'),
    ...protect('kyc_step_visits'),
    `GRANT SELECT, INSERT, UPDATE, DELETE ON flow_drafts TO vigia_app`,
    `GRANT SELECT, INSERT, UPDATE ON kyc_step_visits TO vigia_app`,
  ];
}
