import { SqlMigration } from './sql-migration.js';

/**
 * Up to four secrets sign beside the present one, each until its own time, the newest first. The triggers that compare
 * the columns that go are made again when the bindings are installed.
 */
export class WebhookEndpointsOlderSecrets1764000000180 extends SqlMigration {
  override readonly name = 'WebhookEndpointsOlderSecrets1764000000180';
  protected override readonly statements = [
    `ALTER TABLE webhook_endpoints
       ADD COLUMN older_sealed_secrets bytea[] NOT NULL DEFAULT '{}',
       ADD COLUMN older_secrets_expire_at timestamptz[] NOT NULL DEFAULT '{}',
       ADD CONSTRAINT webhook_endpoints_older_secrets CHECK (
         cardinality(older_sealed_secrets) = cardinality(older_secrets_expire_at) AND cardinality(older_sealed_secrets) <= 4)`,
    `UPDATE webhook_endpoints
     SET older_sealed_secrets = ARRAY[previous_sealed_secret], older_secrets_expire_at = ARRAY[previous_secret_expires_at]
     WHERE previous_sealed_secret IS NOT NULL AND previous_secret_expires_at IS NOT NULL`,
    `ALTER TABLE webhook_endpoints DROP COLUMN previous_sealed_secret CASCADE, DROP COLUMN previous_secret_expires_at CASCADE`,
  ];
}
