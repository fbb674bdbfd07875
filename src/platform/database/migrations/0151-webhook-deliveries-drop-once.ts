import { SqlMigration } from './sql-migration.js';

/**
 * The id of a delivery follows from its event and its endpoint (`time_ordered_uuid`), so that the primary key says already
 * that there is one of each pair, and finds it.
 */
export class WebhookDeliveriesDropOnce1764000000151 extends SqlMigration {
  override readonly name = 'WebhookDeliveriesDropOnce1764000000151';
  protected override readonly statements = [
    `ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_once`,
  ];
}
