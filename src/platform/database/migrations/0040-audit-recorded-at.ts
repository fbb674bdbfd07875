import { SqlMigration } from './sql-migration.js';

/**
 * `audit_entries.recorded_at` is the time that the hashed bytes of the entry say: a column that says another one was
 * changed. Its default was the clock of the database, some milliseconds later.
 */
export class AuditRecordedAt1764000000040 extends SqlMigration {
  override readonly name = 'AuditRecordedAt1764000000040';
  protected override readonly statements = [
    `ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_append_only`,
    `SET LOCAL vigia.system = 'migration'`,
    `UPDATE audit_entries SET recorded_at = (convert_from(canonical, 'UTF8')::json ->> 'occurredAt')::timestamptz`,
    `ALTER TABLE audit_entries ENABLE ALWAYS TRIGGER audit_entries_append_only`,
  ];
}
