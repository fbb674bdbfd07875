import { protect } from './protect.js';
import { SqlMigration } from './sql-migration.js';

/** Limits of an organisation, set on the command line. A limit without a row has its default. */
export class Quotas1765000000012 extends SqlMigration {
  protected override readonly statements = [
    `CREATE TABLE organisation_quotas (
       name text NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       value bigint NOT NULL CHECK (value >= 0),
       set_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       PRIMARY KEY (name, organisation_id)
     )`,
    ...protect('organisation_quotas'),
    `GRANT SELECT, INSERT, UPDATE, DELETE ON organisation_quotas TO vigia_app`,
  ];
}
