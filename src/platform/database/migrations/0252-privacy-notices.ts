import { protect } from './protect.js';
import { appendOnly, audited } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

/** The privacy notice of an organisation for people who are verified: each version is kept, as sessions name theirs. */
export class PrivacyNotices1764000000252 extends SqlMigration {
  override readonly name = 'PrivacyNotices1764000000252';
  protected override readonly statements = [
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
    ...audited('privacy_notices', { subject: 'privacy_notice' }),
    ...appendOnly('privacy_notices'),
    ...protect('privacy_notices'),
    `GRANT SELECT, INSERT ON privacy_notices TO vigia_app`,
  ];
}
