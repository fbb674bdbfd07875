import { protect } from './protect.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Answers to creating requests that came with an `Idempotency-Key`, for a day. Neither the key nor the submitted body is
 * stored, only an HMAC that tells them apart; the answer is sealed, since it may hold a secret shown once.
 *
 * The requests of applications in the last thirty days: the shape of each request and how it was answered, never a value.
 * The id is that of the request where the service named it, so that one index serves time and name; names that callers
 * gave have another.
 */
export class Http1765000000011 extends SqlMigration {
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
