import { SqlMigration } from './sql-migration.js';

/**
 * A state names the step that left it behind, so what binds states takes other arguments: the functions of before go, and
 * are made again with the bindings. An entry whose time lies ahead is as late as it is early.
 */
export class AuditSteps1764000000110 extends SqlMigration {
  override readonly name = 'AuditSteps1764000000110';
  protected override readonly statements = [
    `DROP FUNCTION IF EXISTS audit_bind(uuid, text, uuid, boolean)`,
    `DROP FUNCTION IF EXISTS audit_append_state(uuid, text, text, text, text)`,
    `DROP FUNCTION IF EXISTS audit_bound_customer_by_customer_id() CASCADE`,
    `DROP FUNCTION IF EXISTS audit_bound_review_by_review_id() CASCADE`,
    `CREATE OR REPLACE FUNCTION audit_await_late(organisation uuid, types text[], ids text[], seqs integer[])
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
              least(abs(extract(epoch FROM clock_timestamp() - u.recorded_at)), 2147483647)::integer FROM unsealed u;
     END $$`,
  ];
}
