import { protect } from './protect.js';
import { appendOnly } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Flows, privacy notices, logos, and re-verification intervals.
 *
 * - A flow version is inserted only by an approved request or the command line, and never changes; a session keeps the
 *   version it started with. `flow_drafts`: one draft per key, with sample answers.
 * - `privacy_notices`: every version is kept, because sessions refer to it.
 * - `app_logos`: re-encoded images, keyed by content hash.
 * - `reverification_terms`: how often customers are verified again, by risk level.
 */
export class SessionsFlows1765000000024 extends SqlMigration {
  protected override readonly statements = [
    // single_control: one person alone approved the version.
    `CREATE TABLE flows (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       key text NOT NULL CHECK (key ~ '^[a-z0-9][a-z0-9-]{1,62}$'),
       version integer NOT NULL CHECK (version > 0),
       definition jsonb NOT NULL,
       content_hash bytea NOT NULL,
       created_by text NOT NULL,
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       single_control boolean NOT NULL DEFAULT false,
       PRIMARY KEY (id, organisation_id),
       CONSTRAINT flows_version UNIQUE (organisation_id, key, version)
     )`,
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
    `CREATE TABLE privacy_notices (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       version integer NOT NULL CHECK (version > 0),
       content jsonb NOT NULL,
       created_by text NOT NULL,
       created_at timestamptz NOT NULL,
       PRIMARY KEY (id, organisation_id),
       CONSTRAINT privacy_notices_version UNIQUE (organisation_id, version)
     )`,
    `CREATE TABLE app_logos (
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       hash text NOT NULL CHECK (hash ~ '^[0-9a-f]{64}$'),
       png bytea NOT NULL,
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       PRIMARY KEY (hash, organisation_id)
     )`,
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
    ...['privacy_notices', 'app_logos'].flatMap((table) => appendOnly(table)),
    ...protect('flows', 'flow_drafts', 'privacy_notices', 'app_logos', 'reverification_terms'),
    `GRANT SELECT, INSERT ON flows, privacy_notices, app_logos TO vigia_app`,
    `GRANT SELECT, INSERT, UPDATE ON reverification_terms TO vigia_app`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON flow_drafts TO vigia_app`,
  ];
}
