/**
 * For every migration that makes tables: `protect` them, or say with `withoutOrganisation` why they need none.
 * A table without either stops the boot and fails a test.
 *
 *   statements = [`CREATE TABLE review_labels (...)`, ...protect('review_labels')];
 *
 * The policies are evaluated before conditions that are not leakproof. Indexes are used for =, <, >, BETWEEN and IN on
 * uuid, text, bytea, integers and timestamps; a condition with LIKE, ~, @>, && or on numeric is only a filter behind
 * the policy and never finds its rows through an index. Begin such an index with organisation_id.
 *
 * A migration that moves data runs with `vigia.system` set and sees every row.
 */
export function protect(...tables: string[]): string[] {
  return tables.flatMap((table) => protectBy(table, 'organisation_id'));
}

/** As `protect`, by a column of another name. */
export function protectBy(table: string, column: string): string[] {
  return [...secured(table), policy(table, 'own_organisation', `${column} ${OWN} OR ${SYSTEM}`)];
}

/** Declares that a table holds nothing of any organisation; the reason stays with the table and is read at the boot. */
export function withoutOrganisation(table: string, reason: string): string[] {
  return [`COMMENT ON TABLE ${table} IS '${NO_ORGANISATION}${reason.replaceAll("'", "''")}'`];
}

/** How the comment of a table without an organisation begins. */
export const NO_ORGANISATION = 'without organisation: ';

/** Functions, so that the meaning of the settings stands in one place; both are inlined into the statement's plan. */
export const SCOPE_FUNCTIONS = [
  `CREATE FUNCTION vigia_organisations() RETURNS uuid[] LANGUAGE sql STABLE PARALLEL SAFE AS
   $$ SELECT nullif(current_setting('vigia.organisations', true), '')::uuid[] $$`,
  `CREATE FUNCTION vigia_system() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS
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
