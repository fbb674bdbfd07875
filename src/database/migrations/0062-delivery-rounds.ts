import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How often a delivery was begun again by hand or by a recovery: 0 says that its trail is still empty. */
export class DeliveryRounds1763600000062 implements MigrationInterface {
  name = 'DeliveryRounds1763600000062';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_deliveries ADD COLUMN rounds integer NOT NULL DEFAULT 0');
    await runner.query('UPDATE webhook_deliveries SET rounds = 1 WHERE base_attempts > 0');
  }

  async down(): Promise<void> {
    throw new Error('Rounds of deliveries are not undone. Restore a backup.');
  }
}
