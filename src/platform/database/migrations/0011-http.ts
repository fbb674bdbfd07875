import { protect } from './protect.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Responses to creating requests with an `Idempotency-Key`, kept for a day. The key and the body are not stored, only
 * an HMAC that identifies them. The response is encrypted, because it may hold a secret that is shown once.
 *
 * The request log of client applications, kept for 30 days: the shape of each request and its status, never a value.
 * The id is the request id if the service generated it, so that one index serves time and id; for a request id from the
 * caller, the row has another id.
 */
export class Http1765000000011 extends SqlMigration {
  protected override readonly statements = [
    // effective: a transaction of the request has committed, so the request must never run again.
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
    `CREATE TABLE request_log (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL,
       client_app_id uuid NOT NULL,
       request_id text,
       correlation_id text,
       method text NOT NULL,
       route text NOT NULL,
       status smallint NOT NULL,
       code text,
       duration_ms real NOT NULL,
       bytes_in integer,
       fields text,
       faults text,
       PRIMARY KEY (client_app_id, id, organisation_id)
     )`,
    `CREATE INDEX request_log_named ON request_log (client_app_id, request_id) WHERE request_id IS NOT NULL`,
    ...protect('idempotency_keys', 'request_log'),
    `GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys TO vigia_app`,
    `GRANT SELECT, INSERT, DELETE ON request_log TO vigia_app`,
  ];
}
