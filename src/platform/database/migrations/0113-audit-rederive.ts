import { SqlMigration } from './sql-migration.js';

/**
 * Rows that nobody may change become again what a sealed entry says of them, by an approved repair: `audit_rederive`, which
 * comes with the bindings, says by the number of the transaction that it does so. The service has no right to change them.
 */
export class AuditRederive1764000000113 extends SqlMigration {
  override readonly name = 'AuditRederive1764000000113';
  protected override readonly statements = [
    `CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF TG_OP = 'UPDATE' AND current_user <> 'vigia_app'
         AND current_setting('vigia.rederives', true) = pg_current_xact_id()::text THEN
         RETURN NEW;
       END IF;
       RAISE EXCEPTION '% on % is refused: the table is append-only', TG_OP, TG_TABLE_NAME
         USING ERRCODE = 'restrict_violation';
     END $$`,
  ];
}
