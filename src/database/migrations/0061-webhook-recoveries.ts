import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Bounds of recoveries: where one began, and by which position everything of a minute had begun. */
export class WebhookRecoveries1763600000061 implements MigrationInterface {
  name = 'WebhookRecoveries1763600000061';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Recoveries are not undone. Restore a backup.');
  }
}

const statements = [
  // Events from this position on were made after that time.
  `ALTER TABLE event_marks ADD COLUMN top bigint NOT NULL DEFAULT 9223372036854775807`,
  `ALTER TABLE webhook_recoveries ADD COLUMN start_position bigint NOT NULL DEFAULT 0`,
  // It looks at the events of all: as the owner, whom row-level security binds too.
  `CREATE OR REPLACE FUNCTION continue_event_feed() RETURNS void LANGUAGE plpgsql AS $$
   BEGIN
     PERFORM set_config('vigia.system', 'event-feed', true);
     UPDATE event_feed f
     SET cluster = c.system_identifier,
         base = greatest(0, 1 + (SELECT coalesce(max(position), 0) FROM events) - pg_current_xact_id()::text::bigint)
     FROM pg_control_system() AS c WHERE f.cluster <> c.system_identifier;
   END $$`,
];
