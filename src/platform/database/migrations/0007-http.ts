import { protect } from './protect.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Answers to creating requests that came with an `Idempotency-Key`, for a day. Neither the key nor the submitted body is
 * stored, only an HMAC that tells them apart; the answer is sealed, since it may hold a secret shown once.
 */
export class Http1764000000007 extends SqlMigration {
  override readonly name = 'Http1764000000007';
  protected override readonly statements = [
    // effective: a transaction of the request has committed, so that it must never run again.
    `CREATE TABLE idempotency_keys (
       slot bytea NOT NULL,
       organisation_id uuid NOT NULL,
       route text NOT NULL,
       fingerprint bytea NOT NULL,
       fence integer NOT NULL DEFAULT 1,
       lease_until timestamptz NOT NULL,
       effective boolean NOT NULL DEFAULT false,
       sealed_answer bytea,
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       expires_at timestamptz NOT NULL,
       PRIMARY KEY (slot, organisation_id)
     )`,
    `CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at)`,
    ...protect('idempotency_keys'),
    `GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys TO vigia_app`,
  ];
}
