import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protect } from './protect.js';

/**
 * Exchange rates, insert-only: an import never changes an earlier one, the newest import of a day counts. So every
 * evaluation can be held against the rates that there were.
 */
export class ExchangeRates1763600000041 implements MigrationInterface {
  name = 'ExchangeRates1763600000041';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Exchange rates are evidence of past decisions; they are not undone. Restore a backup.');
  }
}

const statements = [
  `CREATE TABLE fx_imports (
     id uuid PRIMARY KEY,
     organisation_id uuid NOT NULL REFERENCES organisations (id),
     source text NOT NULL,
     rate_count integer NOT NULL CHECK (rate_count > 0),
     content_hash bytea NOT NULL,
     imported_by text NOT NULL,
     imported_at timestamptz NOT NULL,
     trail_hash bytea NOT NULL
   )`,
  `CREATE TABLE fx_rates (
     organisation_id uuid NOT NULL REFERENCES organisations (id),
     currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$' AND currency <> 'BRL'),
     rate_date date NOT NULL,
     rate numeric NOT NULL CHECK (rate > 0),
     import_id uuid NOT NULL REFERENCES fx_imports (id),
     PRIMARY KEY (organisation_id, rate_date, currency, import_id)
   )`,
  ...['fx_imports', 'fx_rates'].flatMap((table) => [
    `CREATE TRIGGER ${table}_insert_only BEFORE UPDATE OR DELETE ON ${table}
       FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
    ...protect(table),
  ]),
  `GRANT SELECT, INSERT ON fx_imports, fx_rates TO vigia_app`,
];
