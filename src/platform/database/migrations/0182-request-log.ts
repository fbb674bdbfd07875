import { protect } from './protect.js';
import { SqlMigration } from './sql-migration.js';

/**
 * The requests of applications in the last thirty days: the shape of each request and how it was answered, never a value.
 * The id is that of the request where the service named it, so that one index serves time and name; names that callers
 * gave have another.
 */
export class RequestLog1764000000182 extends SqlMigration {
  override readonly name = 'RequestLog1764000000182';
  protected override readonly statements = [
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
    ...protect('request_log'),
    `GRANT SELECT, INSERT, DELETE ON request_log TO vigia_app`,
  ];
}
