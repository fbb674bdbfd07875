import { SqlMigration } from './sql-migration.js';

// A UUIDv7 begins with its 48 bits of milliseconds.
const BEGAN = `to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)`;

/** `request_log`: requests of one second that differ in nothing but id, duration and size share a row. */
export class RequestLogBundles1765000000043 extends SqlMigration {
  protected override readonly statements = [
    `ALTER TABLE request_log DROP CONSTRAINT request_log_pkey,
       ADD COLUMN second timestamptz, ADD COLUMN ids uuid[], ADD COLUMN durations_ms real[]`,
    `UPDATE request_log SET second = date_trunc('second', ${BEGAN}), ids = ARRAY[id], durations_ms = ARRAY[duration_ms]`,
    `ALTER TABLE request_log DROP COLUMN duration_ms, ALTER COLUMN bytes_in TYPE integer[] USING ARRAY[bytes_in],
       ALTER COLUMN second SET NOT NULL, ALTER COLUMN ids SET NOT NULL, ALTER COLUMN durations_ms SET NOT NULL,
       ALTER COLUMN bytes_in SET NOT NULL,
       ADD PRIMARY KEY (client_app_id, second, id, organisation_id)`,
  ];
}
