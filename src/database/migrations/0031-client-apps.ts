import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an administrator may say about a client application, and when it and its secrets were last used. */
export class ClientApps1763600000031 implements MigrationInterface {
  name = 'ClientApps1763600000031';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('An application that was revoked has no earlier state. Restore a backup.');
  }
}

const statements = [
  `ALTER TABLE client_apps
     ADD COLUMN cors_origins text[] NOT NULL DEFAULT '{}',
     ADD COLUMN api_version text NOT NULL DEFAULT '2026-11-01',
     ADD COLUMN last_used_at timestamptz,
     DROP CONSTRAINT client_apps_status_check,
     ADD CONSTRAINT client_apps_status_check CHECK (status IN ('ENABLED', 'DISABLED', 'REVOKED'))`,
  `ALTER TABLE client_secrets ADD COLUMN last_used_at timestamptz`,
];
