import { SCOPE_FUNCTIONS, withoutOrganisation } from './protect.js';
import { SqlMigration } from './sql-migration.js';

/**
 * The role of the service, functions that other migrations use, and tables that belong to no feature.
 *
 * - `vigia_app` is a group role that owns nothing. By its grants the service can insert and read transactions,
 *   evaluations, events and audit entries, but never change them.
 * - Row-level security is a second barrier between organisations, behind the conditions of the queries: a connection
 *   sees and writes only rows of the organisations in its setting `vigia.organisations`, or all rows if `vigia.system`
 *   holds a reason.
 * - Keys are UUIDv7, because a random key costs twenty times as much WAL as a sequential one.
 */
export class Foundation1765000000001 extends SqlMigration {
  protected override readonly statements = [
    // The role belongs to the whole cluster, so migrations of several of its databases may create it at the same time.
    `DO $$ BEGIN
       -- Asked first: an administrator may have made it, and the owner of the schema need not be allowed to.
       IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'vigia_app') THEN CREATE ROLE vigia_app NOLOGIN; END IF;
     EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
     END $$`,
    `GRANT USAGE ON SCHEMA public TO vigia_app`,
    `GRANT SELECT ON schema_migrations TO vigia_app`,
    ...withoutOrganisation('schema_migrations', 'the names of the migrations that have run'),
    ...SCOPE_FUNCTIONS,
    // Refuses changes of rows that are never changed. The exception is an approved repair that restores a row to the
    // content of its sealed audit entry: `audit_rederive`, created with the state bindings, announces it by the id of
    // its transaction. The service has no right to change these rows.
    `CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF TG_OP = 'UPDATE' AND current_user <> 'vigia_app'
         AND current_setting('vigia.rederives', true) = pg_current_xact_id()::text THEN
         RETURN NEW;
       END IF;
       RAISE EXCEPTION '% on % is refused: the table is append-only', TG_OP, TG_TABLE_NAME
         USING ERRCODE = 'restrict_violation';
     END $$`,
    // Returns a UUID with the time of `base`, so that keys made in SQL are as sequential as keys made by the service
    // (PostgreSQL has uuidv7() only from version 18). The other bits are a hash: the same two arguments give the same
    // UUID.
    `CREATE FUNCTION time_ordered_uuid(base uuid, salt uuid) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
       SELECT (left(base::text, 19) || 'a' || substr(m, 1, 3) || '-' || substr(m, 4, 12))::uuid
       FROM md5(base::text || salt::text) AS m
     $$`,
  ];
}
