import { protect } from './protect.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Answers that late transactions still wait for. ARRIVED: the transactions of whose windows it is part have not been
 * looked for; then both columns name the late one. FOUND: an affected transaction has not been judged again. A row is
 * deleted with the answer.
 */
export class KytLateEffects1764000000020 extends SqlMigration {
  override readonly name = 'KytLateEffects1764000000020';
  protected override readonly statements = [
    `CREATE TABLE kyt_late_effects (
       affected_ref uuid NOT NULL,
       late_ref uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       state text NOT NULL CHECK (state IN ('ARRIVED', 'FOUND')),
       due_at timestamptz NOT NULL,
       PRIMARY KEY (affected_ref, late_ref, organisation_id),
       CONSTRAINT kyt_late_effects_arrived CHECK ((state = 'ARRIVED') = (affected_ref = late_ref))
     ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000)`,
    `CREATE INDEX kyt_late_effects_due ON kyt_late_effects (due_at)`,
    ...protect('kyt_late_effects'),
    `GRANT SELECT, INSERT, UPDATE, DELETE ON kyt_late_effects TO vigia_app`,
  ];
}
