import { protect, protectBy } from './protect.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Organisations, their client applications and the secrets of these. `redirect_urls`: the allowed targets of the link
 * at the end of a session. `logo_hash`: a logo from `app_logos`, served by this service.
 */
export class Auth1765000000004 extends SqlMigration {
  protected override readonly statements = [
    `CREATE TABLE organisations (
       id uuid PRIMARY KEY,
       key text NOT NULL UNIQUE,
       name text NOT NULL,
       created_at timestamptz NOT NULL DEFAULT clock_timestamp()
     )`,
    ...protectBy('organisations', 'id'),
    `CREATE TABLE client_apps (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       client_id text NOT NULL UNIQUE,
       environment text NOT NULL CHECK (environment IN ('sandbox', 'staging', 'production')),
       name text NOT NULL,
       public_name text NOT NULL,
       logo_url text,
       primary_color text CHECK (primary_color ~ '^#[0-9a-fA-F]{6}$'),
       status text NOT NULL DEFAULT 'ENABLED' CHECK (status IN ('ENABLED', 'DISABLED', 'REVOKED')),
       scopes text[] NOT NULL,
       ip_allow_list text[] NOT NULL DEFAULT '{}',
       rate_limit_per_second integer NOT NULL CHECK (rate_limit_per_second > 0),
       rate_limit_burst integer NOT NULL CHECK (rate_limit_burst > 0),
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       cors_origins text[] NOT NULL DEFAULT '{}',
       api_version text NOT NULL DEFAULT '2026-11-01',
       last_used_at timestamptz,
       redirect_urls text[] NOT NULL DEFAULT '{}',
       logo_hash text CHECK (logo_hash ~ '^[0-9a-f]{64}$'),
       PRIMARY KEY (id, organisation_id)
     )`,
    ...protect('client_apps'),
    `CREATE TABLE client_secrets (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL,
       client_app_id uuid NOT NULL,
       hash bytea NOT NULL,
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       expires_at timestamptz,
       revoked_at timestamptz,
       last_used_at timestamptz,
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (client_app_id, organisation_id) REFERENCES client_apps
     )`,
    `CREATE INDEX client_secrets_app ON client_secrets (client_app_id)`,
    ...protect('client_secrets'),
    `GRANT SELECT, INSERT, UPDATE ON organisations, client_apps, client_secrets TO vigia_app`,
  ];
}
