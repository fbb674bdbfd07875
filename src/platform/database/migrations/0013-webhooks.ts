import { protect, withoutOrganisation } from './protect.js';
import { appendOnly } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Events, endpoints, deliveries with their attempts and statistics, recoveries that survive a restart, and the order of
 * events for the pull feed.
 *
 * - `events.position` is the id of the database transaction that wrote the event, counted from `event_feed.base`. All
 *   ids below `pg_snapshot_xmin` belong to transactions that have ended, so a late commit can never add an event behind
 *   a reader that stops there. A sequence, or a UUID made before the commit, gives no such guarantee.
 * - `event_incarnations`: one row per incarnation of the feed. A restored database counts its transactions again, so a
 *   position alone does not identify an event; a cursor also names the incarnation. Positions below `point` are the
 *   same in the incarnation before.
 * - A claim of a delivery changes no indexed column, so PostgreSQL updates the row in place. Deliveries and attempts
 *   have no foreign keys: endpoints and deliveries are never deleted, and each check would lock the same few endpoint
 *   rows in every transaction. The id of a delivery is computed from its event and its endpoint (`time_ordered_uuid`),
 *   so the primary key alone keeps each pair unique and finds it.
 */
export class Webhooks1765000000013 extends SqlMigration {
  protected override readonly statements = [
    // The index of the sequence leaves room for the event of the evaluation, as in `audit_entries`. Rows up to half a
    // page are not compressed: compressing them costs more than it saves. The encrypted payload does not compress
    // anyway.
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
       position bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
       CONSTRAINT events_sequence UNIQUE (resource_id, sequence) WITH (fillfactor = 45)
     ) WITH (toast_tuple_target = 4080)`,
    `ALTER TABLE events ALTER COLUMN sealed_payload SET STORAGE EXTERNAL`,
    `CREATE INDEX events_feed ON events (client_app_id, position, id)`,
    // Events in the order of the feed without the two types that every transaction has: for lists of operators.
    `CREATE INDEX events_other ON events (client_app_id, type, position, id)
       WHERE type NOT IN ('kyt.transaction.queued', 'kyt.transaction.pipeline.completed')`,
    ...appendOnly('events', 'insert_only'),
    `CREATE TABLE event_feed (
       singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
       base bigint NOT NULL,
       cluster bigint NOT NULL
     )`,
    `INSERT INTO event_feed (base, cluster) SELECT 0, system_identifier FROM pg_control_system()`,
    // In a dump restored into another cluster transaction ids begin again, so positions continue above the stored ones.
    // Runs as the owner, to whom row-level security applies too, and reads the events of all organisations.
    `CREATE FUNCTION continue_event_feed() RETURNS void LANGUAGE plpgsql AS $$
     BEGIN
       PERFORM set_config('vigia.system', 'event-feed', true);
       UPDATE event_feed f
       SET cluster = c.system_identifier,
           base = greatest(0, 1 + (SELECT coalesce(max(position), 0) FROM events) - pg_current_xact_id()::text::bigint)
       FROM pg_control_system() AS c WHERE f.cluster <> c.system_identifier;
     END $$`,
    `CREATE TABLE event_incarnations (
       number integer PRIMARY KEY CHECK (number > 0),
       identity text NOT NULL,
       point bigint NOT NULL,
       reason text NOT NULL CHECK (reason IN ('FIRST', 'RESTORED', 'REWOUND')),
       noticed_at timestamptz NOT NULL DEFAULT clock_timestamp()
     )`,
    ...appendOnly('event_incarnations', 'insert_only'),
    // One row per minute: events below `position` were made before its time, events from `top` on after it. The feed
    // uses the rows to find a time.
    `CREATE TABLE event_marks (
       at timestamptz PRIMARY KEY DEFAULT clock_timestamp(),
       position bigint NOT NULL,
       top bigint NOT NULL DEFAULT 9223372036854775807
     )`,
    // Up to four older secrets sign in addition to the current one, each until it expires, newest first.
    `CREATE TABLE webhook_endpoints (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       client_app_id uuid NOT NULL,
       url text NOT NULL,
       event_types text[] NOT NULL,
       status text NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('ACTIVE', 'PAUSED', 'DISABLED')),
       status_reason text,
       sealed_secret bytea NOT NULL,
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       description text,
       ordering text NOT NULL DEFAULT 'none' CHECK (ordering IN ('none', 'per_resource')),
       failing_since timestamptz,
       last_failure_at timestamptz,
       held_until timestamptz,
       deleted_at timestamptz,
       older_sealed_secrets bytea[] NOT NULL DEFAULT '{}',
       older_secrets_expire_at timestamptz[] NOT NULL DEFAULT '{}',
       PRIMARY KEY (id, organisation_id),
       CONSTRAINT webhook_endpoints_own_app
         FOREIGN KEY (client_app_id, organisation_id) REFERENCES client_apps,
       CONSTRAINT webhook_endpoints_older_secrets CHECK (
         cardinality(older_sealed_secrets) = cardinality(older_secrets_expire_at) AND cardinality(older_sealed_secrets) <= 4)
     )`,
    `CREATE INDEX webhook_endpoints_app ON webhook_endpoints (client_app_id)`,
    `CREATE INDEX webhook_endpoints_organisation ON webhook_endpoints (organisation_id, id)`,
    // base_attempts: the attempts made before the current round of the retry schedule; a manual retry or a recovery
    // begins a new round. rounds: the number of these; at 0 the audit trail of the delivery is still empty.
    `CREATE TABLE webhook_deliveries (
       id uuid PRIMARY KEY,
       organisation_id uuid NOT NULL,
       event_id uuid NOT NULL,
       endpoint_id uuid NOT NULL,
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
       base_attempts integer NOT NULL DEFAULT 0,
       rounds integer NOT NULL DEFAULT 0
     ) WITH (fillfactor = 70)`,
    // due_at: no attempt before this time. wake_at: when the reconciler announces the delivery again. The index begins
    // with the endpoint, so that the backlog of an unreachable endpoint does not slow the others.
    `CREATE INDEX webhook_deliveries_wake ON webhook_deliveries (endpoint_id, wake_at) WHERE finished_at IS NULL`,
    `CREATE INDEX webhook_deliveries_log ON webhook_deliveries (endpoint_id, id)`,
    // Failed deliveries. No index holds their status, so that a claim changes it in place.
    `CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (endpoint_id, id)
       WHERE finished_at IS NOT NULL AND last_error IS NOT NULL`,
    `CREATE TABLE webhook_attempts (
       delivery_id uuid NOT NULL,
       attempt integer NOT NULL,
       started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       duration_ms integer NOT NULL,
       status_code integer,
       error_code text,
       response_excerpt text,
       organisation_id uuid NOT NULL,
       PRIMARY KEY (delivery_id, attempt)
     )`,
    // Finds responses of receivers older than 30 days, which the service deletes; the attempts stay.
    `CREATE INDEX webhook_attempts_answers ON webhook_attempts (started_at) WHERE response_excerpt IS NOT NULL`,
    `CREATE TABLE webhook_endpoint_hours (
       endpoint_id uuid NOT NULL,
       organisation_id uuid NOT NULL,
       hour timestamptz NOT NULL,
       attempts integer NOT NULL DEFAULT 0,
       delivered integer NOT NULL DEFAULT 0,
       failed_attempts integer NOT NULL DEFAULT 0,
       exhausted integer NOT NULL DEFAULT 0,
       cancelled integer NOT NULL DEFAULT 0,
       duration_ms bigint NOT NULL DEFAULT 0,
       slowest_ms integer NOT NULL DEFAULT 0,
       PRIMARY KEY (endpoint_id, hour, organisation_id),
       FOREIGN KEY (endpoint_id, organisation_id) REFERENCES webhook_endpoints
     ) WITH (fillfactor = 50)`,
    `CREATE TABLE webhook_recoveries (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL,
       endpoint_id uuid NOT NULL,
       since timestamptz NOT NULL,
       until timestamptz NOT NULL,
       event_types text[] NOT NULL,
       dry_run boolean NOT NULL,
       status text NOT NULL DEFAULT 'QUEUED' CHECK (status IN ('QUEUED', 'RUNNING', 'COMPLETED', 'CANCELLED')),
       reached_position bigint NOT NULL,
       reached_id uuid NOT NULL,
       stop_position bigint NOT NULL,
       events integer NOT NULL DEFAULT 0,
       recovered integer NOT NULL DEFAULT 0,
       requested_by text NOT NULL,
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       touched_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       finished_at timestamptz,
       start_position bigint NOT NULL DEFAULT 0,
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (endpoint_id, organisation_id) REFERENCES webhook_endpoints
     )`,
    `CREATE INDEX webhook_recoveries_endpoint ON webhook_recoveries (endpoint_id, id)`,
    `CREATE INDEX webhook_recoveries_open ON webhook_recoveries (touched_at) WHERE status IN ('QUEUED', 'RUNNING')`,
    ...protect('events', 'webhook_endpoints', 'webhook_deliveries', 'webhook_attempts'),
    ...protect('webhook_endpoint_hours', 'webhook_recoveries'),
    ...withoutOrganisation('event_feed', 'one value: where positions of events are counted from'),
    ...withoutOrganisation('event_marks', 'which position the feed of all had reached at which minute'),
    ...withoutOrganisation('event_incarnations', 'which lives the feed of all had, and where each began'),
    `GRANT SELECT ON event_feed TO vigia_app`,
    `GRANT SELECT, INSERT ON events, event_incarnations, event_marks, webhook_attempts TO vigia_app`,
    `GRANT UPDATE (response_excerpt) ON webhook_attempts TO vigia_app`,
    `GRANT SELECT, INSERT, UPDATE ON webhook_endpoints, webhook_deliveries, webhook_endpoint_hours, webhook_recoveries
       TO vigia_app`,
  ];
}
