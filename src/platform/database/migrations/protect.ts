/**
 * Protects new tables by row-level security: every migration that creates tables calls `protect`, or
 * `withoutOrganisation` with a reason. With a table without either, the service does not start and a test fails.
 *
 *   statements = [`CREATE TABLE review_labels (...)`, ...protect('review_labels')];
 *
 * PostgreSQL evaluates the policies before conditions that are not leakproof. Indexes are used for =, <, >, BETWEEN and
 * IN on uuid, text, bytea, integers and timestamps. A condition with LIKE, ~, @>, && or on numeric only filters after
 * the policy and never uses an index; begin an index for such a condition with organisation_id.
 *
 * A migration that moves data runs with `vigia.system` set and sees every row.
 */
export function protect(...tables: string[]): string[] {
  return tables.flatMap((table) => protectBy(table, 'organisation_id'));
}

/** Like `protect`, for a table whose organisation is in another column than `organisation_id`. */
export function protectBy(table: string, column: string): string[] {
  return [...secured(table), policy(table, 'own_organisation', `${column} ${OWN} OR ${SYSTEM}`)];
}

/**
 * Declares that a table holds no data of an organisation. The reason is stored as the comment of the table, which the
 * service checks at the start.
 */
export function withoutOrganisation(table: string, reason: string): string[] {
  return [`COMMENT ON TABLE ${table} IS '${NO_ORGANISATION}${reason.replaceAll("'", "''")}'`];
}

/** The beginning of the comment of a table without an organisation. */
export const NO_ORGANISATION = 'without organisation: ';

/** Functions, so that the settings are read in one place; PostgreSQL inlines both into the plan of a statement. */
export const SCOPE_FUNCTIONS = [
  `CREATE FUNCTION vigia_organisations() RETURNS uuid[] LANGUAGE sql STABLE PARALLEL SAFE AS
   $$ SELECT nullif(current_setting('vigia.organisations', true), '')::uuid[] $$`,
  `CREATE FUNCTION vigia_system() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS
   $$ SELECT coalesce(current_setting('vigia.system', true), '') <> '' $$`,
];

// Scalar sub-selects, so that PostgreSQL evaluates them once per statement, not once per row.
const OWN = `= ANY ((SELECT vigia_organisations())::uuid[])`;
const SYSTEM = `(SELECT vigia_system())`;

// FORCE applies the policies to the owner of the tables too.
const secured = (table: string): string[] => [
  `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
  `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`,
];

const policy = (table: string, name: string, condition: string): string =>
  `CREATE POLICY ${name} ON ${table} USING (${condition})`;
