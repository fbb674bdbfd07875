import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The first schema. Written by hand: grants, append-only triggers and storage parameters are part of the design,
 * and no generator knows them.
 *
 * - `vigia_app` is a group role that owns nothing. What it may do to a table is what the product promises:
 *   transactions, evaluations, events and audit entries can be inserted and read, never changed.
 * - Wide rows are insert-only; what moves (a lease, an attempt counter) lives in the narrow `kyt_work` row, which is
 *   deleted when the transaction is evaluated. A transaction has a work row or an evaluation, never neither.
 * - Keys are UUIDv7: a random key costs twenty times the WAL of a sequential one.
 */
export class Foundation1763600000001 implements MigrationInterface {
  name = 'Foundation1763600000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error(
      'The first migration holds transactions and their audit trail; it is not undone. Restore a backup.',
    );
  }
}

const statements = [
  // Concurrent migrations of several databases of one cluster may race for the cluster-wide role.
  `DO $$ BEGIN
     -- Asked first: an administrator may have made it, and the owner of the schema need not be allowed to.
     IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'vigia_app') THEN CREATE ROLE vigia_app NOLOGIN; END IF;
   EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
   END $$`,
  `GRANT USAGE ON SCHEMA public TO vigia_app`,
  `GRANT SELECT ON schema_migrations TO vigia_app`,

  `CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     RAISE EXCEPTION '% on % is refused: the table is append-only', TG_OP, TG_TABLE_NAME
       USING ERRCODE = 'restrict_violation';
   END $$`,

  // A UUID that begins like `base`, so that keys made in SQL are as sequential as those made by the service
  // (PostgreSQL has uuidv7() from 18 on only), and is otherwise random; the same two give the same one.
  `CREATE FUNCTION time_ordered_uuid(base uuid, salt uuid) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
     SELECT (left(base::text, 19) || 'a' || substr(m, 1, 3) || '-' || substr(m, 4, 12))::uuid
     FROM md5(base::text || salt::text) AS m
   $$`,

  // --- auth ------------------------------------------------------------------------------------------------
  `CREATE TABLE organisations (
     id uuid PRIMARY KEY,
     key text NOT NULL UNIQUE,
     name text NOT NULL,
     created_at timestamptz NOT NULL DEFAULT clock_timestamp()
   )`,
  `CREATE TABLE client_apps (
     id uuid PRIMARY KEY,
     organisation_id uuid NOT NULL REFERENCES organisations (id),
     client_id text NOT NULL UNIQUE,
     environment text NOT NULL CHECK (environment IN ('sandbox', 'staging', 'production')),
     name text NOT NULL,
     public_name text NOT NULL,
     logo_url text,
     primary_color text CHECK (primary_color ~ '^#[0-9a-fA-F]{6}$'),
     status text NOT NULL DEFAULT 'ENABLED' CHECK (status IN ('ENABLED', 'DISABLED')),
     scopes text[] NOT NULL,
     ip_allow_list text[] NOT NULL DEFAULT '{}',
     rate_limit_per_second integer NOT NULL CHECK (rate_limit_per_second > 0),
     rate_limit_burst integer NOT NULL CHECK (rate_limit_burst > 0),
     created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
   )`,
  `CREATE TABLE client_secrets (
     id uuid PRIMARY KEY,
     client_app_id uuid NOT NULL REFERENCES client_apps (id),
     hash bytea NOT NULL,
     created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     expires_at timestamptz,
     revoked_at timestamptz
   )`,
  `CREATE INDEX client_secrets_app ON client_secrets (client_app_id)`,

  // --- privacy ---------------------------------------------------------------------------------------------
  `CREATE TABLE subject_keys (
     id uuid PRIMARY KEY,
     organisation_id uuid NOT NULL REFERENCES organisations (id),
     subject_index bytea NOT NULL,
     generation integer NOT NULL DEFAULT 1,
     ring_key_id text NOT NULL,
     wrapped_key bytea,
     created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     erase_requested_at timestamptz,
     destroyed_at timestamptz,
     CONSTRAINT subject_keys_subject UNIQUE (organisation_id, subject_index, generation),
     CONSTRAINT subject_keys_destroyed CHECK ((destroyed_at IS NULL) = (wrapped_key IS NOT NULL))
   )`,

  // --- audit -----------------------------------------------------------------------------------------------
  `CREATE TABLE audit_entries (
     organisation_id uuid NOT NULL,
     subject_type text NOT NULL,
     subject_id text NOT NULL,
     subject_seq integer NOT NULL CHECK (subject_seq > 0),
     action text NOT NULL,
     canonical bytea NOT NULL,
     hash bytea GENERATED ALWAYS AS (sha256('\\x00'::bytea || canonical)) STORED,
     previous_hash bytea,
     recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     PRIMARY KEY (organisation_id, subject_type, subject_id, subject_seq),
     CONSTRAINT audit_entries_chain CHECK ((subject_seq = 1) = (previous_hash IS NULL))
   )`,
  `CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE ON audit_entries
     FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
  `CREATE TRIGGER audit_entries_no_truncate BEFORE TRUNCATE ON audit_entries
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
  // ALWAYS: also under session_replication_role = replica, which disables ordinary triggers.
  `ALTER TABLE audit_entries ENABLE ALWAYS TRIGGER audit_entries_append_only`,
  `ALTER TABLE audit_entries ENABLE ALWAYS TRIGGER audit_entries_no_truncate`,

  // --- queue -----------------------------------------------------------------------------------------------
  `CREATE TABLE outbox (
     id uuid PRIMARY KEY,
     queue text NOT NULL,
     payload jsonb NOT NULL,
     created_at timestamptz NOT NULL DEFAULT clock_timestamp()
   )`,
  `CREATE TABLE queue_epoch (
     singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
     epoch text NOT NULL,
     set_at timestamptz NOT NULL DEFAULT clock_timestamp()
   )`,

  // --- webhooks --------------------------------------------------------------------------------------------
  `CREATE TABLE events (
     id uuid PRIMARY KEY,
     organisation_id uuid NOT NULL,
     client_app_id uuid NOT NULL,
     type text NOT NULL,
     resource_type text NOT NULL,
     resource_id uuid NOT NULL,
     sequence integer NOT NULL CHECK (sequence > 0),
     sealed_payload bytea NOT NULL,
     traceparent text,
     created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     CONSTRAINT events_sequence UNIQUE (resource_id, sequence)
   )`,
  `CREATE TABLE webhook_endpoints (
     id uuid PRIMARY KEY,
     organisation_id uuid NOT NULL REFERENCES organisations (id),
     client_app_id uuid NOT NULL REFERENCES client_apps (id),
     url text NOT NULL,
     event_types text[] NOT NULL,
     status text NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('ACTIVE', 'PAUSED', 'DISABLED')),
     status_reason text,
     sealed_secret bytea NOT NULL,
     previous_sealed_secret bytea,
     previous_secret_expires_at timestamptz,
     created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
   )`,
  `CREATE INDEX webhook_endpoints_app ON webhook_endpoints (client_app_id)`,
  `CREATE TABLE webhook_deliveries (
     id uuid PRIMARY KEY,
     organisation_id uuid NOT NULL,
     event_id uuid NOT NULL,
     endpoint_id uuid NOT NULL REFERENCES webhook_endpoints (id),
     status text NOT NULL DEFAULT 'PENDING'
       CHECK (status IN ('PENDING', 'SENDING', 'DELIVERED', 'EXHAUSTED', 'CANCELLED')),
     attempts integer NOT NULL DEFAULT 0,
     fence integer NOT NULL DEFAULT 0,
     due_at timestamptz NOT NULL,
     wake_at timestamptz NOT NULL,
     lease_owner text,
     last_status_code integer,
     last_error text,
     created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     finished_at timestamptz,
     CONSTRAINT webhook_deliveries_once UNIQUE (event_id, endpoint_id)
   ) WITH (fillfactor = 70)`,
  // due_at: nobody may send before; wake_at: when the reconciler hints again. By endpoint, so that the backlog of one
  // dead receiver is not in the way of the others.
  `CREATE INDEX webhook_deliveries_wake ON webhook_deliveries (endpoint_id, wake_at)
     WHERE status IN ('PENDING', 'SENDING')`,
  `CREATE TABLE webhook_attempts (
     delivery_id uuid NOT NULL REFERENCES webhook_deliveries (id),
     attempt integer NOT NULL,
     started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     duration_ms integer NOT NULL,
     status_code integer,
     error_code text,
     response_excerpt text,
     PRIMARY KEY (delivery_id, attempt)
   )`,

  // --- rules -----------------------------------------------------------------------------------------------
  `CREATE TABLE rulesets (
     id uuid PRIMARY KEY,
     organisation_id uuid NOT NULL REFERENCES organisations (id),
     key text NOT NULL,
     version integer NOT NULL CHECK (version > 0),
     status text NOT NULL CHECK (status IN ('DRAFT', 'PUBLISHED', 'ARCHIVED')),
     content jsonb NOT NULL,
     content_hash bytea NOT NULL,
     created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     published_at timestamptz,
     CONSTRAINT rulesets_version UNIQUE (organisation_id, key, version)
   )`,
  `CREATE UNIQUE INDEX rulesets_one_live ON rulesets (organisation_id, key) WHERE status = 'PUBLISHED'`,

  // --- kyt -------------------------------------------------------------------------------------------------
  `CREATE TABLE kyt_transactions (
     id uuid PRIMARY KEY,
     seq bigint GENERATED ALWAYS AS IDENTITY,
     organisation_id uuid NOT NULL,
     client_app_id uuid NOT NULL,
     transaction_id text NOT NULL,
     source text NOT NULL CHECK (source IN ('INGEST', 'LEGACY')),
     type text NOT NULL,
     channel text NOT NULL,
     amount numeric NOT NULL CHECK (amount > 0),
     currency text NOT NULL,
     direction text CHECK (direction IN ('IN', 'OUT')),
     direction_source text NOT NULL,
     occurred_at timestamptz NOT NULL,
     received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     fingerprint bytea NOT NULL,
     document_key bytea,
     customer_key bytea,
     account_key bytea,
     device_key bytea,
     ip_key bytea,
     counterparty_key bytea,
     sealed_body bytea NOT NULL,
     warnings text[],
     request_id text NOT NULL,
     correlation_id text NOT NULL,
     traceparent text,
     trail_hash bytea NOT NULL,
     CONSTRAINT kyt_transactions_once UNIQUE (client_app_id, transaction_id)
   )`,
  `CREATE INDEX kyt_transactions_customer ON kyt_transactions (organisation_id, customer_key, occurred_at DESC)
     INCLUDE (seq, amount) WHERE customer_key IS NOT NULL`,
  // Half-filled pages: the claim updates the row in place (HOT), and rows live for milliseconds.
  `CREATE TABLE kyt_work (
     transaction_ref uuid PRIMARY KEY,
     organisation_id uuid NOT NULL,
     status text NOT NULL DEFAULT 'QUEUED' CHECK (status IN ('QUEUED', 'PROCESSING', 'DEAD_LETTERED')),
     attempts integer NOT NULL DEFAULT 0,
     fence integer NOT NULL DEFAULT 0,
     generation integer NOT NULL DEFAULT 1,
     due_at timestamptz NOT NULL,
     lease_owner text,
     failure_code text,
     failure_stage text,
     queued_at timestamptz NOT NULL DEFAULT clock_timestamp()
   ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000)`,
  `CREATE TABLE kyt_evaluations (
     transaction_ref uuid NOT NULL,
     evaluation_version integer NOT NULL CHECK (evaluation_version > 0),
     organisation_id uuid NOT NULL,
     outcome text NOT NULL CHECK (outcome IN ('APPROVED', 'REVIEW', 'REJECTED')),
     recommended_action text NOT NULL CHECK (recommended_action IN ('NONE', 'STEP_UP', 'HOLD', 'DECLINE')),
     risk_score integer CHECK (risk_score BETWEEN 0 AND 100),
     risk_level text CHECK (risk_level IN ('LOW', 'MEDIUM', 'HIGH', 'CRITICAL')),
     composition text NOT NULL CHECK (composition IN ('COMPLETE', 'PARTIAL', 'MISSING', 'INCONSISTENT')),
     defensible boolean NOT NULL,
     ruleset_id uuid,
     receipt text NOT NULL,
     receipt_hash bytea NOT NULL,
     trail_hash bytea NOT NULL,
     evaluated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     PRIMARY KEY (transaction_ref, evaluation_version),
     CONSTRAINT kyt_evaluations_approval CHECK (outcome <> 'APPROVED' OR defensible)
   )`,
  // ALWAYS, as for the audit entries: also under session_replication_role = replica.
  ...['kyt_transactions', 'kyt_evaluations', 'events'].flatMap((table) => [
    `CREATE TRIGGER ${table}_insert_only BEFORE UPDATE OR DELETE ON ${table}
       FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
    `CREATE TRIGGER ${table}_no_truncate BEFORE TRUNCATE ON ${table}
       FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
    `ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${table}_insert_only`,
    `ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${table}_no_truncate`,
  ]),

  // --- what the service may do -------------------------------------------------------------------------------
  `GRANT SELECT, INSERT, UPDATE ON organisations, client_apps, client_secrets, subject_keys, rulesets,
     webhook_endpoints, webhook_deliveries, queue_epoch TO vigia_app`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON outbox, kyt_work TO vigia_app`,
  `GRANT SELECT, INSERT ON audit_entries, events, webhook_attempts, kyt_transactions, kyt_evaluations TO vigia_app`,
];
