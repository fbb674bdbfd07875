import { execute, sqlArray, statement, type Reader } from '../../../../platform/database/index.js';
import { CATALOGUE } from '../../../../platform/database/regulated/catalogue.js';

const LINES = statement('audit.catalogue', CATALOGUE, { line: 'text' });

/** Returns the current triggers, functions, owners, grants and row-level security, one line each. */
export async function readCatalogueLines(db: Reader): Promise<string[]> {
  return (await execute(db, LINES, [])).map(({ line }) => line);
}

const CATALOGUES = [
  'pg_class',
  'pg_policy',
  'pg_attribute',
  'pg_attrdef',
  'pg_constraint',
  'pg_index',
  'pg_trigger',
  'pg_rewrite',
  'pg_proc',
  'pg_event_trigger',
  'pg_auth_members',
  'pg_db_role_setting',
];

const MARKER = statement(
  'audit.catalogue-marker',
  `SELECT concat_ws(' ', current_setting('session_replication_role'), (SELECT r::text FROM pg_roles r WHERE r.rolname = 'vigia_app'),
     count(*), bit_xor(hash_record_extended(ROW(v.tableoid, v.ctid, v.xmin), 0))) AS marker
   FROM (${CATALOGUES.map((name) => `SELECT tableoid, ctid, xmin FROM ${name}`).join(' UNION ALL ')}) v`,
  { marker: 'text' },
);

/** Returns a text that changes when a row that `readCatalogueLines` reads is written, for a tenth of its cost. */
export async function readCatalogueMarker(db: Reader): Promise<string> {
  const [row] = await execute(db, MARKER, []);
  return row?.marker ?? '';
}

/** Tables whose rows may be updated, but are never deleted. */
const NEVER_DELETED = ['subject_keys'];

/** Tables whose rows are never updated or deleted, not even after their retention. */
const INSERT_ONLY = [
  'kyt_transactions',
  'kyt_customer_events',
  'kyt_evaluations',
  'kyt_decisions',
  'events',
  'audit_leaves',
  'audit_nodes',
];

const FIND_CHANGED_ROWS = statement(
  'audit.changed-rows',
  `SELECT name, is_fixed, rows FROM (
     SELECT relname::text AS name, relname = ANY ($1::text[]) AS is_fixed,
       (n_tup_del + CASE WHEN relname = ANY ($1::text[]) THEN n_tup_upd ELSE 0 END)::float8 AS rows
     FROM pg_stat_user_tables
     WHERE schemaname = 'public' AND relname = ANY ($1::text[] || $2::text[])) tables
   WHERE rows > 0 ORDER BY name`,
  { name: 'text', is_fixed: 'boolean', rows: 'float8' },
);

/**
 * Finds changes in insert-only tables by the statistics of PostgreSQL, which count even rows that were deleted
 * together with all their entries before the sealer read them.
 */
export async function findChangedTables(db: Reader): Promise<string[]> {
  const rows = await execute(db, FIND_CHANGED_ROWS, [
    sqlArray.text(INSERT_ONLY),
    sqlArray.text(NEVER_DELETED),
  ]);
  return rows.map(({ name, is_fixed: isFixed, rows: count }) =>
    isFixed
      ? `only inserts are made there, and ${count} rows were changed or deleted: ${name}`
      : `nothing is deleted there, and ${count} rows were: ${name}`,
  );
}
