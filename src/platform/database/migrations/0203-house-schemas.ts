import { protect } from './protect.js';
import { appendOnly, exactly } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

/**
 * The fields of a house: what its metadata means. A version is never changed; the newest one is in force. Each comes by a
 * request that somebody else approved: a change can refuse transactions, or take away what rules rest on.
 *
 * `house_backfills`: values of earlier transactions that are still to be taken from their bodies. What evaluations may
 * rest on changes with it, and so the epoch of the organisation grows.
 */
export class HouseSchemas1764000000203 extends SqlMigration {
  override readonly name = 'HouseSchemas1764000000203';
  protected override readonly statements = [
    `CREATE TABLE house_schemas (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       version integer NOT NULL CHECK (version > 0),
       fields jsonb NOT NULL,
       content_hash bytea NOT NULL,
       created_by text NOT NULL,
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       single_control boolean NOT NULL DEFAULT false,
       PRIMARY KEY (id, organisation_id),
       CONSTRAINT house_schemas_version UNIQUE (organisation_id, version)
     )`,
    ...appendOnly('house_schemas'),
    ...exactly('house_schemas', {
      on: 'INSERT',
      act: 'house.change',
      when: 'true',
      values: { version: 'version', fields: 'fields', content_hash: 'contentHash' },
      request: { single_control: 'single_control' },
    }),
    `CREATE TRIGGER house_schemas_epoch AFTER INSERT ON house_schemas
       FOR EACH ROW EXECUTE FUNCTION advance_ruleset_epoch()`,
    `CREATE TABLE house_backfills (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       schema_version integer NOT NULL,
       fields integer[] NOT NULL CHECK (cardinality(fields) > 0),
       status text NOT NULL DEFAULT 'QUEUED' CHECK (status IN ('QUEUED', 'RUNNING', 'FINISHED', 'FAILED')),
       begins_at timestamptz NOT NULL,
       done bigint NOT NULL DEFAULT 0,
       filled bigint NOT NULL DEFAULT 0,
       unreadable bigint NOT NULL DEFAULT 0,
       total bigint,
       after uuid,
       until uuid,
       attempts integer NOT NULL DEFAULT 0,
       fence integer NOT NULL DEFAULT 0,
       lease_until timestamptz NOT NULL DEFAULT now(),
       failure_code text,
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       started_at timestamptz,
       finished_at timestamptz,
       PRIMARY KEY (id, organisation_id),
       CONSTRAINT house_backfills_finished CHECK ((status IN ('FINISHED', 'FAILED')) = (finished_at IS NOT NULL))
     )`,
    `CREATE INDEX house_backfills_open ON house_backfills (lease_until) WHERE status IN ('QUEUED', 'RUNNING')`,
    `CREATE TRIGGER house_backfills_epoch AFTER INSERT OR UPDATE OF status ON house_backfills
       FOR EACH ROW WHEN (NEW.status IN ('QUEUED', 'FINISHED')) EXECUTE FUNCTION advance_ruleset_epoch()`,
    ...['house_schemas', 'house_backfills'].flatMap((table) => protect(table)),
    `GRANT SELECT, INSERT ON house_schemas TO vigia_app`,
    `GRANT SELECT, INSERT, UPDATE ON house_backfills TO vigia_app`,
  ];
}
