import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protect, withoutOrganisation } from './protect.js';

/**
 * Managed endpoints, their statistics, durable recoveries, and an order of events that a pull feed can follow.
 *
 * `events.position` is the id of the transaction that wrote the event, counted from `event_feed.base`. All ids below
 * `pg_snapshot_xmin` belong to transactions that have ended, so a reader that stops there can never be overtaken by a
 * commit that was late; a number of our own (a sequence, a UUID made before the commit) could not promise that.
 */
export class Webhooks1763600000060 implements MigrationInterface {
  name = 'Webhooks1763600000060';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Deliveries and recoveries are not undone. Restore a backup.');
  }
}

const statements = [
  `CREATE TABLE event_feed (
     singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
     base bigint NOT NULL,
     cluster bigint NOT NULL
   )`,
  `INSERT INTO event_feed (base, cluster) SELECT 0, system_identifier FROM pg_control_system()`,
  `ALTER TABLE events ADD COLUMN position bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint`,
  `CREATE INDEX events_feed ON events (client_app_id, position, id)`,
  // A dump that is restored into another cluster meets transaction ids that begin again: positions go on above them.
  `CREATE FUNCTION continue_event_feed() RETURNS void LANGUAGE sql AS $$
     UPDATE event_feed f
     SET cluster = c.system_identifier,
         base = greatest(0, 1 + (SELECT coalesce(max(position), 0) FROM events) - pg_current_xact_id()::text::bigint)
     FROM pg_control_system() AS c WHERE f.cluster <> c.system_identifier
   $$`,
  // Once a minute: events below this position were made before that time. How a time is found in the feed.
  `CREATE TABLE event_marks (
     at timestamptz PRIMARY KEY DEFAULT clock_timestamp(),
     position bigint NOT NULL
   )`,

  `ALTER TABLE client_apps ADD CONSTRAINT client_apps_organisation UNIQUE (id, organisation_id)`,
  `ALTER TABLE webhook_endpoints
     ADD COLUMN description text,
     ADD COLUMN ordering text NOT NULL DEFAULT 'none' CHECK (ordering IN ('none', 'per_resource')),
     ADD COLUMN failing_since timestamptz,
     ADD COLUMN last_failure_at timestamptz,
     ADD COLUMN held_until timestamptz,
     ADD COLUMN deleted_at timestamptz,
     ADD CONSTRAINT webhook_endpoints_own_app
       FOREIGN KEY (client_app_id, organisation_id) REFERENCES client_apps (id, organisation_id)`,
  `CREATE INDEX webhook_endpoints_organisation ON webhook_endpoints (organisation_id, id)`,

  // Attempts made before the present round of the schedule: a retry or a recovery begins a new one.
  `ALTER TABLE webhook_deliveries ADD COLUMN base_attempts integer NOT NULL DEFAULT 0`,
  `CREATE INDEX webhook_deliveries_log ON webhook_deliveries (endpoint_id, id)`,

  `CREATE TABLE webhook_endpoint_hours (
     endpoint_id uuid NOT NULL REFERENCES webhook_endpoints (id),
     organisation_id uuid NOT NULL,
     hour timestamptz NOT NULL,
     attempts integer NOT NULL DEFAULT 0,
     delivered integer NOT NULL DEFAULT 0,
     failed_attempts integer NOT NULL DEFAULT 0,
     exhausted integer NOT NULL DEFAULT 0,
     cancelled integer NOT NULL DEFAULT 0,
     duration_ms bigint NOT NULL DEFAULT 0,
     slowest_ms integer NOT NULL DEFAULT 0,
     PRIMARY KEY (endpoint_id, hour)
   ) WITH (fillfactor = 50)`,

  `CREATE TABLE webhook_recoveries (
     id uuid PRIMARY KEY,
     organisation_id uuid NOT NULL,
     endpoint_id uuid NOT NULL REFERENCES webhook_endpoints (id),
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
     finished_at timestamptz
   )`,
  `CREATE INDEX webhook_recoveries_endpoint ON webhook_recoveries (endpoint_id, id)`,
  `CREATE INDEX webhook_recoveries_open ON webhook_recoveries (touched_at) WHERE status IN ('QUEUED', 'RUNNING')`,

  `GRANT SELECT, INSERT, UPDATE ON webhook_endpoint_hours, webhook_recoveries TO vigia_app`,
  `GRANT SELECT, INSERT ON event_marks TO vigia_app`,
  `GRANT SELECT ON event_feed TO vigia_app`,
  ...['webhook_endpoint_hours', 'webhook_recoveries'].flatMap((table) => protect(table)),
  ...withoutOrganisation('event_feed', 'one value: where positions of events are counted from'),
  ...withoutOrganisation('event_marks', 'which position the feed of all had reached at which minute'),
];
