import { protect } from './protect.js';
import { appendOnly } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Entries whose seal somebody has prevented. `audit_late_seals` says which entries waited for their leaf without anything
 * that awaited them, and how long. `audit_await_late` lets such entries wait again: those that are given, have no leaf,
 * and are in no row of `audit_pending`. The index finds what was recorded lately; entries come in the order of their time,
 * so it is a few kilobytes for a million of them.
 */
export class AuditLateSeals1764000000041 extends SqlMigration {
  override readonly name = 'AuditLateSeals1764000000041';
  protected override readonly statements = [
    `CREATE INDEX audit_entries_recorded ON audit_entries USING brin (recorded_at)
       WITH (pages_per_range = 8, autosummarize = on)`,
    `CREATE TABLE audit_late_seals (
       organisation_id uuid NOT NULL,
       subject_type text NOT NULL,
       subject_id text NOT NULL,
       subject_seq integer NOT NULL,
       waited_seconds integer NOT NULL CHECK (waited_seconds >= 0),
       found_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       PRIMARY KEY (organisation_id, subject_type, subject_id, subject_seq)
     )`,
    ...appendOnly('audit_late_seals'),
    ...protect('audit_late_seals'),
    `GRANT SELECT, INSERT ON audit_late_seals TO vigia_app`,
    // As the owner: the service itself may not say that something waits.
    `CREATE FUNCTION audit_await_late(organisation uuid, types text[], ids text[], seqs integer[])
       RETURNS TABLE (subject_type text, subject_id text, subject_seq integer, waited_seconds integer)
       LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
     #variable_conflict use_column
     BEGIN
       RETURN QUERY WITH unsealed AS MATERIALIZED (
         SELECT e.* FROM unnest(types, ids, seqs) AS s (type, id, seq)
         JOIN audit_entries e ON e.organisation_id = organisation AND e.subject_type = s.type AND e.subject_id = s.id
           AND e.subject_seq = s.seq
         WHERE NOT EXISTS (SELECT FROM audit_leaves l WHERE l.organisation_id = organisation AND l.subject_type = s.type
             AND l.subject_id = s.id AND l.subject_seq = s.seq)
           AND NOT EXISTS (SELECT FROM audit_pending p WHERE p.organisation_id = organisation AND e.hash = ANY (p.hashes))),
       awaited AS (
         INSERT INTO audit_pending (organisation_id, subject_types, subject_ids, subject_seqs, hashes)
         SELECT organisation, array_agg(u.subject_type ORDER BY n), array_agg(u.subject_id ORDER BY n),
                array_agg(u.subject_seq ORDER BY n), array_agg(u.hash ORDER BY n)
         FROM (SELECT unsealed.*, row_number() OVER (ORDER BY subject_type, subject_id, subject_seq) - 1 AS n
               FROM unsealed) u
         GROUP BY n / 16)
       SELECT u.subject_type, u.subject_id, u.subject_seq,
              greatest(0, extract(epoch FROM clock_timestamp() - u.recorded_at))::integer FROM unsealed u;
     END $$`,
    `REVOKE ALL ON FUNCTION audit_await_late(uuid, text[], text[], integer[]) FROM PUBLIC`,
    `GRANT EXECUTE ON FUNCTION audit_await_late(uuid, text[], text[], integer[]) TO vigia_app`,
  ];
}
