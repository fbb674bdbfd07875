import { protect } from './protect.js';
import { audited } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Exchange rates, insert-only: an import never changes an earlier one, the newest import of a day counts. So every evaluation
 * can be held against the rates of its time.
 */
export class Fx1764000000009 extends SqlMigration {
  override readonly name = 'Fx1764000000009';
  protected override readonly statements = [
    `CREATE TABLE fx_imports (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       source text NOT NULL,
       rate_count integer NOT NULL CHECK (rate_count > 0),
       content_hash bytea NOT NULL,
       imported_by text NOT NULL,
       imported_at timestamptz NOT NULL,
       trail_hash bytea NOT NULL,
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
    ...audited('fx_imports', { subject: 'fx_import' }),
    `GRANT SELECT, INSERT ON fx_imports, fx_rates TO vigia_app`,
  ];
}
