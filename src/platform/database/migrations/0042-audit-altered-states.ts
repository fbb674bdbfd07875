import { SqlMigration } from './sql-migration.js';

/** Steps that found rows other than the step before had left them: hardly ever any, and looked for with every judgement. */
export class AuditAlteredStates1764000000042 extends SqlMigration {
  override readonly name = 'AuditAlteredStates1764000000042';
  protected override readonly statements = [
    `CREATE INDEX audit_entries_altered ON audit_entries (organisation_id, subject_id)
       WHERE subject_type = 'state' AND action = 'state.altered'`,
  ];
}
