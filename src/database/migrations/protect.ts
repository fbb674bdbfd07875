/**
 * For every migration that makes a table: `protect` it, `protectThrough` its parent, or say with
 * `withoutOrganisation` why it needs neither. A table without any of them stops the boot and fails a test.
 *
 *   for (const statement of [...tables, ...protect('reviews'), ...protectThrough('review_notes', 'reviews', 'review_id')])
 *     await runner.query(statement);
 *
 * The policies are evaluated before conditions that are not leakproof. Indexes are used for =, <, >, BETWEEN and IN on
 * uuid, text, bytea, integers and timestamps; a condition with LIKE, ~, @>, && or on numeric is only a filter behind
 * the policy and never finds its rows through an index. Begin such an index with organisation_id.
 *
 * A migration that moves data runs with `vigia.system` set and sees every row.
 */
export function protect(table: string, column = 'organisation_id'): string[] {
  return [
    ...FUNCTIONS,
    ...secured(table),
    policy(table, 'own_organisation', `${column} ${OWN} OR ${SYSTEM}`),
  ];
}

/** As `protect`, for a table whose rows without an organisation are everybody's to read and nobody's to write. */
export function protectWithShared(table: string, column = 'organisation_id'): string[] {
  return [...protect(table, column), `CREATE POLICY shared ON ${table} FOR SELECT USING (${column} IS NULL)`];
}

/** For a table whose rows belong to the organisation of the row that `foreignKey` points at. */
export function protectThrough(table: string, parent: string, foreignKey: string): string[] {
  // The parent's own policy decides which of its rows the sub-select sees.
  const condition = `${SYSTEM} OR EXISTS (SELECT 1 FROM ${parent} parent WHERE parent.id = ${table}.${foreignKey})`;
  return [...FUNCTIONS, ...secured(table), policy(table, 'own_organisation', condition)];
}

/** Declares that a table holds nothing of any organisation; the reason stays with the table and is read at the boot. */
export function withoutOrganisation(table: string, reason: string): string[] {
  return [`COMMENT ON TABLE ${table} IS '${NO_ORGANISATION}${reason.replaceAll("'", "''")}'`];
}

/** How the comment of a table without an organisation begins. */
export const NO_ORGANISATION = 'without organisation: ';

// Functions, so that the meaning of the settings stands in one place; both are inlined into the statement's plan.
const FUNCTIONS = [
  `CREATE OR REPLACE FUNCTION vigia_organisations() RETURNS uuid[] LANGUAGE sql STABLE PARALLEL SAFE AS
   $$ SELECT nullif(current_setting('vigia.organisations', true), '')::uuid[] $$`,
  `CREATE OR REPLACE FUNCTION vigia_system() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS
   $$ SELECT coalesce(current_setting('vigia.system', true), '') <> '' $$`,
];

// In scalar sub-selects: evaluated once per statement, not once per row.
const OWN = `= ANY ((SELECT vigia_organisations())::uuid[])`;
const SYSTEM = `(SELECT vigia_system())`;

// FORCE: the owner of the tables is bound too.
const secured = (table: string): string[] => [
  `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
  `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`,
];

const policy = (table: string, name: string, condition: string): string =>
  `CREATE POLICY ${name} ON ${table} USING (${condition})`;
