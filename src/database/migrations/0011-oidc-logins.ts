import type { MigrationInterface, QueryRunner } from 'typeorm';
import { withoutOrganisation } from './protect.js';

/** Logins that have been sent to the identity provider and are not back yet. */
export class OidcLogins1763600000011 implements MigrationInterface {
  name = 'OidcLogins1763600000011';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE operator_oidc_logins');
  }
}

const statements = [
  `CREATE TABLE operator_oidc_logins (
     state_hash bytea PRIMARY KEY,
     browser_hash bytea NOT NULL,
     nonce text NOT NULL,
     code_verifier text NOT NULL,
     cookie_mode boolean NOT NULL,
     expires_at timestamptz NOT NULL
   )`,
  `GRANT SELECT, INSERT, DELETE ON operator_oidc_logins TO vigia_app`,
  ...withoutOrganisation(
    'operator_oidc_logins',
    'who logs in is known only when the identity provider has said so',
  ),
];
