import { protect } from './protect.js';
import { SqlMigration } from './sql-migration.js';

/** How far back the aggregates of an organisation have ever looked, by the log that they are over: it only grows. */
export class AggregateReaches1764000000202 extends SqlMigration {
  override readonly name = 'AggregateReaches1764000000202';
  protected override readonly statements = [
    `CREATE TABLE aggregate_reaches (
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       log text NOT NULL CHECK (log IN ('customer', 'device', 'ip', 'counterparty', 'account', 'card', 'house')),
       minutes integer NOT NULL CHECK (minutes > 0),
       PRIMARY KEY (organisation_id, log)
     )`,
    ...protect('aggregate_reaches'),
    `GRANT SELECT, INSERT, UPDATE ON aggregate_reaches TO vigia_app`,
  ];
}
