import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protect } from './protect.js';

/**
 * Entries whose time of keeping is over may go; their leaf hashes stay, so that every proof still holds.
 *
 * - `audit_pruned` says for ever of which trails entries are gone and which entry of the log (`audit_log.pruned`) names
 *   their leaves. Nothing is deleted without it: the trigger lets exactly those entries go that the same transaction has
 *   noted here.
 * - `audit_prune` is the only door, and it has its own idea of what may not go: whatever asks, nothing of the last five
 *   years, nothing that is not sealed, and nothing that tells of the log itself or of settings that are in use.
 */
export class AuditPruning1763600000130 implements MigrationInterface {
  name = 'AuditPruning1763600000130';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    const pruned = (await runner.query('SELECT FROM audit_pruned LIMIT 1')) as unknown[];
    if (pruned.length > 0) throw new Error('What was pruned does not come back. Restore a backup.');
    for (const statement of undone) await runner.query(statement);
  }
}

const PRUNABLE = `'transaction', 'discard', 'delivery', 'review', 'screening_hit', 'communication', 'dossier', 'backtest',
  'fx_import'`;

const appendOnly = (on: string): string[] => [
  `CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE ON audit_entries
     FOR EACH ROW EXECUTE FUNCTION ${on}()`,
  `ALTER TABLE audit_entries ENABLE ALWAYS TRIGGER audit_entries_append_only`,
];

const statements = [
  `CREATE TABLE audit_pruned (
     organisation_id uuid NOT NULL,
     subject_type text NOT NULL,
     subject_id text NOT NULL,
     through_seq integer NOT NULL CHECK (through_seq > 0),
     named_by integer NOT NULL,
     pruned_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     PRIMARY KEY (organisation_id, subject_type, subject_id, through_seq)
   )`,
  `CREATE TRIGGER audit_pruned_append_only BEFORE UPDATE OR DELETE ON audit_pruned
     FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
  `CREATE TRIGGER audit_pruned_no_truncate BEFORE TRUNCATE ON audit_pruned
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
  `ALTER TABLE audit_pruned ENABLE ALWAYS TRIGGER audit_pruned_append_only`,
  `ALTER TABLE audit_pruned ENABLE ALWAYS TRIGGER audit_pruned_no_truncate`,
  ...protect('audit_pruned'),
  `GRANT SELECT ON audit_pruned TO vigia_app`,
  `ALTER TABLE audit_logs ADD COLUMN pruned bigint NOT NULL DEFAULT 0 CHECK (pruned >= 0)`,

  `CREATE FUNCTION refuse_change_of_entry() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF TG_OP = 'DELETE' AND EXISTS (
       SELECT FROM audit_pruned p
       WHERE p.organisation_id = OLD.organisation_id AND p.subject_type = OLD.subject_type
         AND p.subject_id = OLD.subject_id AND p.through_seq >= OLD.subject_seq
         AND p.xmin = pg_current_xact_id()::xid) THEN
       RETURN OLD;
     END IF;
     RAISE EXCEPTION '% on % is refused: the table is append-only', TG_OP, TG_TABLE_NAME
       USING ERRCODE = 'restrict_violation';
   END $$`,
  `DROP TRIGGER audit_entries_append_only ON audit_entries`,
  ...appendOnly('refuse_change_of_entry'),

  // When an entry was recorded stands beside the hashed bytes; when it happened stands in them.
  `CREATE FUNCTION audit_prune(organisation uuid, types text[], ids text[], before timestamptz, entry integer)
     RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
   DECLARE gone bigint;
   BEGIN
     IF before > now() - interval '5 years' OR NOT EXISTS (
       SELECT FROM audit_entries
       WHERE organisation_id = organisation AND subject_type = 'audit_log' AND subject_id = organisation::text
         AND subject_seq = entry AND action = 'audit_log.pruned' AND xmin = pg_current_xact_id()::xid) OR EXISTS (
       SELECT FROM unnest(types, ids) AS s (type, id)
       JOIN audit_entries e ON e.organisation_id = organisation AND e.subject_type = s.type AND e.subject_id = s.id
       LEFT JOIN audit_leaves l ON l.organisation_id = organisation AND l.subject_type = s.type
         AND l.subject_id = s.id AND l.subject_seq = e.subject_seq
       WHERE s.type NOT IN (${PRUNABLE}) OR e.recorded_at >= before OR l.hash IS DISTINCT FROM e.hash
         OR (convert_from(e.canonical, 'UTF8')::json ->> 'occurredAt')::timestamptz >= before) THEN
       RAISE EXCEPTION 'these entries of the audit log have to be kept' USING ERRCODE = 'restrict_violation';
     END IF;
     INSERT INTO audit_pruned (organisation_id, subject_type, subject_id, through_seq, named_by)
     SELECT organisation, s.type, s.id, max(e.subject_seq), entry
     FROM unnest(types, ids) AS s (type, id)
     JOIN audit_entries e ON e.organisation_id = organisation AND e.subject_type = s.type AND e.subject_id = s.id
     GROUP BY s.type, s.id;
     DELETE FROM audit_entries e USING unnest(types, ids) AS s (type, id)
     WHERE e.organisation_id = organisation AND e.subject_type = s.type AND e.subject_id = s.id;
     GET DIAGNOSTICS gone = ROW_COUNT;
     UPDATE audit_logs SET pruned = pruned + gone WHERE organisation_id = organisation;
     RETURN gone;
   END $$`,
  `REVOKE ALL ON FUNCTION audit_prune(uuid, text[], text[], timestamptz, integer) FROM PUBLIC`,
  `GRANT EXECUTE ON FUNCTION audit_prune(uuid, text[], text[], timestamptz, integer) TO vigia_app`,
];

const undone = [
  `DROP FUNCTION audit_prune(uuid, text[], text[], timestamptz, integer)`,
  `DROP TRIGGER audit_entries_append_only ON audit_entries`,
  ...appendOnly('refuse_change'),
  `DROP FUNCTION refuse_change_of_entry()`,
  `ALTER TABLE audit_logs DROP COLUMN pruned`,
  `DROP TABLE audit_pruned`,
];
