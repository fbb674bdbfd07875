import { protect } from './protect.js';
import { appendOnly } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Where the page may lead people when a session is sent, and logos that are served from here: re-encoded pictures by the hash
 * of their content.
 */
export class ClientAppsAddBranding1764000000254 extends SqlMigration {
  override readonly name = 'ClientAppsAddBranding1764000000254';
  protected override readonly statements = [
    `ALTER TABLE client_apps
       ADD COLUMN redirect_urls text[] NOT NULL DEFAULT '{}',
       ADD COLUMN logo_hash text CHECK (logo_hash ~ '^[0-9a-f]{64}$')`,
    `CREATE TABLE app_logos (
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       hash text NOT NULL CHECK (hash ~ '^[0-9a-f]{64}$'),
       png bytea NOT NULL,
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       PRIMARY KEY (hash, organisation_id)
     )`,
    ...appendOnly('app_logos'),
    ...protect('app_logos'),
    `GRANT SELECT, INSERT ON app_logos TO vigia_app`,
  ];
}
