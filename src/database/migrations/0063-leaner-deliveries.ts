import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protect } from './protect.js';

/**
 * Less work per delivery. A claim changes no indexed column any more, so that PostgreSQL updates the row in place. The
 * foreign keys go: endpoints are never deleted and deliveries neither, and each check locked the same few endpoint rows
 * in every transaction. Attempts name their organisation, so that their policy needs no look-up per row.
 */
export class LeanerDeliveries1763600000063 implements MigrationInterface {
  name = 'LeanerDeliveries1763600000063';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Deliveries are not undone. Restore a backup.');
  }
}

const statements = [
  `DROP INDEX webhook_deliveries_wake`,
  `CREATE INDEX webhook_deliveries_wake ON webhook_deliveries (endpoint_id, wake_at) WHERE finished_at IS NULL`,
  `ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_endpoint_id_fkey`,
  `ALTER TABLE webhook_attempts DROP CONSTRAINT webhook_attempts_delivery_id_fkey`,
  `ALTER TABLE webhook_attempts ADD COLUMN organisation_id uuid`,
  `UPDATE webhook_attempts a SET organisation_id = d.organisation_id FROM webhook_deliveries d WHERE d.id = a.delivery_id`,
  `ALTER TABLE webhook_attempts ALTER COLUMN organisation_id SET NOT NULL`,
  `DROP POLICY own_organisation ON webhook_attempts`,
  ...protect('webhook_attempts'),
];
