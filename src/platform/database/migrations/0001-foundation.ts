import { SCOPE_FUNCTIONS, withoutOrganisation } from './protect.js';
import { SqlMigration } from './sql-migration.js';

/**
 * The role of the service, the functions that other migrations use, and the tables that no feature owns.
 *
 * - `vigia_app` is a group role that owns nothing. Its grants are promises of the product: transactions, evaluations,
 *   events and audit entries can be inserted and read, never changed.
 * - Row-level security is the second wall between organisations: a connection sees and writes only the rows of the
 *   organisations in its setting `vigia.organisations`, or all rows with `vigia.system` set to a reason.
 * - Keys are UUIDv7: a random key costs twenty times the WAL of a sequential one.
 */
export class Foundation1765000000001 extends SqlMigration {
  protected override readonly statements = [
    // Concurrent migrations of several databases of one cluster may race for the cluster-wide role.
    `DO $$ BEGIN
       -- Asked first: an administrator may have made it, and the owner of the schema need not be allowed to.
       IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'vigia_app') THEN CREATE ROLE vigia_app NOLOGIN; END IF;
     EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
     END $$`,
    `GRANT USAGE ON SCHEMA public TO vigia_app`,
    `GRANT SELECT ON schema_migrations TO vigia_app`,
    ...withoutOrganisation('schema_migrations', 'the names of the migrations that have run'),
    ...SCOPE_FUNCTIONS,
    // Rows that nobody may change become again what a sealed entry says of them, by an approved repair: `audit_rederive`, which
    // comes with the bindings, says by the number of the transaction that it does so. The service has no right to change them.
    `CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF TG_OP = 'UPDATE' AND current_user <> 'vigia_app'
         AND current_setting('vigia.rederives', true) = pg_current_xact_id()::text THEN
         RETURN NEW;
       END IF;
       RAISE EXCEPTION '% on % is refused: the table is append-only', TG_OP, TG_TABLE_NAME
         USING ERRCODE = 'restrict_violation';
     END $$`,
    // A UUID that begins like `base`, so that keys made in SQL are as sequential as those made by the service
    // (PostgreSQL has uuidv7() from 18 on only), and is otherwise random; the same two give the same one.
    `CREATE FUNCTION time_ordered_uuid(base uuid, salt uuid) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
       SELECT (left(base::text, 19) || 'a' || substr(m, 1, 3) || '-' || substr(m, 4, 12))::uuid
       FROM md5(base::text || salt::text) AS m
     $$`,
  ];
}
