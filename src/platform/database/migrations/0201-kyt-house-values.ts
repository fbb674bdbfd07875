import { protect } from './protect.js';
import { appendOnly } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Values of fields of the house that windows may read or be by: one row for each such field of a transaction that has it.
 *
 * - `value` is JSON, and null where the field is personal: that one is in the sealed body alone.
 * - `key` is the keyed hash of field and value, where windows may be by it.
 * - `velocity_entry` is that of the transaction, so that windows by a field are read from one index like all others.
 */
export class KytHouseValues1764000000201 extends SqlMigration {
  override readonly name = 'KytHouseValues1764000000201';
  protected override readonly statements = [
    `CREATE TABLE kyt_house_values (
       organisation_id uuid NOT NULL,
       seq bigint NOT NULL,
       field integer NOT NULL CHECK (field > 0),
       transaction_ref uuid NOT NULL,
       occurred_at timestamptz NOT NULL,
       value text,
       key bytea,
       velocity_entry bytea NOT NULL,
       PRIMARY KEY (organisation_id, seq, field) INCLUDE (value)
     ) WITH (
       autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 20000,
       autovacuum_analyze_scale_factor = 0.02)`,
    `CREATE INDEX kyt_velocity_house ON kyt_house_values
       (organisation_id, key, occurred_at, seq) INCLUDE (velocity_entry) WHERE key IS NOT NULL`,
    ...appendOnly('kyt_house_values', 'insert_only'),
    ...protect('kyt_house_values'),
    `GRANT SELECT, INSERT ON kyt_house_values TO vigia_app`,
  ];
}
