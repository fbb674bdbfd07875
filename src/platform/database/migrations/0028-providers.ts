import { protect } from './protect.js';
import { appendOnly } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

/**
 * The providers of an organisation, identified by name. A version never changes, and an enabled version needs an
 * approved request. Responses are kept until the session has its result; calls and cost are counted per day.
 */
export class Providers1765000000028 extends SqlMigration {
  protected override readonly statements = [
    `CREATE TABLE check_providers (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       name text NOT NULL CHECK (name ~ '^[a-z0-9][a-z0-9-]{1,39}$'),
       version integer NOT NULL CHECK (version > 0),
       checks text[] NOT NULL CHECK (cardinality(checks) > 0),
       url text NOT NULL,
       timeout_ms integer NOT NULL CHECK (timeout_ms > 0),
       cost_micros integer NOT NULL CHECK (cost_micros >= 0),
       rank integer NOT NULL,
       enabled boolean NOT NULL,
       secret_generation integer NOT NULL,
       content_hash bytea NOT NULL,
       created_by text NOT NULL,
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       single_control boolean NOT NULL DEFAULT false,
       PRIMARY KEY (id, organisation_id),
       CONSTRAINT check_providers_version UNIQUE (organisation_id, name, version)
     )`,
    `CREATE TABLE provider_answers (
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       session_id uuid NOT NULL,
       round integer NOT NULL,
       kind text NOT NULL,
       provider text NOT NULL,
       sealed bytea NOT NULL,
       answered_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       PRIMARY KEY (session_id, round, kind, provider, organisation_id),
       FOREIGN KEY (session_id, organisation_id) REFERENCES kyc_sessions
     )`,
    `CREATE TABLE provider_usage (
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       provider text NOT NULL,
       day date NOT NULL,
       calls integer NOT NULL DEFAULT 0,
       failures integer NOT NULL DEFAULT 0,
       failures_in_row integer NOT NULL DEFAULT 0,
       cost_micros bigint NOT NULL DEFAULT 0,
       total_ms bigint NOT NULL DEFAULT 0,
       last_failure text,
       last_failure_at timestamptz,
       last_answer_at timestamptz,
       PRIMARY KEY (organisation_id, provider, day)
     )`,
    ...appendOnly('check_providers'),
    ...protect('check_providers', 'provider_answers', 'provider_usage'),
    `GRANT SELECT, INSERT ON check_providers, provider_answers TO vigia_app`,
    `GRANT SELECT, INSERT, UPDATE ON provider_usage TO vigia_app`,
  ];
}
