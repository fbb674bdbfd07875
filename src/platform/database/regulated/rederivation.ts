import type { BoundTable } from './regulated.js';

const caseOf = (values: readonly (readonly [table: string, value: string])[]): string =>
  `CASE bound_table ${values.map(([table, value]) => `WHEN '${table}' THEN '${value.replaceAll("'", "''")}'`).join(' ')} END`;

// Returns the number of the first patch (columns as JSON) that gives the row of the subject the wanted digest, or null.
const matchFunction = (
  tables: readonly BoundTable[],
  valuesOf: (table: BoundTable, row: string) => string,
): string =>
  `CREATE OR REPLACE FUNCTION audit_match(organisation uuid, bound_table text, subject uuid, patches jsonb, wanted text)
  RETURNS integer LANGUAGE plpgsql STABLE SET TimeZone = 'UTC' SET bytea_output = 'hex' SET extra_float_digits = 1
  SET search_path = public, pg_temp AS $$
  DECLARE found integer;
  BEGIN
    EXECUTE format($query$SELECT p.n::int FROM %I t
      CROSS JOIN jsonb_array_elements($3) WITH ORDINALITY AS p (patch, n)
      CROSS JOIN LATERAL jsonb_populate_record(t, p.patch) r
      WHERE t.organisation_id = $1 AND t.%I = $2
        AND encode(sha256(convert_to(jsonb_build_array(%s)::text, 'UTF8')), 'hex') = $4 ORDER BY p.n LIMIT 1$query$,
      bound_table, ${caseOf(tables.map(({ table, by }) => [table, by]))},
      ${caseOf(tables.map((table) => [table.table, valuesOf(table, 'r')]))})
    INTO found USING organisation, subject, patches, wanted;
    RETURN found;
  END $$`;

// Returns the regulated columns of a table, without the column that names the subject.
const columnsFunction = (tables: readonly BoundTable[]): string =>
  `CREATE OR REPLACE FUNCTION audit_columns(bound_table text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE AS $$
  BEGIN
    RETURN string_to_array(${caseOf(
      tables.map(({ table, by, columns }) => [table, columns.filter((column) => column !== by).join(',')]),
    )}, ',');
  END $$`;

// Returns one row of a subject as JSON.
const rowFunction = (
  tables: readonly BoundTable[],
): string => `CREATE OR REPLACE FUNCTION audit_row(organisation uuid, bound_table text, subject uuid) RETURNS jsonb
  LANGUAGE plpgsql STABLE SET TimeZone = 'UTC' SET search_path = public, pg_temp AS $$
  DECLARE found jsonb;
  BEGIN
    EXECUTE format('SELECT to_jsonb(t) FROM %I t WHERE t.organisation_id = $1 AND t.%I = $2 LIMIT 1', bound_table,
      ${caseOf(tables.map(({ table, by }) => [table, by]))})
    INTO found USING organisation, subject;
    RETURN found;
  END $$`;

// Restores columns that the service role may not change, with the rights of the owner. The same transaction must have
// applied an approved repair of exactly this subject. Rows with a state trail must have its sealed digest afterwards.
// Rows whose digest is in their own entry are not checked here: if they contradict the entry, the gap stays.
const rederiveFunction = (
  tables: readonly BoundTable[],
): string => `CREATE OR REPLACE FUNCTION audit_rederive(organisation uuid, repair uuid, bound_table text, which jsonb, patch jsonb)
  RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET TimeZone = 'UTC' SET search_path = public, pg_temp AS $$
  DECLARE
    asked audit_repairs; changed integer; left_behind bytea;
    of_type text := ${caseOf(tables.map(({ table, of }) => [table, of]))};
    by_column text := ${caseOf(tables.map(({ table, by }) => [table, by]))};
    is_state boolean := ${caseOf(tables.map(({ table, bound }) => [table, String(bound === 'STATE')]))} = 'true';
  BEGIN
    SELECT r.* INTO asked FROM audit_repairs r WHERE r.id = repair AND r.organisation_id = organisation
      AND r.kind = 'RE_DERIVE' AND r.status = 'APPLIED' AND r.subject_type = of_type AND r.xmin = pg_current_xact_id()::xid;
    IF asked.id IS NULL OR patch = '{}' OR (SELECT bool_or(name <> ALL (audit_columns(bound_table))) FROM jsonb_object_keys(patch) name) THEN
      RAISE EXCEPTION 'no approved repair changes these rows' USING ERRCODE = 'restrict_violation';
    END IF;
    PERFORM set_config('vigia.rederives', pg_current_xact_id()::text, true);
    EXECUTE format('UPDATE %I t SET %s WHERE t.organisation_id = $2 AND t.%I = $3::uuid AND to_jsonb(t) @> $4', bound_table,
      (SELECT string_agg(format('%I = (jsonb_populate_record(t, $1)).%I', name, name), ', ') FROM jsonb_object_keys(patch) name),
      by_column) USING patch, organisation, asked.subject_id, which;
    GET DIAGNOSTICS changed = ROW_COUNT;
    PERFORM set_config('vigia.rederives', '', true);
    IF is_state THEN
      SELECT e.canonical INTO left_behind FROM audit_entries e
      JOIN audit_leaves l ON (l.organisation_id, l.subject_type, l.subject_id, l.subject_seq, l.hash)
        = (e.organisation_id, e.subject_type, e.subject_id, e.subject_seq, e.hash)
      WHERE e.organisation_id = organisation AND e.subject_type = 'state' AND e.action = 'state.bound'
        AND e.subject_id = of_type || ':' || asked.subject_id
      ORDER BY e.subject_seq DESC LIMIT 1;
      IF coalesce(position(convert_to(audit_state(organisation, of_type, asked.subject_id::uuid)::jsonb ->> bound_table, 'UTF8')
        IN left_behind), 0) = 0 THEN
        RAISE EXCEPTION 'the rows are not what their last step left behind' USING ERRCODE = 'restrict_violation';
      END IF;
    END IF;
    RETURN changed;
  END $$`;

/** Returns the statements that create the repair functions, which find and restore the values of a sealed entry. */
export const rederivationStatements = (
  bound: readonly BoundTable[],
  byEntry: readonly BoundTable[],
  valuesOf: (table: BoundTable, row: string) => string,
): string[] => [
  matchFunction(bound, valuesOf),
  columnsFunction([...bound, ...byEntry]),
  rowFunction(bound),
  rederiveFunction([...bound, ...byEntry]),
  `REVOKE ALL ON FUNCTION audit_rederive(uuid, uuid, text, jsonb, jsonb) FROM PUBLIC`,
  `GRANT EXECUTE ON FUNCTION audit_rederive(uuid, uuid, text, jsonb, jsonb) TO vigia_app`,
];
