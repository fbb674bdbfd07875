import { protect } from './protect.js';
import { SERVICE } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Exchange rates. Rows are only inserted: an import never changes an earlier one, and the newest import of a day
 * counts, so every evaluation can be checked against the rates of its time. An import needs an approved request or the
 * command line.
 */
export class Fx1765000000014 extends SqlMigration {
  protected override readonly statements = [
    // single_control: one person alone approved the import.
    `CREATE TABLE fx_imports (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       source text NOT NULL,
       rate_count integer NOT NULL CHECK (rate_count > 0),
       content_hash bytea NOT NULL,
       imported_by text NOT NULL,
       imported_at timestamptz NOT NULL,
       trail_hash bytea NOT NULL,
       single_control boolean NOT NULL DEFAULT false,
       PRIMARY KEY (id, organisation_id)
     )`,
    `CREATE TABLE fx_rates (
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$' AND currency <> 'BRL'),
       rate_date date NOT NULL,
       rate numeric NOT NULL CHECK (rate > 0),
       import_id uuid NOT NULL,
       PRIMARY KEY (organisation_id, rate_date, currency, import_id),
       FOREIGN KEY (import_id, organisation_id) REFERENCES fx_imports
     )`,
    ...['fx_imports', 'fx_rates'].flatMap((table) => [
      `CREATE TRIGGER ${table}_insert_only BEFORE UPDATE OR DELETE ON ${table}
         FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
      ...protect(table),
    ]),
    // Also checks a rate added to an earlier import. In a request a rate is `2026-11-19 EUR 6.2345`.
    `CREATE FUNCTION require_rates() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF EXISTS (
         SELECT c.organisation_id, c.import_id::text, c.rate_date, c.currency, c.rate FROM came c
         WHERE c.import_id NOT IN (SELECT d.import_id FROM (SELECT DISTINCT organisation_id, import_id FROM came) d
           WHERE by_command_line(d.organisation_id, d.import_id))
         EXCEPT
         SELECT a.organisation_id, a.subject_id, split_part(one, ' ', 1)::date, split_part(one, ' ', 2),
           split_part(one, ' ', 3)::numeric
         FROM approvals a, jsonb_array_elements_text(a.change -> 'after' -> 'rates') one
         WHERE (a.organisation_id, a.subject_id) IN (SELECT organisation_id, import_id::text FROM came)
           AND a.act = 'fx.import' AND a.status = 'APPLIED' AND a.applied_in = pg_current_xact_id()::text
       ) THEN
         RAISE EXCEPTION 'a rate without an approved request' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NULL;
     END $$`,
    `CREATE TRIGGER fx_rates_approved AFTER INSERT ON fx_rates REFERENCING NEW TABLE AS came FOR EACH STATEMENT
       WHEN (${SERVICE}) EXECUTE FUNCTION require_rates()`,
    `GRANT SELECT, INSERT ON fx_imports, fx_rates TO vigia_app`,
  ];
}
